package spec

import (
	"encoding/json"
	"errors"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Schema is a JSON Schema of a tool file, compiled. It is safe for concurrent use.
type Schema struct {
	doc      json.RawMessage
	source   Section // as it is validated: what stands for text is text
	compiled *jsonschema.Schema
	sure     *sureFit // nil: the compiled one decides everything
	outline  *outline
	meter    *meter // nil where the library's work has a bound
	open     bool   // the root takes fields that it does not declare
	draft    draft
	targets  map[*node]Section // what each reference names
	shape    func() *Shape
}

// CompileSchema compiles the schema that a section holds, plain or wrapped as {json: …}. Its root describes an
// object. The schema is nil if there are errors.
func CompileSchema(s Section) (*Schema, Diagnostics) {
	root := unwrapSchema(s)
	ds := checkRoot(root)
	if ds.HasErrors() {
		return nil, ds
	}
	root.n = fillRoot(root.n)
	c := &schemaCompiler{assumed: draft2020, assertFormats: true}
	schema, ds := c.compile(root)
	if schema == nil {
		return nil, ds
	}
	schema.doc = schema.source.JSON()
	schema.open = openRoot(schema.source, c.draft)
	schema.sure = sureFitOf(schema.source)
	return schema, ds
}

// SchemaFromJSON compiles a schema that no file holds, such as one derived from Go types. Its error is a
// [Diagnostics] whose places are those of the JSON text.
func SchemaFromJSON(doc json.RawMessage) (*Schema, error) {
	s, ds := ReadDocument("schema.json", doc)
	if ds.HasErrors() {
		return nil, ds
	}
	schema, ds := CompileSchema(s)
	if err := ds.Err(); err != nil {
		return nil, err
	}
	return schema, nil
}

var (
	noParameters = sync.OnceValue(func() *Schema { return ownSchema(`{"type":"object","properties":{}}`) })
	anyInput     = sync.OnceValue(func() *Schema { return ownSchema(`{"type":"object","additionalProperties":true}`) })
)

// ownSchema compiles a schema of ours.
func ownSchema(doc string) *Schema {
	s, err := SchemaFromJSON(json.RawMessage(doc))
	if err != nil {
		panic("spec: a schema of our own does not compile: " + err.Error())
	}
	return s
}

// NoParameters is the schema of a tool without parameters.
func NoParameters() *Schema { return noParameters() }

// JSON is the schema as the author wrote it, key order and digits kept. Filled in are a missing type and missing
// properties of the root, and where the schema wants text, scalars are texts. Callers do not change it.
func (s *Schema) JSON() json.RawMessage { return s.doc }

// Section is the schema with its places: as JSON has it, in the file it stands in, or in the JSON text that it was made of.
func (s *Schema) Section() Section { return s.source }

// Target is the schema that a reference in this schema ($ref, or a $dynamicRef that can mean one only) names; absent if
// the section is none.
func (s *Schema) Target(ref Section) Section { return s.targets[ref.n] }

// Knows tells whether a keyword says something in the draft that the schema is of.
func (s *Schema) Knows(name string) bool {
	k, known := keywords[name]
	return known && k.knownTo(s.draft)
}

// Validate tells whether a JSON value (numbers as json.Number or Go's own) fits the schema: plain JSON Schema, without
// defaults, repair or a rule of ours for the root. Its error is an *Error of code invalid_input that names every
// failure.
func (s *Schema) Validate(v any) error {
	if fault := valueFault(v, 0); fault != "" {
		return NewError(CodeInvalidInput, "%s", fault)
	}
	failures, err := s.failures(v)
	if err != nil || len(failures) == 0 {
		return err
	}
	return refusal("The value", failures)
}

// failures are all the reasons why a value does not fit. The error tells of a schema that cannot be decided.
func (s *Schema) failures(v any) ([]failure, error) {
	if s.sure.fits(v) {
		return nil, nil
	}
	if s.meter.exceeded(v) {
		return nil, NewError(CodeInvalidInput, "the value is too large or nested too deep for its schema: it cannot be checked in time")
	}
	err := s.compiled.Validate(v)
	if err == nil {
		return nil, nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return nil, &Error{Code: CodeInternal, Message: "the tool's schema refers to itself without end for this input", Err: err}
	}
	return explain(s.source, v, invalid), nil
}
