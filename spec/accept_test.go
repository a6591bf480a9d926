package spec

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// mustCompile compiles a schema written in YAML.
func mustCompile(t testing.TB, yaml string) *Schema {
	t.Helper()
	s, ds := compileYAML(t, yaml)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return s
}

func compileYAML(t testing.TB, yaml string) (*Schema, Diagnostics) {
	t.Helper()
	root, ds := ReadDocument("t.yaml", []byte(yaml))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return CompileSchema(root)
}

func TestAccept(t *testing.T) {
	const rows = `
type: object
required: [city]
properties:
  city: {type: string, description: 'Name of the city, such as Oslo'}
  days: {type: integer, minimum: 1, maximum: 16, default: 3}
  exact: {type: boolean, default: false}
  ratio: {type: number, default: 0.0}
  tags: {type: array, items: {type: string}, default: []}
  label: {type: [integer, string]}
`
	const nested = `
properties:
  page:
    type: object
    default: {size: 100}
    properties:
      size: {type: integer, default: 20}
      sort: {type: string, default: name}
  limit: {$ref: '#/$defs/limit'}
  where: {allOf: [{$ref: '#/$defs/place'}]}
  list: {type: array, items: {type: object, required: [id], properties: {id: {type: integer}, n: {default: 1}}}}
  hold: {type: object, required: [must], properties: {must: {type: string}, may: {default: x}}}
  tree: {$ref: '#/$defs/tree'}
$defs:
  limit: {type: integer, default: 25, maximum: 100}
  place: {type: object, properties: {zone: {type: string, default: eu}}}
  tree: {type: object, properties: {leaf: {default: true}, next: {$ref: '#/$defs/tree'}}}
`
	const plainRest = `"days":3,"exact":false,"ratio":0.0,"tags":[]`
	tests := []struct {
		name, schema, input, want, fault string
		repaired                         []string
	}{
		{name: "zeros are defaults", schema: rows, input: `{"city":"Oslo"}`, want: `{"city":"Oslo",` + plainRest + `}`},
		{name: "repair", schema: rows, input: `{"city":"Oslo","days":"5","exact":"true","tags":"[\"a\"]","label":"42"}`,
			want: `{"city":"Oslo","days":5,"exact":true,"ratio":0.0,"tags":["a"],"label":"42"}`, repaired: []string{"/days", "/exact", "/tags"}},
		{name: "integers", schema: rows, input: `{"city":"Oslo","days":1e1,"label":7.0}`, want: `{"city":"Oslo","days":10,"label":7,"exact":false,"ratio":0.0,"tags":[]}`},
		{name: "everything wrong", schema: rows, input: `{"ctiy":"Oslo","days":40,"exact":"yes","ratio":null,"tags":[1]}`, fault: "" +
			"Field `city` is missing: Name of the city, such as Oslo\n" +
			"Field `ctiy` is not known; did you mean `city`?; accepted: `city`, `days`, `exact`, `ratio`, `tags`, `label`\n" +
			"Field `days`: must be at most 16, was 40\n" +
			"Field `exact`: must be true or false, was \"yes\"\n" +
			"Field `ratio`: must be a number, was null\n" +
			"Field `tags[0]`: must be a string, was 1"},
		{name: "no repair", schema: rows, input: `{"city":5,"days":"3.5","exact":1}`, fault: "" +
			"Field `city`: must be a string, was 5\n" +
			"Field `days`: must be an integer, was \"3.5\"\n" +
			"Field `exact`: must be true or false, was 1"},
		{name: "nested defaults", schema: nested, input: `{"list":[{"id":"1"}]}`, repaired: []string{"/list/0/id"},
			want: `{"page":{"size":100,"sort":"name"},"limit":25,"where":{"zone":"eu"},"list":[{"id":1,"n":1}],"tree":{"leaf":true}}`},
		{name: "gaps", schema: nested, input: `{"page":{},"where":{},"hold":{"must":"y"},"tree":{"next":{}}}`,
			want: `{"page":{"size":20,"sort":"name"},"limit":25,"where":{"zone":"eu"},"hold":{"must":"y","may":"x"},"tree":{"leaf":true,"next":{"leaf":true}}}`},
		{name: "null is not absence", schema: nested, input: `{"limit":null}`, fault: "Field `limit`: must be an integer, was null"},
		{name: "nothing", schema: nested, input: ``, want: `{"page":{"size":100,"sort":"name"},"limit":25,"where":{"zone":"eu"},"tree":{"leaf":true}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkAccept(t, mustCompile(t, test.schema), test.input, test.want, test.fault, test.repaired)
		})
	}
}

func checkAccept(t *testing.T, s *Schema, input, want, fault string, repaired []string) {
	t.Helper()
	got, err := s.Accept(json.RawMessage(input))
	if fault != "" {
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeInvalidInput {
			t.Fatalf("want invalid_input, have %v, %v", got, err)
		}
		if strings.TrimSpace(fault) != e.Message {
			t.Errorf("want\n%s\nhave\n%s", fault, e.Message)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(decoded(t, []byte(want)), any(got.Args)) {
		t.Errorf("want %s\nhave %v", want, got.Args)
	}
	if !reflect.DeepEqual(got.Repaired, repaired) {
		t.Errorf("want %v repaired, have %v", repaired, got.Repaired)
	}
}
