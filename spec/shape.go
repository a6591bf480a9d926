package spec

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
	top := *shapeWith(root, map[*outline]*Shape{})
	top.Types = []string{"object"}
	top.Open = top.Open && !closed
	return &top
}

func shapeWith(o *outline, shapes map[*outline]*Shape) *Shape {
	if o == nil {
		return nil
	}
	if known := shapes[o]; known != nil {
		return known
	}
	s := &Shape{Fields: map[string]*Shape{}, Sure: map[string]bool{}, Open: !o.closed, Listed: o.listed}
	shapes[o] = s
	if o.types != typeAny {
		s.Types = o.types.names()
	}
	for _, f := range o.fields {
		s.Fields[f.name] = shapeWith(f.outline, shapes)
		if f.required || f.gives {
			s.Sure[f.name] = true
		}
	}
	if len(o.prefix) == 0 {
		s.Items = shapeWith(o.items, shapes)
	}
	return s
}
