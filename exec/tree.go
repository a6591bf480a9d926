package exec

import (
	"context"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// Tree is JSON of a tool file whose texts are templates, compiled: a JSON body, a step's input, a JSON block.
type Tree struct {
	constant any       // what holds no slot
	template *Template // a text with slots
	list     []*Tree
	fields   []treeField // of a map
}

type treeField struct {
	key   string
	value *Tree
}

// Tree compiles a section of any form.
func (s *Site) Tree(sec spec.Section) (*Tree, spec.Diagnostics) {
	switch sec.Form() {
	case spec.FormText:
		text, _ := sec.Text()
		template, ds := s.Template(text)
		if literal, ok := template.literal(); ok {
			return &Tree{constant: literal}, ds
		}
		return &Tree{template: template}, ds
	case spec.FormList:
		return s.treeList(sec)
	case spec.FormMap:
		return s.treeMap(sec)
	}
	return &Tree{constant: sec.Value()}, nil
}

func (s *Site) treeList(sec spec.Section) (*Tree, spec.Diagnostics) {
	var ds spec.Diagnostics
	list := make([]*Tree, 0, len(sec.Items()))
	constant := true
	for _, item := range sec.Items() {
		tree, faults := s.Tree(item)
		ds = append(ds, faults...)
		constant = constant && tree.isConstant()
		list = append(list, tree)
	}
	if !constant {
		return &Tree{list: list}, ds
	}
	values := make([]any, len(list))
	for i, tree := range list {
		values[i] = tree.constant
	}
	return &Tree{constant: values}, ds
}

func (s *Site) treeMap(sec spec.Section) (*Tree, spec.Diagnostics) {
	var ds spec.Diagnostics
	fields := make([]treeField, 0, len(sec.Fields()))
	constant := true
	for _, f := range sec.Fields() {
		if i := strings.Index(f.Key.Value, "${"); i >= 0 {
			ds.Add(f.Key.At(i), ruleTemplate, "a key is literal, not a template; for a key that is computed write the whole map as one slot: '${ {(input.name): input.value} }'")
			continue
		}
		tree, faults := s.Tree(f.Value)
		ds = append(ds, faults...)
		constant = constant && tree.isConstant()
		fields = append(fields, treeField{f.Key.Value, tree})
	}
	if !constant {
		return &Tree{fields: fields}, ds
	}
	values := make(map[string]any, len(fields))
	for _, f := range fields {
		values[f.key] = f.value.constant
	}
	return &Tree{constant: values}, ds
}

func (t *Tree) isConstant() bool { return t.template == nil && t.list == nil && t.fields == nil }

// eval builds the value: a null slot takes the entry of a list or the pair of a map with it, but a key stays where
// its slot is a plain path to an argument that was given as null. What it returns is not to be changed.
func (t *Tree) eval(ctx context.Context, v *Vars) (any, error) {
	value, _, err := t.build(ctx, v)
	return value, err
}

// build is eval; gone tells whether a slot was null.
func (t *Tree) build(ctx context.Context, v *Vars) (value any, gone bool, err error) {
	switch {
	case t.template != nil:
		return t.buildText(ctx, v)
	case t.list != nil:
		values := make([]any, 0, len(t.list))
		for _, item := range t.list {
			value, gone, err := item.build(ctx, v)
			if err != nil {
				return nil, false, err
			}
			if !gone {
				values = append(values, value)
			}
		}
		return values, false, nil
	case t.fields != nil:
		values := make(map[string]any, len(t.fields))
		for _, f := range t.fields {
			value, gone, err := f.value.build(ctx, v)
			if err != nil {
				return nil, false, err
			}
			if !gone || f.value.givenAsNull(v) {
				values[f.key] = value
			}
		}
		return values, false, nil
	}
	return t.constant, false, nil
}

func (t *Tree) buildText(ctx context.Context, v *Vars) (any, bool, error) {
	if t.template.whole() {
		value, err := t.template.value(ctx, v)
		return value, value == nil, err
	}
	text, null, err := t.template.text(ctx, v)
	if null {
		return nil, true, err
	}
	return text, false, err
}

// givenAsNull tells whether the tree is a whole slot that is a plain path to an argument which the caller gave, as
// null.
func (t *Tree) givenAsNull(v *Vars) bool {
	if t.template == nil || !t.template.whole() {
		return false
	}
	path := t.template.parts[0].expr.path
	if len(path) == 0 || path[0].key != "input" {
		return false
	}
	_, found, _ := followPath(path, v)
	return found
}
