package spec

import (
	"encoding/json"
	"slices"
	"strconv"
)

// sureFit tells of usual values of usual schemas that they fit. The library, which makes objects for every keyword that it looks at, is
// then not asked; it decides all else, and says what is wrong. nil never tells.
type sureFit struct {
	types       typeSet
	texts       []string // enum
	least, most *int64   // of a number
	required    []string
	fields      map[string]*sureFit
	closed      bool // an object has no other fields
	items       *sureFit
	anyItem     bool
}

// sureFitOf reads a schema; nil if it says anything beyond this.
func sureFitOf(schema Section) *sureFit {
	if schema.Form() != FormMap {
		return nil
	}
	s := &sureFit{types: typeAny, anyItem: true}
	for _, f := range schema.Fields() {
		if !s.read(f.Key.Value, f.Value) {
			return nil
		}
	}
	return s
}

// read takes up a keyword; false if what it says is more than is known here.
func (s *sureFit) read(keyword string, value Section) (known bool) {
	switch keyword {
	case "title", "description", "default", "examples", "$comment":
		return true
	case "type":
		s.types, known = typesByName[value.n.text]
		return known && value.Form() == FormText
	case "enum":
		s.texts, known = textsOf(value)
	case "required":
		s.required, known = textsOf(value)
	case "minimum":
		s.least, known = integerOf(value)
	case "maximum":
		s.most, known = integerOf(value)
	case "additionalProperties":
		known = value.Form() == FormBool
		s.closed = known && value.Value() == false
	case "items":
		s.items, s.anyItem = sureFitOf(value), false
		return s.items != nil
	case "properties":
		known = value.Form() == FormMap
		s.fields = make(map[string]*sureFit, len(value.Fields()))
		for _, f := range value.Fields() {
			s.fields[f.Key.Value] = sureFitOf(f.Value)
		}
	}
	return known
}

func textsOf(list Section) (texts []string, ok bool) {
	for _, item := range list.Items() {
		if item.Form() != FormText {
			return nil, false
		}
		texts = append(texts, item.n.text)
	}
	return texts, list.Form() == FormList
}

func integerOf(number Section) (*int64, bool) {
	if number.Form() != FormNumber {
		return nil, false
	}
	n, err := strconv.ParseInt(number.n.text, 10, 64)
	return &n, err == nil
}

// fits tells whether the value surely fits.
func (s *sureFit) fits(v any) bool {
	if s == nil {
		return false
	}
	if text, ok := v.(string); s.texts != nil {
		return ok && s.types&typeString != 0 && slices.Contains(s.texts, text)
	}
	switch v := v.(type) {
	case nil:
		return s.types&typeNull != 0
	case bool:
		return s.types&typeBoolean != 0
	case string:
		return s.types&typeString != 0
	case json.Number:
		return s.fitsNumber(v)
	case []any:
		return s.types&typeArray != 0 && (s.anyItem || !slices.ContainsFunc(v, func(item any) bool { return !s.items.fits(item) }))
	case map[string]any:
		return s.types&typeObject != 0 && s.fitsObject(v)
	}
	return false
}

// fitsNumber knows integers without point and exponent.
func (s *sureFit) fitsNumber(v json.Number) bool {
	n, err := strconv.ParseInt(string(v), 10, 64)
	return err == nil && s.types&typeInteger != 0 && (s.least == nil || n >= *s.least) && (s.most == nil || n <= *s.most)
}

func (s *sureFit) fitsObject(v map[string]any) bool {
	for _, name := range s.required {
		if _, ok := v[name]; !ok {
			return false
		}
	}
	for name, value := range v {
		field, declared := s.fields[name]
		if declared && !field.fits(value) || !declared && s.closed {
			return false
		}
	}
	return true
}
