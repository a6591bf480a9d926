package spec

import (
	"encoding/json"
	"strconv"
)

// repairs are the repairs of one value. Only what cannot be meant otherwise is repaired: where one type alone is
// allowed, a text that is exactly a value of that type.
type repairs struct {
	done []string // JSON pointers
}

// value is the value repaired at every depth. An integer loses its point and exponent; that is no repair, as JSON
// Schema takes 1.0 for an integer.
func (r *repairs) value(o *outline, v any, pointer string) any {
	if text, ok := v.(string); ok {
		repaired, ok := readAs(o.types, text)
		if !ok {
			return v
		}
		r.done = append(r.done, pointer)
		v = repaired
	}
	switch inner := v.(type) {
	case json.Number:
		if o.types&typeNumber == typeInteger {
			if whole, ok := wholeNumber(inner); ok {
				return whole
			}
		}
	case map[string]any:
		for _, name := range sortedKeys(inner) {
			if known := o.field(name); known != nil {
				inner[name] = r.value(known, inner[name], pointer+"/"+pointerToken(name))
			}
		}
	case []any:
		for i := range inner {
			if item := o.item(i); item != nil {
				inner[i] = r.value(item, inner[i], pointer+"/"+strconv.Itoa(i))
			}
		}
	}
	return v
}

// field is the outline of a field of which one is certain; nil if there is none.
func (o *outline) field(name string) *outline {
	if f := o.find(name); f != nil {
		return f.outline
	}
	if others := o.undeclared(name); len(others) == 1 {
		return others[0]
	}
	return nil
}

// readAs reads a text as a value of the one type that is allowed.
func readAs(types typeSet, text string) (any, bool) {
	switch types.one() {
	case "boolean":
		return text == "true", text == "true" || text == "false"
	case "integer", "number":
		if !isJSONNumber(text) || numberFault(text) != "" {
			return nil, false
		}
		n := json.Number(text)
		return n, typeOf(n)&types != 0
	case "array", "object":
		v, _, err := decodeInput(text)
		return v, err == nil && typeOf(v)&types != 0
	}
	return nil, false
}
