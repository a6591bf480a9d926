package mcpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolspec/toolspec/spec"
)

// metadataKey is where a result's metadata travels: for programs, no model sees it.
const metadataKey = "toolspec/metadata"

// The protocol versions that brought a kind of content. An older client is sent what it can read instead.
const (
	versionWithAudio = "2025-03-26"
	versionWithLinks = "2025-06-18"
)

// mimeTypes are the media types of the formats that tool files may name; another format is looked at as KIND/FORMAT.
var mimeTypes = map[string]string{
	"csv":  "text/csv",
	"doc":  "application/msword",
	"docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"html": "text/html",
	"md":   "text/markdown",
	"mp3":  "audio/mpeg",
	"mkv":  "video/x-matroska",
	"mov":  "video/quicktime",
	"pdf":  "application/pdf",
	"txt":  "text/plain",
	"xls":  "application/vnd.ms-excel",
	"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// toMCP is a result as MCP has it, for a client of that protocol version.
func toMCP(result spec.ToolResult, structured bool, version string) *mcp.CallToolResult {
	r := &mcp.CallToolResult{
		Meta:    mcp.Meta{metadataKey: result.Metadata},
		Content: make([]mcp.Content, len(result.Content)),
		IsError: result.Status == spec.StatusError,
	}
	for i, block := range result.Content {
		r.Content[i] = toContent(block, version)
	}
	if structured && !r.IsError {
		r.StructuredContent = valueJSON(result)
	}
	return r
}

// valueJSON is the value's JSON, numbers with their digits.
func valueJSON(result spec.ToolResult) any {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(result.Value) != nil {
		return nil // an interface, or the SDK would take it for a value that is there
	}
	return json.RawMessage(bytes.TrimSpace(b.Bytes()))
}

func toContent(block spec.Content, version string) mcp.Content {
	switch {
	case block.Text != nil:
		return &mcp.TextContent{Text: *block.Text}
	case block.Image != nil && block.Image.Source.Location == nil:
		return &mcp.ImageContent{Data: block.Image.Source.Bytes, MIMEType: mimeType("image", block.Image.Format)}
	case block.Image != nil:
		return fromMedia("image", block.Image, version)
	case block.Audio != nil && block.Audio.Source.Location == nil && version >= versionWithAudio:
		return &mcp.AudioContent{Data: block.Audio.Source.Bytes, MIMEType: mimeType("audio", block.Audio.Format)}
	case block.Audio != nil:
		return fromMedia("audio", block.Audio, version)
	case block.Document != nil:
		return fromMedia("document", block.Document, version)
	case block.Video != nil:
		return fromMedia("video", block.Video, version)
	case block.Resource != nil:
		r := block.Resource
		return embed(r.URI, r.MIMEType, r.Text, r.Bytes)
	}
	return &mcp.TextContent{Text: compact(block.JSON)}
}

// fromMedia is what MCP has no block for: a link to where the bytes are, else a resource that holds them.
func fromMedia(kind string, m *spec.Media, version string) mcp.Content {
	media := mimeType(kind, m.Format)
	if at := m.Source.Location; at != nil {
		if version < versionWithLinks {
			return &mcp.TextContent{Text: at.URI}
		}
		return &mcp.ResourceLink{URI: at.URI, Name: cmp.Or(m.Name, path.Base(at.URI)), MIMEType: media}
	}
	uri := "toolspec:" + kind + "/" + strings.ReplaceAll(cmp.Or(m.Name, kind), " ", "%20") + "." + m.Format
	if strings.HasPrefix(media, "text/") && utf8.Valid(m.Source.Bytes) {
		return embed(uri, media, string(m.Source.Bytes), nil)
	}
	return embed(uri, media, "", m.Source.Bytes)
}

// embed is a resource within a result: as text if there is any, else as bytes.
func embed(uri, media, text string, data []byte) mcp.Content {
	r := &mcp.ResourceContents{URI: cmp.Or(uri, "toolspec:resource"), MIMEType: media, Text: text}
	if text == "" {
		r.Blob = append([]byte{}, data...) // never nil: a resource has text or a blob
	}
	return &mcp.EmbeddedResource{Resource: r}
}

func mimeType(kind, format string) string {
	if known, ok := mimeTypes[format]; ok {
		return known
	}
	if kind == "document" {
		return "application/octet-stream"
	}
	return kind + "/" + format
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// messageOf is what an error's result says.
func messageOf(result spec.ToolResult) string {
	var texts []string
	for _, block := range result.Content {
		if block.Text != nil {
			texts = append(texts, *block.Text)
		}
	}
	return strings.TrimPrefix(strings.Join(texts, "\n"), "Error: ")
}
