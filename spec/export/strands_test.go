package export_test

import (
	"maps"
	"reflect"
	"testing"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

// normalised is what Strands' normalize_schema makes of a schema, but that no type is made up for what says by itself what it
// may be.
func normalised(schema object) object {
	out := maps.Clone(schema)
	for key, v := range map[string]any{"type": "object", "properties": object{}, "required": []any{}} {
		if _, given := out[key]; !given {
			out[key] = v
		}
	}
	properties := object{}
	for name, property := range out["properties"].(object) {
		properties[name] = normalisedProperty(name, property)
	}
	out["properties"] = properties
	return out
}

func normalisedProperty(name string, property any) object {
	described := "Property " + name
	p, ok := property.(object)
	if !ok {
		return object{"type": "string", "description": described}
	}
	if _, has := p["properties"]; has && p["type"] == "object" {
		return normalised(p)
	}
	p = maps.Clone(p)
	if p["$ref"] != nil {
		return p
	}
	own := false
	for _, keyword := range []string{"enum", "const", "anyOf", "oneOf", "allOf", "not", "if"} {
		_, has := p[keyword]
		own = own || has
	}
	if _, typed := p["type"]; !typed && !own {
		p["type"] = "string"
	}
	if _, has := p["description"]; !has {
		p["description"] = described
	}
	return p
}

// TestStrands holds every archive, and the corpus, against Strands' own normalisation, written down anew.
func TestStrands(t *testing.T) {
	for _, specs := range archives(t) {
		testStrands(t, specs)
	}
	t.Run("corpus", func(t *testing.T) { testStrands(t, corpus(t)) })
}

func testStrands(t *testing.T, specs []*spec.Spec) {
	doc, _, err := export.Convert("strands", specs)
	if err != nil {
		t.Fatal(err)
	}
	for i, tool := range toolsIn(t, "strands", doc) {
		in := object{"type": "object", "properties": object{}}
		if s := specs[i]; s.Input != nil {
			in = decoded(t, s.Input.JSON()).(object)
		}
		if want, have := normalised(in), schemaIn("strands", tool); !reflect.DeepEqual(want, have) {
			t.Errorf("%s\nwant %v\nhave %v", specs[i].Name, want, have)
		}
	}
}
