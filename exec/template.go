package exec

import (
	"context"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// ruleTemplate is the rule of every diagnostic about a template or an expression.
const ruleTemplate = "template"

// Template is a text of a tool file with ${ } slots, compiled.
type Template struct {
	parts []part
}

// part is a piece of a template: literal text, or one slot.
type part struct {
	literal string
	expr    *Expr // nil for literal text
}

// Template compiles a text with slots; what is wrong in them is said at its place.
func (s *Site) Template(t spec.Text) (*Template, spec.Diagnostics) {
	pieces, ds := scanTemplate(t)
	template := &Template{parts: make([]part, 0, len(pieces))}
	for _, p := range pieces {
		if p.slot == nil {
			template.parts = append(template.parts, part{literal: p.literal})
			continue
		}
		e, _, faults := s.compile(t, *p.slot)
		ds = append(ds, faults...)
		template.parts = append(template.parts, part{expr: e})
	}
	template.trimWhole()
	return template, ds
}

// trimWhole drops the white space around a slot that is alone.
func (t *Template) trimWhole() {
	var only *Expr
	for _, p := range t.parts {
		switch {
		case p.expr == nil && strings.TrimSpace(p.literal) == "":
		case p.expr != nil && only == nil:
			only = p.expr
		default:
			return
		}
	}
	if only != nil {
		t.parts = []part{{expr: only}}
	}
}

// literal is the text of a template without slots.
func (t *Template) literal() (string, bool) {
	switch {
	case len(t.parts) == 0:
		return "", true
	case len(t.parts) == 1 && t.parts[0].expr == nil:
		return t.parts[0].literal, true
	}
	return "", false
}

// whole tells whether the template is one slot and white space: then its value keeps its type.
func (t *Template) whole() bool { return len(t.parts) == 1 && t.parts[0].expr != nil }

// reads tells whether a slot reads a name in scope.
func (t *Template) reads(name string) bool {
	return slices.ContainsFunc(t.parts, func(p part) bool { return p.expr != nil && slices.Contains(p.expr.reads, name) })
}

// eval gives the value of each slot, in order.
func (t *Template) eval(ctx context.Context, v *Vars) ([]any, error) {
	var values []any
	for _, p := range t.parts {
		if p.expr == nil {
			continue
		}
		value, err := p.expr.Eval(ctx, v)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// fill puts values, one a slot, between the literal texts; escape is applied to each value's text (nil: as it is).
// Null is empty.
func (t *Template) fill(values []any, escape func(string) string) string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.expr == nil {
			b.WriteString(p.literal)
			continue
		}
		text := renderText(values[0])
		values = values[1:]
		if escape != nil {
			text = escape(text)
		}
		b.WriteString(text)
	}
	return b.String()
}

// text evaluates and fills; null tells whether a slot was null.
func (t *Template) text(ctx context.Context, v *Vars) (text string, null bool, err error) {
	values, err := t.eval(ctx, v)
	if err != nil {
		return "", false, err
	}
	return t.fill(values, nil), anyNull(values), nil
}

// value is a whole slot's value with its type, else the text.
func (t *Template) value(ctx context.Context, v *Vars) (any, error) {
	if t.whole() {
		return t.parts[0].expr.Eval(ctx, v)
	}
	text, _, err := t.text(ctx, v)
	return text, err
}

func anyNull(values []any) bool {
	for _, v := range values {
		if v == nil {
			return true
		}
	}
	return false
}
