package gofunc

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/toolspec/toolspec/spec"
)

func inputSchema[In any]() (*spec.Schema, error) {
	t := pointedAt(reflect.TypeFor[In]())
	s, err := schemaOf(t)
	if err != nil {
		return nil, fmt.Errorf("no schema for the function's input: %w", err)
	}
	if s.Type != "object" {
		return nil, fmt.Errorf("the function takes %v; want a struct or a map with string keys", t)
	}
	everywhere(s, neverNull)
	return compile(s)
}

// outputSchema is nil for what is not a struct, and for a struct of which no schema can be made: an output without a
// schema is still an output.
func outputSchema[Out any]() (*spec.Schema, error) {
	t := pointedAt(reflect.TypeFor[Out]())
	if t.Kind() != reflect.Struct {
		return nil, nil
	}
	s, err := schemaOf(t)
	if err != nil || s.Type != "object" {
		return nil, nil
	}
	everywhere(s, maybeNull)
	s.Type, s.Types = "object", nil // the root is no null
	return compile(s)
}

func pointedAt(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	return jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: ownForms(t)})
}

func compile(s *jsonschema.Schema) (*spec.Schema, error) {
	doc, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return spec.SchemaFromJSON(doc)
}

// neverNull takes back that a list may be null, which is said of every Go slice: a model need not know of nil, and
// where one type is allowed an input can be repaired.
func neverNull(s *jsonschema.Schema) {
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Type, s.Types = "array", nil
	}
}

// maybeNull says of maps and bytes what is said of slices: Go writes nil as null.
func maybeNull(s *jsonschema.Schema) {
	isMap := s.Type == "object" && s.Properties == nil && s.AdditionalProperties != nil
	if isMap || s.Type == "string" && s.ContentEncoding != "" {
		s.Type, s.Types = "", []string{"null", s.Type}
	}
}

// everywhere changes a schema and all within it.
func everywhere(s *jsonschema.Schema, change func(*jsonschema.Schema)) {
	if s == nil {
		return
	}
	change(s)
	for _, p := range s.Properties {
		everywhere(p, change)
	}
	everywhere(s.Items, change)
	everywhere(s.AdditionalProperties, change)
}
