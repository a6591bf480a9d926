package exec

import (
	"context"
	"net/url"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// urlTemplate is a url of a tool file, compiled. It is taken apart when the file is read, so that what a value may do
// depends on where it stands and on nothing in the value.
type urlTemplate struct {
	whole   *Template // the url is one slot; the rest is then empty
	origin  *Template // scheme, host and port
	fixed   string    // the origin when it has no slots
	path    []*Template
	query   []*Template // the pairs of the query part
	foreign bool        // the host comes from neither the file nor env
}

// compileURL reads a url; what is wrong is said at its place within it.
func compileURL(site *Site, sec spec.Section) (*urlTemplate, spec.Diagnostics) {
	var text spec.Text
	if ds := sec.Decode(&text); ds.HasErrors() {
		return nil, ds
	}
	template, ds := site.Template(text)
	if ds.HasErrors() && (template == nil || len(template.parts) < 2) {
		return nil, ds
	}
	for i, p := range template.parts {
		if p.expr == nil && p.literal == "" { // a slot that is wrong; what stands around it is looked at nevertheless
			template.parts[i].expr = &Expr{source: "env"}
		}
	}
	if template.whole() {
		return &urlTemplate{whole: template, foreign: !template.parts[0].expr.readsOnly("env", "secret")}, ds
	}
	r := &urlReader{env: site.Env, sec: sec, text: text, parts: template.parts}
	u := r.read()
	return u, append(ds, r.ds...)
}

// build gives the url of one call.
func (u *urlTemplate) build(ctx context.Context, v *Vars) (*url.URL, error) {
	if u.whole != nil {
		return u.buildWhole(ctx, v)
	}
	var b strings.Builder
	b.Grow(128)
	if err := u.buildOrigin(ctx, v, &b); err != nil {
		return nil, err
	}
	if err := u.buildPath(ctx, v, &b); err != nil {
		return nil, err
	}
	if err := u.buildQuery(ctx, v, &b); err != nil {
		return nil, err
	}
	built, err := url.Parse(b.String())
	if err != nil {
		return nil, spec.NewError(spec.CodeInvalidInput, "url: %s", parseFault(err))
	}
	return built, nil
}

func (u *urlTemplate) buildWhole(ctx context.Context, v *Vars) (*url.URL, error) {
	value, err := u.whole.value(ctx, v)
	if err != nil {
		return nil, err
	}
	text, ok := value.(string)
	if !ok {
		return nil, spec.NewError(spec.CodeInvalidInput, "%s: want a url such as https://example.com/page, have %s", slotNames(u.whole), renderText(orNull(value)))
	}
	built, fault := parseURL(text)
	if fault != "" {
		return nil, spec.NewError(spec.CodeInvalidInput, "%s: %s", slotNames(u.whole), fault)
	}
	return built, nil
}

// buildOrigin writes scheme and host; those from env may bring the first part of a path with them.
func (u *urlTemplate) buildOrigin(ctx context.Context, v *Vars, b *strings.Builder) error {
	if u.fixed != "" {
		b.WriteString(u.fixed)
		return nil
	}
	text, null, err := u.origin.text(ctx, v)
	if err != nil {
		return err
	}
	if null {
		return spec.NewError(spec.CodeUnavailable, "url: an environment variable that it names is not set")
	}
	base, fault := parseURL(text)
	if fault == "" && (base.RawQuery != "" || base.Fragment != "") {
		fault = "want scheme, host and at most a path from env"
	}
	if fault != "" {
		return spec.NewError(spec.CodeUnavailable, "url: from env: %s", fault)
	}
	base.Path, base.RawPath = strings.TrimRight(base.Path, "/"), strings.TrimRight(base.EscapedPath(), "/")
	b.WriteString(base.String())
	return nil
}

// buildPath writes the path: every value is one encoded segment or a part of one, a list is several.
func (u *urlTemplate) buildPath(ctx context.Context, v *Vars, b *strings.Builder) error {
	for _, segment := range u.path {
		b.WriteByte('/')
		if text, ok := segment.literal(); ok {
			b.WriteString(text)
			continue
		}
		values, err := segment.eval(ctx, v)
		if err != nil {
			return err
		}
		if list, ok := values[0].([]any); ok && segment.whole() {
			if err := writeSegments(b, segment, list); err != nil {
				return err
			}
			continue
		}
		if err := writeSegment(b, segment, values); err != nil {
			return err
		}
	}
	return nil
}

func writeSegments(b *strings.Builder, segment *Template, list []any) error {
	if len(list) == 0 {
		return segmentError(segment, "must not be an empty list")
	}
	for i, item := range list {
		if i > 0 {
			b.WriteByte('/')
		}
		if err := writeSegment(b, segment, []any{item}); err != nil {
			return err
		}
	}
	return nil
}

// writeSegment writes one segment. Dots are looked at in the whole of it: v.${x} with x = "." climbs nowhere, but a
// segment that is made of dots alone would.
func writeSegment(b *strings.Builder, segment *Template, values []any) error {
	if anyNull(values) {
		return segmentError(segment, "must be given")
	}
	switch text := segment.fill(values, nil); text {
	case "":
		return segmentError(segment, "must not be empty")
	case ".", "..":
		return segmentError(segment, `must not be "`+text+`"`)
	}
	b.WriteString(segment.fill(values, encodeValue))
	return nil
}

func segmentError(segment *Template, fault string) error {
	return spec.NewError(spec.CodeInvalidInput, "%s: %s: it is one segment of the path of a URL", slotNames(segment), fault)
}

// buildQuery writes the query part: a null takes its pair with it, a list repeats it.
func (u *urlTemplate) buildQuery(ctx context.Context, v *Vars, b *strings.Builder) error {
	separator := byte('?')
	for _, pair := range u.query {
		texts, err := repeated(ctx, v, pair, encodeValue)
		if err != nil {
			return err
		}
		for _, text := range texts {
			b.WriteByte(separator)
			b.WriteString(text)
			separator = '&'
		}
	}
	return nil
}

// parseURL reads a url that is not the file's own.
func parseURL(text string) (u *url.URL, fault string) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, parseFault(err)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, "want a url that starts with https:// or http://"
	case u.User != nil:
		return nil, "want a url without a user name or password in it"
	case u.Hostname() == "":
		return nil, "want a url with a host, such as https://example.com/page"
	}
	u.Fragment, u.RawFragment = "", ""
	u.RawQuery = encodeStray(u.RawQuery)
	return u, ""
}

