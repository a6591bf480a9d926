package spec

import "github.com/santhosh-tekuri/jsonschema/v5"

// ordinaryKeywords are those of which the reader of schemas refuses all that the meta-schema of 2020-12 refuses.
var ordinaryKeywords = map[string]bool{
	"type": true, "enum": true, "default": true, "title": true, "description": true, "examples": true, "format": true, "$comment": true,
	"properties": true, "required": true, "additionalProperties": true, "patternProperties": true, "minProperties": true, "maxProperties": true,
	"items": true, "minItems": true, "maxItems": true, "uniqueItems": true, "pattern": true, "minLength": true, "maxLength": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"allOf": true, "anyOf": true, "oneOf": true, "not": true, "deprecated": true, "readOnly": true, "writeOnly": true,
}

// ordinary is the draft that the library is to compile a schema by. That a schema fits its meta-schema costs more to find
// than all else about it; where we know that it does, the library is given a draft that has none, in which these
// keywords mean the same.
func (c *schemaCompiler) ordinary(declared *jsonschema.Draft) *jsonschema.Draft {
	if c.draft != draft2020 {
		return declared
	}
	for _, p := range c.parts {
		for _, f := range p.at.Fields() {
			if !ordinaryKeywords[f.Key.Value] {
				return declared
			}
		}
	}
	return &jsonschema.Draft{}
}
