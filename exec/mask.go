package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"

	"github.com/toolspec/toolspec/spec"
)

// maskResult takes the secrets that were read out of a result.
func (v *vault) maskResult(r *spec.ToolResult) {
	if v.isEmpty() {
		return
	}
	for i, c := range r.Content {
		r.Content[i] = v.maskBlock(c)
	}
	r.Value = v.maskValue(r.Value)
}

func (v *vault) maskBlock(c spec.Content) spec.Content {
	if c.Text != nil {
		text := v.mask(*c.Text)
		c.Text = &text
	}
	if c.JSON != nil {
		c.JSON = v.maskJSON(c.JSON)
	}
	for _, m := range []**spec.Media{&c.Image, &c.Document, &c.Audio, &c.Video} {
		if *m != nil {
			*m = v.maskMedia(**m)
		}
	}
	if c.Resource != nil {
		r := *c.Resource
		r.URI, r.Text, r.Bytes = v.mask(r.URI), v.mask(r.Text), v.maskBytes(r.Bytes)
		c.Resource = &r
	}
	return c
}

func (v *vault) maskMedia(m spec.Media) *spec.Media {
	if name := v.mask(m.Name); name != m.Name {
		m.Name = spec.DocumentName(name)
	}
	m.Source.Bytes = v.maskBytes(m.Source.Bytes)
	if at := m.Source.Location; at != nil {
		m.Source.Location = &spec.Location{Type: at.Type, URI: v.mask(at.URI)}
	}
	return &m
}

// maskBytes leaves no bytes as no bytes.
func (v *vault) maskBytes(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	return []byte(v.mask(string(b)))
}

// maskJSON goes by values, not by text: a secret may stand in a number, and be written with any escapes. Where none stands but those that
// we write ourselves the text tells as well whether there is a secret at all; it may be large.
func (v *vault) maskJSON(text json.RawMessage) json.RawMessage {
	if !oddEscapes.Match(text) && !v.holds(ownText(text)) {
		return text
	}
	value, err := spec.ReadValue(text)
	if err != nil {
		return json.RawMessage(`"a value that cannot be looked through for secrets"`)
	}
	return json.RawMessage(renderJSON(v.maskValue(value)))
}

// oddEscapes are those of JSON that nobody needs, and those that are written in more than one way.
var oddEscapes = regexp.MustCompile(`\\[^"\\nrt]`)

// maskValue is a value without secrets; the value itself is left as it is, and nothing of it is copied that need not be.
func (v *vault) maskValue(value any) any {
	masked, _ := v.masked(value)
	return masked
}

// masked tells, too, whether there was anything to mask.
func (v *vault) masked(value any) (masked any, changed bool) {
	switch value := value.(type) {
	case string:
		text := v.mask(value)
		return text, text != value
	case json.Number:
		if text := v.mask(string(value)); text != string(value) {
			return text, true
		}
	case []byte:
		b := v.maskBytes(value)
		return b, !bytes.Equal(b, value)
	case json.RawMessage:
		text := v.maskJSON(value)
		return text, !bytes.Equal(text, value)
	case []any:
		return v.maskedList(value)
	case map[string]any:
		return v.maskedMap(value)
	}
	return value, false
}

func (v *vault) maskedList(list []any) (any, bool) {
	var other []any // once there is one
	for i, item := range list {
		item, changed := v.masked(item)
		if changed && other == nil {
			other = slices.Clone(list)
		}
		if changed {
			other[i] = item
		}
	}
	if other == nil {
		return list, false
	}
	return other, true
}

func (v *vault) maskedMap(m map[string]any) (any, bool) {
	var other map[string]any // once there is one
	for key, item := range m {
		name := v.mask(key)
		item, changed := v.masked(item)
		if name == key && !changed {
			continue
		}
		if other == nil {
			other = maps.Clone(m)
		}
		delete(other, key)
		other[name] = item
	}
	if other == nil {
		return m, false
	}
	return other, true
}

// maskPlan is a plan without secrets.
func (v *vault) maskPlan(p Plan) Plan {
	if v.isEmpty() {
		return p
	}
	if p.Command != nil {
		c := *p.Command
		c.Argv = make([]string, len(c.Argv))
		for i, arg := range p.Command.Argv {
			c.Argv[i] = v.mask(arg)
		}
		c.Env = make(map[string]string, len(c.Env))
		for name, value := range p.Command.Env {
			c.Env[name] = v.mask(value)
		}
		c.Dir, c.Stdin = v.mask(c.Dir), v.mask(c.Stdin)
		p.Command = &c
	}
	if p.Request != nil {
		r := *p.Request
		r.URL, r.Header, r.Body = v.mask(r.URL), r.Header.Clone(), v.maskBytes(r.Body)
		for _, values := range r.Header {
			for i, value := range values {
				values[i] = v.mask(value)
			}
		}
		p.Request = &r
	}
	for _, f := range []**PlannedFunc{&p.Func, &p.Tool} {
		if *f != nil {
			*f = &PlannedFunc{Name: (*f).Name, Input: v.maskValue((*f).Input)}
		}
	}
	return p
}

// maskedLog is a log whose lines hold no secrets that were read before they were written.
type maskedLog struct {
	slog.Handler
	vault *vault
}

// Handle masks the message and the attributes.
func (l *maskedLog) Handle(ctx context.Context, r slog.Record) error {
	if l.vault.isEmpty() {
		return l.Handler.Handle(ctx, r)
	}
	masked := slog.NewRecord(r.Time, r.Level, l.vault.mask(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		masked.AddAttrs(l.vault.maskAttr(a))
		return true
	})
	return l.Handler.Handle(ctx, masked)
}

// WithAttrs masks what is known by now.
func (l *maskedLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	masked := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		masked[i] = l.vault.maskAttr(a)
	}
	return &maskedLog{l.Handler.WithAttrs(masked), l.vault}
}

// WithGroup keeps masking.
func (l *maskedLog) WithGroup(name string) slog.Handler {
	return &maskedLog{l.Handler.WithGroup(name), l.vault}
}

func (v *vault) maskAttr(a slog.Attr) slog.Attr {
	value := a.Value.Resolve()
	switch value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, v.mask(value.String()))
	case slog.KindGroup:
		group := value.Group()
		masked := make([]slog.Attr, len(group))
		for i, inner := range group {
			masked[i] = v.maskAttr(inner)
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(masked...)}
	case slog.KindAny:
		if err, ok := value.Any().(error); ok {
			return slog.Any(a.Key, errors.New(v.mask(err.Error())))
		}
		if text := fmt.Sprintf("%+v", value.Any()); v.holds(text) {
			return slog.String(a.Key, v.mask(text))
		}
	}
	return slog.Attr{Key: a.Key, Value: value}
}
