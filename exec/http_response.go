package exec

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

// shownResponse is what expressions see as response.
func shownResponse(r *http.Response) map[string]any {
	headers := make(map[string]any, len(r.Header))
	for name, values := range r.Header {
		headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return map[string]any{"status": json.Number(strconv.Itoa(r.StatusCode)), "headers": headers}
}

// readLimit is how much of a body is taken, unpacked.
func (e *Env) readLimit() int64 {
	if limit := int64(e.Policy.Defaults.Read); limit > 0 {
		return limit
	}
	return int64(DefaultPolicy().Defaults.Read)
}

// readBody reads a body whole or not at all. What is packed counts as much as what comes out of it: neither a small
// body that unpacks to a large one nor a large one that unpacks to nothing is read to its end.
func readBody(r *http.Response, limit int64) ([]byte, error) {
	wire := &limitedBody{from: r.Body, left: limit, limit: limit}
	switch encoding := strings.ToLower(strings.TrimSpace(strings.Join(r.Header.Values("Content-Encoding"), ", "))); encoding {
	case "", "identity":
		return readAll(wire, r.ContentLength, limit)
	case "gzip", "x-gzip":
		return readPacked(wire, limit)
	default:
		if body, err := readAll(wire, r.ContentLength, limit); len(body) == 0 || err != nil {
			return body, err // the answer to HEAD says how a body would be packed
		}
		return nil, badOutput("the response is packed with %q, which was not asked for", encoding)
	}
}

func readPacked(wire *limitedBody, limit int64) ([]byte, error) {
	unpacked, err := gzip.NewReader(wire)
	switch {
	case errors.Is(err, io.EOF): // no body at all
		return nil, nil
	case errors.Is(err, gzip.ErrHeader):
		return nil, badOutput("the response says it is packed with gzip and is not")
	case err != nil:
		return nil, err
	}
	return readAll(&limitedBody{from: unpacked, left: limit, limit: limit}, 0, limit)
}

func readAll(from io.Reader, size, limit int64) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, min(max(size, 0), limit, 1<<20)+bytes.MinRead))
	_, err := b.ReadFrom(from)
	var damaged flate.CorruptInputError
	if errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.As(err, &damaged) {
		err = badOutput("the response is packed with gzip and damaged")
	}
	return b.Bytes(), err
}

// limitedBody ends in an error, not in silence, when there is more than the limit.
type limitedBody struct {
	from        io.Reader
	left, limit int64
}

func (l *limitedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.from.Read(p)
	if int64(n) > l.left {
		return int(l.left), badOutput("the response is larger than %d bytes, which is the most that is read; ask for less of it", l.limit)
	}
	l.left -= int64(n)
	return n, err
}

// decodeBody makes a body a value, as the file says or else as its Content-Type says.
func decodeBody(format outputFormat, header http.Header, body []byte, room int, v *vault) (any, error) {
	contentType := header.Get("Content-Type")
	if format == "" {
		format = formatOf(contentType, body)
	}
	if format == outputBytes {
		return format.value(body, room, v)
	}
	text, ok := toUTF8(contentType, body)
	if !ok {
		return nil, badOutput("the response is written in %q, which is not read as text; take it as bytes", contentType)
	}
	if format == outputText && len(body) > 0 {
		return takeText(trimMark(text)), nil // a page keeps its last line break, as it keeps the others
	}
	return format.value(text, room, v)
}

// formatOf is how a body is read when the file does not say.
func formatOf(contentType string, body []byte) outputFormat {
	media := mediaType(contentType)
	switch {
	case isJSONType(media):
		return outputJSON
	case media == "" && len(body) == 0:
		return outputJSON // that is: null
	case isTextType(media) || media == "" && utf8.Valid(body) && bytes.IndexByte(body, 0) < 0:
		if _, ok := toUTF8(contentType, body); ok {
			return outputText
		}
	}
	return outputBytes
}

