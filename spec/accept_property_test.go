package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Every schema of the archives with every input of them all.
func TestAcceptProperties(t *testing.T) {
	paths, err := filepath.Glob("../testdata/inputs/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	var schemas []*Schema
	var inputs []string
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		schemas = append(schemas, compiled(t, string(archive.Files[0].Data)))
		inputs = append(inputs, slices.Collect(strings.Lines(string(archive.Files[1].Data)))...)
	}
	for _, schema := range schemas {
		for _, input := range inputs {
			checkAccepted(t, schema, []byte(input))
		}
	}
}

func compiled(t testing.TB, yaml string) *Schema {
	t.Helper()
	root, ds := ReadDocument("schema.yaml", []byte(yaml))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	schema, ds := CompileSchema(root)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return schema
}

// An error never hides another: two faults in one input are the faults of both.
func TestErrorsDoNotHideErrors(t *testing.T) {
	schema := compiled(t, `
required: [must]
properties:
  must: {type: string}
  text: {type: string, maxLength: 2}
  whole: {type: integer, minimum: 3}
  list: {type: array, items: {enum: [a, b]}, uniqueItems: true}
  box: {type: object, required: [in], properties: {in: {type: boolean}}, additionalProperties: false}
  ref: {$ref: '#/$defs/day'}
  all: {allOf: [{minimum: 5}, {multipleOf: 2}]}
  any: {anyOf: [{type: string}, {type: 'null'}]}
  one: {oneOf: [{multipleOf: 2}, {multipleOf: 3}]}
  cond: {if: {type: string}, then: {minLength: 3}}
$defs:
  day: {type: string, format: date}
`)
	faults := map[string]string{
		"must": `5`, "text": `"abc"`, "whole": `"x"`, "list": `["a","c","a"]`, "box": `{"on":1}`, "ref": `"x"`, "all": `3`,
		"any": `5`, "one": `6`, "cond": `"x"`, "unknown": `1`, "nuknown": `{}`,
	}
	alone := func(name string) []string {
		fields := map[string]string{"must": `"y"`}
		fields[name] = faults[name]
		return refusedLines(t, schema, fields)
	}
	for a := range faults {
		for b := range faults {
			fields := map[string]string{"must": `"y"`}
			fields[a], fields[b] = faults[a], faults[b]
			want := append(alone(a), alone(b)...)
			slices.Sort(want)
			if got := refusedLines(t, schema, fields); !slices.Equal(slices.Compact(want), got) {
				t.Errorf("%s and %s: want\n%s\nhave\n%s", a, b, strings.Join(want, "\n"), strings.Join(got, "\n"))
			}
		}
	}
}

// refusedLines are the lines of the refusal, sorted, without the list of what is accepted, which stands once.
func refusedLines(t *testing.T, schema *Schema, fields map[string]string) []string {
	t.Helper()
	var all []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		all = append(all, fmt.Sprintf("%q:%s", name, fields[name]))
	}
	input := "{" + strings.Join(all, ",") + "}"
	_, err := schema.Accept(json.RawMessage(input))
	var refused *Error
	if !errors.As(err, &refused) || refused.Code != CodeInvalidInput {
		t.Fatalf("%s: want invalid_input, have %v", input, err)
	}
	lines := strings.Split(refused.Message, "\n")
	for i, line := range lines {
		lines[i], _, _ = strings.Cut(line, " (accepted: ")
	}
	slices.Sort(lines)
	return lines
}

// Schemas that meet again below themselves are judged within bounds, or not at all.
func TestStepsAreBounded(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString("properties: {a: {$ref: '#/$defs/d0'}}\n$defs:\n")
	for i := range 60 {
		fmt.Fprintf(&doubling, "  d%d: {allOf: [{$ref: '#/$defs/d%d'}, {$ref: '#/$defs/d%d'}]}\n", i, i+1, i+1)
	}
	doubling.WriteString("  d60: {type: integer}\n")
	const meeting = `properties: {in: {anyOf: [{properties: {in: {$ref: '#/properties/in'}}}, {properties: {in: {$ref: '#/properties/in'}}}]}}`
	deep := func(n int) string { return strings.Repeat(`{"in":`, n) + "1" + strings.Repeat("}", n) }
	for _, test := range []struct {
		schema, input string
		fine          bool
	}{
		{doubling.String(), `{"a":1}`, false},
		{doubling.String(), `{}`, true},
		{meeting, deep(400), false},
		{meeting, deep(5), true},
		{`properties: {in: {properties: {in: {$ref: '#/properties/in'}}}}`, deep(400), true},
		{`{}`, strings.Repeat("[", 600), false},
	} {
		if _, err := compiled(t, test.schema).Accept([]byte(test.input)); (err == nil) != test.fine {
			t.Errorf("%.40s with %.40s: want fine %v, have %v", test.schema, test.input, test.fine, err)
		}
	}
	wide := "properties:\n"
	for i := range 1990 {
		wide += fmt.Sprintf("  a%d: {anyOf: [{}]}\n", i)
	}
	root, _ := ReadDocument("wide.yaml", []byte(wide))
	if _, ds := CompileSchema(root); !strings.Contains(ds.Error(), "at most 2,500 schemas") {
		t.Errorf("want too many schemas, have %v", ds)
	}
}
