package exec

import (
	"context"

	"github.com/toolspec/toolspec/spec"
)

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
	return &Template{parts: []part{{literal: t.Value}}}, nil
}

// literal is the text of a template without slots.
func (t *Template) literal() (string, bool) { return "", false }

// whole tells whether the template is one slot and white space: then its value keeps its type.
func (t *Template) whole() bool { return false }

// eval gives the value of each slot, in order.
func (t *Template) eval(ctx context.Context, v *Vars) ([]any, error) { return nil, nil }

// fill puts values, one a slot, between the literal texts; escape is applied to each value's text (nil: as it is).
// Null is empty.
func (t *Template) fill(values []any, escape func(string) string) string { return "" }

// text evaluates and fills; null tells whether a slot was null.
func (t *Template) text(ctx context.Context, v *Vars) (text string, null bool, err error) {
	return "", false, nil
}

// value is a whole slot's value with its type, else the text.
func (t *Template) value(ctx context.Context, v *Vars) (any, error) { return nil, nil }

// renderText is a value in running text: a text as itself, null as nothing, anything else as compact JSON.
func renderText(v any) string { return "" }

// Tree is JSON of a tool file whose texts are templates, compiled: a JSON body, a step's input, a JSON block.
type Tree struct{}

// Tree compiles a section of any form.
func (s *Site) Tree(sec spec.Section) (*Tree, spec.Diagnostics) { return nil, nil }

// eval builds the value: a null slot takes the entry of a list or the pair of a map with it, but a key stays where
// its slot is a plain path to an argument that was given as null.
func (t *Tree) eval(ctx context.Context, v *Vars) (any, error) { return nil, nil }
