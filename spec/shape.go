package spec

import (
	"maps"
	"slices"
)

// Shape is what is known of a value before there is one: enough to check an expression over it. Shapes of recursive
// schemas lead back to themselves.
type Shape struct {
	Types  []string          // JSON types it may have (object, array, string, integer, number, boolean, null); empty: any
	Fields map[string]*Shape // the declared properties of an object
	Sure   map[string]bool   // those fields that every accepted input has: required, or with a default
	Open   bool              // an object may have other fields than the declared
	Items  *Shape            // of an array; nil: any
	Listed bool              // every value it may have stands in the file (enum or const)
}

// Shape is the shape of accepted inputs.
func (s *Schema) Shape() *Shape { return s.shape() }

// shapeOf is the shape of a root: an object, closed where the root's own rule closes it. A part of the schema that
// refers to the root has neither.
func shapeOf(root *outline, closed bool) *Shape {
	m := shapes{made: map[*outline]*Shape{}, joined: map[*outline]bool{}}
	m.of(root)
	for len(m.fresh) > 0 {
		next := m.fresh[len(m.fresh)-1]
		m.fresh = m.fresh[:len(m.fresh)-1]
		m.join(next)
	}
	top := *m.made[root]
	top.Types = []string{"object"}
	top.Open = top.Open && !closed
	return &top
}

// shapes makes the shapes of outlines.
type shapes struct {
	made   map[*outline]*Shape
	fresh  []*outline // whose alternatives are not looked at yet
	joined map[*outline]bool
}

// of is the shape by what is certain; join adds what alternatives say.
func (m *shapes) of(o *outline) *Shape {
	if o == nil {
		return nil
	}
	if known := m.made[o]; known != nil {
		return known
	}
	s := &Shape{Fields: map[string]*Shape{}, Sure: map[string]bool{}, Open: !o.closed, Listed: o.listed}
	m.made[o] = s
	if o.types != typeAny {
		s.Types = o.types.names()
	}
	for _, f := range o.fields {
		s.Fields[f.name] = m.of(f.outline)
		if f.required || f.gives {
			s.Sure[f.name] = true
		}
	}
	if len(o.prefix) == 0 {
		s.Items = m.of(o.items)
	}
	if len(o.forms) > 0 {
		m.fresh = append(m.fresh, o)
	}
	return s
}

// join adds to a shape what its alternatives say. They look at the same value, which no way leads back to.
func (m *shapes) join(o *outline) {
	if m.joined[o] {
		return
	}
	m.joined[o] = true
	s := m.of(o)
	for _, group := range o.forms {
		var objects, arrays []*Shape
		for _, form := range group {
			shape := m.of(form)
			m.join(form)
			if form.types&typeObject != 0 {
				objects = append(objects, shape)
			}
			if form.types&typeArray != 0 {
				arrays = append(arrays, shape)
			}
		}
		s.joinObjects(objects)
		if s.Items == nil && len(arrays) == 1 {
			s.Items = arrays[0].Items
		}
	}
}

// joinObjects adds to the fields those that the value has in one form or another.
func (s *Shape) joinObjects(forms []*Shape) {
	if len(forms) == 0 {
		return
	}
	open := false
	own := s.Fields
	s.Fields = maps.Clone(own)
	for _, form := range forms {
		open = open || form.Open
		for name := range form.Fields {
			if _, certain := own[name]; !certain {
				s.Fields[name] = inForms(forms, name)
				s.Sure[name] = !slices.ContainsFunc(forms, func(f *Shape) bool { return !f.Sure[name] })
			}
		}
	}
	s.Open = s.Open && open
}

// inForms is the shape of a field in whichever form: known where every form that may have it says the same.
func inForms(forms []*Shape, name string) *Shape {
	var found *Shape
	for _, form := range forms {
		shape, declared := form.Fields[name]
		switch {
		case !declared && !form.Open:
		case !declared || shape == nil || found != nil && found != shape:
			return &Shape{Open: true}
		default:
			found = shape
		}
	}
	return found
}
