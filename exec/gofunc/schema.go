package gofunc

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/toolspec/toolspec/spec"
)

func inputSchema[In any]() (*spec.Schema, error) {
	s, err := jsonschema.For[In](nil)
	if err != nil {
		return nil, fmt.Errorf("no schema for the function's input: %w", err)
	}
	if s.Type != "object" {
		var in In
		return nil, fmt.Errorf("the function takes %T; want a struct or a map with string keys", in)
	}
	listsOnly(s)
	return compile(s)
}

func outputSchema[Out any]() (*spec.Schema, error) {
	s, err := jsonschema.For[Out](nil)
	if err != nil || s.Type != "object" {
		return nil, nil // it is said of the input alone: an output without a schema is still an output
	}
	return compile(s)
}

func compile(s *jsonschema.Schema) (*spec.Schema, error) {
	doc, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return spec.SchemaFromJSON(doc)
}

// listsOnly takes back that a list may be null, which is said of every Go slice: a model need not know of nil, and
// where one type is allowed an input can be repaired.
func listsOnly(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if slices.Equal(s.Types, []string{"null", "array"}) {
		s.Type, s.Types = "array", nil
	}
	for _, p := range s.Properties {
		listsOnly(p)
	}
	listsOnly(s.Items)
	listsOnly(s.AdditionalProperties)
}
