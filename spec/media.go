package spec

import (
	"archive/zip"
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// MediaFormats are the formats that each kind of medium may have.
func MediaFormats(medium string) []string {
	switch medium {
	case "image":
		return []string{"png", "jpeg", "gif", "webp"}
	case "document":
		return []string{"pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"}
	case "audio":
		return []string{"mp3", "wav", "ogg", "flac", "aac", "aiff", "m4a", "opus", "webm"}
	case "video":
		return []string{"mp4", "webm", "mkv", "mov", "mpeg", "avi", "flv", "three_gp", "wmv"}
	}
	return nil
}

// sniffed is what the first bytes of the formats that can be told from them say.
var sniffed = map[string]struct{ medium, format string }{
	"image/png":                 {"image", "png"},
	"image/jpeg":                {"image", "jpeg"},
	"image/gif":                 {"image", "gif"},
	"image/webp":                {"image", "webp"},
	"application/pdf":           {"document", "pdf"},
	"text/html; charset=utf-8":  {"document", "html"},
	"text/plain; charset=utf-8": {"document", "txt"},
	"audio/mpeg":                {"audio", "mp3"},
	"audio/wave":                {"audio", "wav"},
	"audio/aiff":                {"audio", "aiff"},
	"application/ogg":           {"audio", "ogg"},
	"audio/x-flac":              {"audio", "flac"},
	"video/mp4":                 {"video", "mp4"},
	"video/webm":                {"video", "webm"},
	"video/avi":                 {"video", "avi"},
}

// bytesBlock is the block of bytes whose nature only they tell.
func bytesBlock(uri string, b []byte) Content {
	mime := sniff(b)
	is := sniffed[mime]
	if office := officeFormat(b, mime); office != "" {
		is.medium, is.format = "document", office
	}
	media := &Media{Format: is.format, Source: Source{Bytes: b}}
	switch {
	case len(b) == 0:
	case is.medium == "image":
		return Content{Image: media}
	case is.medium == "document":
		media.Name = DocumentName("")
		return Content{Document: media}
	case is.medium == "audio":
		return Content{Audio: media}
	case is.medium == "video":
		return Content{Video: media}
	}
	return Content{Resource: &Resource{URI: uri, MIMEType: mime, Bytes: b}}
}

func sniff(b []byte) string {
	if bytes.HasPrefix(b, []byte("fLaC")) {
		return "audio/x-flac"
	}
	mime := http.DetectContentType(b)
	if strings.HasPrefix(mime, "text/") && !utf8.Valid(b) {
		return "application/octet-stream"
	}
	return mime
}

// officeFormat tells docx and xlsx from other zip archives, by the folder their main part lies in.
func officeFormat(b []byte, mime string) string {
	if mime != "application/zip" {
		return ""
	}
	archive, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return ""
	}
	for _, file := range archive.File {
		switch {
		case strings.HasPrefix(file.Name, "word/"):
			return "docx"
		case strings.HasPrefix(file.Name, "xl/"):
			return "xlsx"
		}
	}
	return ""
}

var (
	notInName   = regexp.MustCompile(`[^A-Za-z0-9 ()\[\]-]+`)
	spaces      = regexp.MustCompile(`\s+`)
	meaningless = regexp.MustCompile(`^[ -]*$`)
)

const maxDocumentName = 200

// DocumentName makes a text the valid name of a document: letters, digits, single spaces, - ( ) [ ], at most 200 of
// them. What is left empty is called document.
func DocumentName(name string) string {
	name = spaces.ReplaceAllString(name, " ")
	name = notInName.ReplaceAllString(name, "-")
	if len(name) > maxDocumentName {
		name = name[:maxDocumentName]
	}
	name = strings.TrimSpace(name)
	if meaningless.MatchString(name) {
		return "document"
	}
	return name
}

func knownFormat(medium, format string) bool { return slices.Contains(MediaFormats(medium), format) }