func isTextType(media string) bool {
	switch media {
	case "application/xml", "application/javascript", "application/ecmascript", "application/x-www-form-urlencoded",
		"application/yaml", "application/x-yaml", "application/toml", "application/sql", "application/graphql",
		"application/x-ndjson", "application/jsonl", "application/x-sh":
		return true
	}
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "+xml") || strings.HasSuffix(media, "+yaml")
}

// toUTF8 reads text in the charset of its Content-Type. Without one it is UTF-8 if it can be, else Latin-1, which
// HTTP once said and every byte is. Not ok: a charset that is not known here.
func toUTF8(contentType string, body []byte) ([]byte, bool) {
	charset := charsetOf(contentType)
	if charset == "utf-8" || charset == "utf8" {
		return body, true
	}
	if utf8.Valid(body) && charset != "iso-8859-1" && charset != "latin1" {
		return body, charset == "" || !strings.HasPrefix(charset, "utf-") && isASCII(body)
	}
	switch charset {
	case "", "iso-8859-1", "latin1", "us-ascii", "ascii":
		return fromLatin1(body), true
	}
	return nil, false
}

func charsetOf(contentType string) string {
	if strings.IndexByte(contentType, ';') < 0 {
		return ""
	}
	_, parameters, _ := mime.ParseMediaType(contentType)
	return strings.ToLower(parameters["charset"])
}

func isASCII(body []byte) bool {
	for _, c := range body {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func fromLatin1(body []byte) []byte {
	text := make([]byte, 0, len(body)+len(body)/8)
	for _, c := range body {
		text = utf8.AppendRune(text, rune(c))
	}
	return text
}

// statusError is a status that is no success, with the start of what the server says about it.
func statusError(r *http.Response, body []byte, tries *attempts, v *vault) error {
	e := spec.NewError(spec.CodeFailed, "the server answered %s%s", statusText(r.StatusCode), tries.said())
	if isPassing(r.StatusCode) {
		e.Code, e.Retryable = spec.CodeUnavailable, true
	}
	contentType := r.Header.Get("Content-Type")
	if formatOf(contentType, body) == outputBytes {
		if len(body) > 0 {
			e.Message += fmt.Sprintf(" and %d bytes of %s", len(body), mediaType(contentType))
		}
		return e
	}
	text, _ := toUTF8(contentType, body)
	if start := strings.TrimSpace(beginning(text, shownBytes, v)); start != "" {
		e.Message += ": " + start
	}
	return e
}

func statusText(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

// codeRanges are the statuses that are a success.
type codeRanges []codeRange

type codeRange struct{ first, last int }

func (c codeRanges) has(code int) bool {
	for _, r := range c {
		if r.first <= code && code <= r.last {
			return true
		}
	}
	return false
}

// DescribeSection is a list of statuses and ranges.
func (c *codeRanges) DescribeSection() spec.Grammar {
	return spec.Grammar{"type": "array", "minItems": 1, "items": spec.Grammar{"anyOf": []spec.Grammar{
		{"type": "integer", "minimum": 100, "maximum": 599}, {"type": "string", "pattern": `^\s*[1-5][0-9][0-9]\s*(-\s*[1-5][0-9][0-9]\s*)?$`},
	}}}
}

// DecodeSection reads a list of statuses and ranges of them: [200, 404, 300-399].
func (c *codeRanges) DecodeSection(sec spec.Section) spec.Diagnostics {
	var texts []spec.Section
	if ds := sec.Decode(&texts); ds.HasErrors() {
		return ds
	}
	var ds spec.Diagnostics
	*c = nil
	for _, item := range texts {
		text, _ := item.Text()
		from, to, isRange := strings.Cut(text.Value, "-")
		if !isRange {
			to = from
		}
		first, err1 := strconv.Atoi(strings.TrimSpace(from))
		last, err2 := strconv.Atoi(strings.TrimSpace(to))
		if err1 != nil || err2 != nil || first < 100 || last > 599 || first > last {
			ds = append(ds, item.Want("a status such as 200, or a range such as 200-299"))
			continue
		}
		*c = append(*c, codeRange{first, last})
	}
	if len(texts) == 0 {
		ds = append(ds, sec.Errorf("http", "want at least one status: otherwise every answer is an error"))
	}
	return ds
}
