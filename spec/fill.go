package spec

// undeclared are the outlines of a field that is not declared.
func (o *outline) undeclared(name string) []*outline {
	if o.rest == nil && len(o.patterns) == 0 {
		return nil
	}
	if o.find(name) != nil {
		return nil
	}
	var found []*outline
	for _, p := range o.patterns {
		if p.pattern.MatchString(name) {
			found = append(found, p.outline)
		}
	}
	if found == nil && o.rest != nil {
		found = append(found, o.rest)
	}
	return found
}

// item is the outline of the array's item at an index; nil if nothing is said of it.
func (o *outline) item(i int) *outline {
	if i < len(o.prefix) {
		return o.prefix[i]
	}
	return o.items
}

// filling fills defaults. What they make is counted: a list of empty objects is a short text, and each may ask for much.
type filling struct {
	room int // how many values may still be made; negative when there was not enough
}

// maxFilled is how many values the defaults of one input may make.
const maxFilled = 200_000

// fill puts defaults where values are absent, at every depth. A null is not absent.
func (f *filling) fill(o *outline, v any) {
	if !o.fills || f.room < 0 {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		f.fillFields(o, v)
	case []any:
		for i, inner := range v {
			if item := o.item(i); item != nil {
				f.fill(item, inner)
			}
		}
	}
}

func (f *filling) fillFields(o *outline, v map[string]any) {
	for _, field := range o.fields {
		if inner, given := v[field.name]; given {
			f.fill(field.outline, inner)
		} else if field.gives {
			if f.room -= field.size; f.room < 0 {
				return
			}
			v[field.name] = copyOf(field.given)
		}
	}
	if o.rest == nil && o.patterns == nil {
		return
	}
	for name, inner := range v {
		for _, other := range o.undeclared(name) {
			f.fill(other, inner)
		}
	}
}

// sizeOf counts the values in a value, itself among them.
func sizeOf(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			n += sizeOf(inner)
		}
	case []any:
		for _, inner := range v {
			n += sizeOf(inner)
		}
	}
	return n
}

func copyOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, inner := range v {
			m[k] = copyOf(inner)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, inner := range v {
			list[i] = copyOf(inner)
		}
		return list
	}
	return v
}
