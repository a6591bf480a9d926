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

// fill puts defaults where values are absent, at every depth, and gives the value back. A null is not absent.
func (o *outline) fill(v any) any {
	if !o.fills {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		for _, f := range o.fields {
			if inner, given := v[f.name]; given {
				f.fill(inner)
			} else if f.gives {
				v[f.name] = copyOf(f.given)
			}
		}
		if o.rest == nil && o.patterns == nil {
			break
		}
		for name, inner := range v {
			for _, other := range o.undeclared(name) {
				other.fill(inner)
			}
		}
	case []any:
		for i, inner := range v {
			if item := o.item(i); item != nil {
				item.fill(inner)
			}
		}
	}
	return v
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