// parseFault is the reason without the url itself, which may be long and holds what its reader knows.
func parseFault(err error) string {
	if fault, ok := err.(*url.Error); ok { //nolint:errorlint // url.Parse gives it unwrapped
		return fault.Err.Error()
	}
	return err.Error()
}

const upperHex = "0123456789ABCDEF"

// encodeValue encodes all but letters, digits, - . _ ~, so that a value means the same in a path, in a query and to
// every server: no + that turns into a blank, no ; that ends a segment, no %2F that is decoded twice.
func encodeValue(value string) string {
	return percentEncode(value, func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
	})
}

// encodeStray encodes only what may not stand in a url at all, and leaves what the author encoded.
func encodeStray(text string) string {
	return percentEncode(text, func(c byte) bool { return c > ' ' && c < 0x7F && strings.IndexByte(`"<>\^{|}`+"`", c) < 0 })
}

func percentEncode(text string, keep func(byte) bool) string {
	i := 0
	for i < len(text) && keep(text[i]) {
		i++
	}
	if i == len(text) {
		return text
	}
	b := make([]byte, i, len(text)+16)
	copy(b, text)
	for ; i < len(text); i++ {
		if c := text[i]; keep(c) {
			b = append(b, c)
		} else {
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return string(b)
}

func orNull(v any) any {
	if v == nil {
		return "null"
	}
	return v
}
