package spec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

func ExampleCompileSchema() {
	section, _ := spec.ReadDocument("city.yaml", []byte("properties: {city: {type: string}, days: {type: integer, default: 3}}\nrequired: [city]"))
	schema, _ := spec.CompileSchema(section)

	accepted, _ := schema.Accept(json.RawMessage(`{"city": "Oslo"}`))
	fmt.Println(accepted.Args)

	_, err := schema.Accept(json.RawMessage(`{"days": 1.5}`))
	fmt.Println(err)
	// Output:
	// map[city:Oslo days:3]
	// Field `city` is missing: a string
	// Field `days`: must be an integer, was 1.5
}

// The schema reaches the world as it was written: filled in are the root's type and properties alone.
func TestSchemaJSON(t *testing.T) {
	for _, test := range []struct{ yaml, want string }{
		{`{}`, `{"type":"object","properties":{}}`},
		{`json: {}`, `{"type":"object","properties":{}}`},
		{`json: {type: object}`, `{"type":"object","properties":{}}`},
		{"json:\n  type: object\n  properties:\n", `{"type":"object","properties":{}}`},
		{"properties: {b: {}, a: {type: string}}\nrequired: [a]", `{"type":"object","properties":{"b":{},"a":{"type":"string"}},"required":["a"]}`},
		{`properties: {n: {default: 9007199254740993, minimum: 1.50}, zip: {type: string, default: 02142, examples: [007, ~]}}`,
			`{"type":"object","properties":{"n":{"default":9007199254740993,"minimum":1.50},"zip":{"type":"string","default":"02142","examples":["007",null]}}}`},
		{`properties: {s: {enum: [NO, off, y, 2022-11-28]}, on: {type: [string, 'null'], enum: [on, 1, null]}}`,
			`{"type":"object","properties":{"s":{"enum":["NO","off","y","2022-11-28"]},"on":{"type":["string","null"],"enum":["on","1",null]}}}`},
		{`properties: {n: {type: integer, default: '5'}, u: {type: [string, integer], default: 05}}`,
			`{"type":"object","properties":{"n":{"type":"integer","default":"5"},"u":{"type":["string","integer"],"default":5}}}`},
		{`{x-mine: 1, properties: {u: {type: string, format: uri, x: [1, {a: no}]}}, additionalProperties: false}`,
			`{"type":"object","x-mine":1,"properties":{"u":{"type":"string","format":"uri","x":[1,{"a":"no"}]}},"additionalProperties":false}`},
	} {
		if got := string(mustCompile(t, test.yaml).JSON()); got != test.want {
			t.Errorf("%s: want\n%s\nhave\n%s", test.yaml, test.want, got)
		}
	}
	if got := string(spec.NoParameters().JSON()); got != `{"type":"object","properties":{}}` {
		t.Errorf("no parameters: have %s", got)
	}
}

func TestDrafts(t *testing.T) {
	for _, draft := range []string{"draft-04", "draft-06", "draft-07", "draft/2019-09", "draft/2020-12"} {
		for _, form := range []string{"http://json-schema.org/%s/schema", "https://json-schema.org/%s/schema#"} {
			schema := mustCompile(t, fmt.Sprintf("{$schema: '"+form+"', properties: {a: {type: integer}}}", draft))
			if _, err := schema.Accept([]byte(`{"a":"x"}`)); err == nil {
				t.Errorf(form+": want a text refused", draft)
			}
		}
	}
}

func TestSchemaFromJSON(t *testing.T) {
	_, err := spec.SchemaFromJSON([]byte(`{"type":"object","properties":{"a":{"type":"strin"}}}`))
	var ds spec.Diagnostics
	if !errors.As(err, &ds) || len(ds) != 1 || ds[0].Pos.Column != 44 {
		t.Errorf("want one diagnostic with its place, have %v", err)
	}
	for _, doc := range []string{``, `{`, `true`, `[]`, `{"type":"array"}`, `{"type":["object","null"]}`} {
		if schema, err := spec.SchemaFromJSON([]byte(doc)); err == nil || schema != nil {
			t.Errorf("%s: want an error, have %v", doc, schema)
		}
	}
}

func TestValidate(t *testing.T) {
	schema := mustCompile(t, `
properties: {n: {type: integer, default: 4, multipleOf: 2}, day: {type: string, format: date}}
required: [n]`)
	for _, fine := range []any{
		map[string]any{"n": 2}, map[string]any{"n": int64(4), "other": []any{nil, true}}, map[string]any{"n": 2.0}, map[string]any{"n": json.Number("4.0")},
	} {
		if err := schema.Validate(fine); err != nil {
			t.Errorf("%v: %v", fine, err)
		}
	}
	for _, wrong := range []any{
		map[string]any{}, nil, "text", map[string]any{"n": 3}, map[string]any{"n": "2"}, map[string]any{"n": 2, "day": "today"},
		map[string]any{"n": json.Number("1e10000000")}, map[string]any{"n": json.Number("x")}, map[string]any{"n": json.Number("2 ")},
		map[string]any{"n": math.NaN()}, map[string]any{"n": math.Inf(1)}, map[string]any{"n": struct{}{}}, map[string]any{"n": []int{1}},
	} {
		var refused *spec.Error
		if err := schema.Validate(wrong); !errors.As(err, &refused) || refused.Code != spec.CodeInvalidInput {
			t.Errorf("%v: want invalid_input, have %v", wrong, err)
		}
	}
}

func TestShape(t *testing.T) {
	shape := mustCompile(t, `
required: [city, where]
properties:
  city: {type: string}
  days: {type: integer, default: 3}
  unit: {enum: [c, f]}
  either: {anyOf: [{type: string}, {type: 'null'}]}
  label: {type: [integer, string]}
  list: {type: array, items: {type: number}}
  where: {allOf: [{$ref: '#/$defs/place'}], required: [zone]}
  tree: {$ref: '#/$defs/tree'}
  pair: {type: array, prefixItems: [{}]}
  strict: {type: object, additionalProperties: false}
$defs:
  place: {type: object, properties: {zone: {const: eu}, at: {}}}
  tree: {type: object, properties: {next: {$ref: '#/$defs/tree'}}}
`).Shape()
	if shape.Open || !shape.Sure["city"] || !shape.Sure["days"] || shape.Sure["unit"] || !reflect.DeepEqual(shape.Types, []string{"object"}) {
		t.Errorf("root: have %+v", shape)
	}
	types := map[string]string{"city": "string", "days": "integer", "unit": "string", "either": "string null", "label": "string integer", "list": "array", "where": "object", "tree": "object"}
	for name, want := range types {
		if got := strings.Join(shape.Fields[name].Types, " "); got != want {
			t.Errorf("%s: want %s, have %s", name, want, got)
		}
	}
	where := shape.Fields["where"]
	if !shape.Fields["unit"].Listed || !where.Open || !where.Sure["zone"] || where.Sure["at"] || !where.Fields["zone"].Listed {
		t.Errorf("where: have %+v", where)
	}
	if got := shape.Fields["list"].Items.Types; !slices.Equal(got, []string{"number"}) {
		t.Errorf("items: have %v", got)
	}
	next := shape.Fields["tree"].Fields["next"]
	if next.Fields["next"] != next {
		t.Error("want a recursive shape to lead back to itself")
	}
	if shape.Fields["pair"].Items != nil || shape.Fields["strict"].Open {
		t.Error("want a tuple's items unknown, and a closed object closed")
	}
	if open := mustCompile(t, `oneOf: [{required: [a]}]`).Shape(); !open.Open {
		t.Error("want a root with oneOf open")
	}
}
