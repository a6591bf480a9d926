package exec

import (
	"context"
	"mime"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// userAgent is sent where a file does not say otherwise.
const userAgent = "toolspec (+https://github.com/toolspec/toolspec)"

// reservedHeaders belong to the connection or follow from the rest of the section.
var reservedHeaders = map[string]string{
	"Host":                "it follows from the url",
	"Content-Length":      "it follows from the body",
	"Transfer-Encoding":   "it follows from the body",
	"Accept-Encoding":     "responses are unpacked here, so it is set here",
	"Connection":          "connections are kept and reused here",
	"Keep-Alive":          "connections are kept and reused here",
	"Proxy-Connection":    "the operator's policy says which proxy is used",
	"Proxy-Authorization": "the operator's policy says which proxy is used",
	"Te":                  "it belongs to the connection",
	"Trailer":             "it belongs to the connection",
	"Upgrade":             "only plain requests are made",
	"Expect":              "only plain requests are made",
}

// compileHeaders reads the headers of a request; names are canonical afterwards.
func compileHeaders(site *Site, sec spec.Section) ([]pair, spec.Diagnostics) {
	pairs, ds := compilePairs(site, sec)
	seen := map[string]string{}
	for i, p := range pairs {
		name := textproto.CanonicalMIMEHeaderKey(p.name)
		why, reserved := reservedHeaders[name]
		earlier, twice := seen[name]
		switch {
		case !isToken(p.name):
			ds = append(ds, p.at.Errorf("http", "%q is not the name of a header", p.name))
		case reserved:
			ds = append(ds, p.at.Errorf("http", "the header %s is not a file's to set: %s", name, why))
		case twice:
			ds = append(ds, p.at.Errorf("http", "the header is given twice: here and as %s", earlier))
		}
		for _, template := range p.values {
			for _, part := range template.parts {
				if headerFault(part.literal) != "" {
					ds = append(ds, p.at.Errorf("http", "%s", headerFault(part.literal)))
				}
			}
			if text, literal := template.literal(); literal && headerFault(text) == "" && headerValueFault(text) != "" {
				ds = append(ds, p.at.Errorf("http", "%s", headerValueFault(text)))
			}
		}
		seen[name] = p.name
		pairs[i].name = name
	}
	return pairs, ds
}

// splitHeaders takes those that are the same in every call for their values.
func splitHeaders(pairs []pair, accept string) (fixed http.Header, rest []pair) {
	fixed = http.Header{"User-Agent": {userAgent}, "Accept": {accept}}
	for _, p := range pairs {
		var values []string
		for _, template := range p.values {
			if text, ok := template.literal(); ok {
				values = append(values, text)
			}
		}
		switch {
		case len(values) < len(p.values):
			rest = append(rest, p)
		case len(values) > 0:
			fixed[p.name] = values
		}
	}
	return fixed, rest
}

// addHeaders adds the headers that depend on the call.
func addHeaders(ctx context.Context, v *Vars, header http.Header, pairs []pair) error {
	for _, p := range pairs {
		texts, err := p.texts(ctx, v)
		if err != nil {
			return err
		}
		for _, text := range texts {
			if fault := headerValueFault(text); fault != "" {
				return spec.NewError(spec.CodeInvalidInput, "header %s: %s", p.name, fault)
			}
		}
		if len(texts) > 0 {
			header[p.name] = texts
		}
	}
	return nil
}

// mostHead is how large a url and the headers with it may be, and how large the head of an answer.
const mostHead = 64 << 10

// checkHead refuses a request whose head is larger than servers take.
func checkHead(u *url.URL, header http.Header) error {
	size := max(len(u.Path), len(u.RawPath)) + len(u.RawQuery)
	for name, values := range header {
		for _, value := range values {
			size += len(name) + len(value) + len(": \r\n")
		}
	}
	if size <= mostHead {
		return nil
	}
	return spec.NewError(spec.CodeInvalidInput, "the url and the headers of the request take %d bytes, of at most %d: shorter values are needed", size, mostHead)
}

// headerFault is what keeps a text from being the value of a header.
func headerFault(value string) string {
	for i := 0; i < len(value); i++ {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7F {
			return "the value of a header holds no line breaks or control characters"
		}
	}
	return ""
}

// headerValueFault is what keeps a text from arriving as the value of a header: white space around one is no part of it.
func headerValueFault(value string) string {
	if strings.Trim(value, " \t") != value {
		return "the value of a header neither starts nor ends with a blank or a tab, since they would not arrive"
	}
	return headerFault(value)
}

// isToken tells whether a text may name a method or a header.
func isToken(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c <= ' ' || c >= 0x7F || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return false
		}
	}
	return text != ""
}

// literalHeader is the value of a header that has no slots; given tells whether the header is there at all.
func literalHeader(pairs []pair, name string) (value string, literal, given bool) {
	p := headerNamed(pairs, name)
	if p == nil {
		return "", true, false
	}
	value, literal = p.values[0].literal()
	return value, literal, true
}

// headerNamed is the header of this name that a file gives; nil if it gives none.
func headerNamed(pairs []pair, name string) *pair {
	for i, p := range pairs {
		if textproto.CanonicalMIMEHeaderKey(p.name) == name && len(p.values) > 0 {
			return &pairs[i]
		}
	}
	return nil
}

// mediaType is a Content-Type without its parameters, in lower case.
func mediaType(contentType string) string {
	if contentType == "" || contentType == "application/json" {
		return contentType
	}
	name, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		name, _, _ = strings.Cut(contentType, ";")
		name = strings.ToLower(strings.TrimSpace(name))
	}
	return name
}

func isJSONType(media string) bool {
	return media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json")
}
