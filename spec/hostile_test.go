package spec_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// many is n texts from a format with one %d, joined by commas.
func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestHostileSchemas reads files, each below every other limit, whose schemas cost careless readers minutes.
func TestHostileSchemas(t *testing.T) {
	for _, c := range []struct{ name, schema, want string }{
		{"a default that every schema of allOf looks through", `properties: {a: {type: array, allOf: [` + many(1000, "{contains: {const: -%d}}") + `], default: [` + many(9000, "%d") + `]}}`,
			"f.yaml:3:45: inputSchema.properties.a: the defaults of this schema are too large for it"},
		{"a default whose items are held against a long list", `properties: {a: {type: array, items: {enum: [` + many(9000, "%d") + `]}, default: [` + many(9000, "%d") + `]}}`,
			"f.yaml:3:45: inputSchema.properties.a: the defaults of this schema are too large for it"},
		{"every field is the whole again", `properties: {` + many(600, "k%d: {$ref: '#'}") + `}`,
			"f.yaml:3:14: inputSchema: references and allOf lead to more than 20,000 values, or 100,000 fields"},
		{"patterns that are programs", `properties: {` + many(1500, "k%d: {type: string, pattern: '(a{1,30}){1,30}'}") + `}`,
			"f.yaml:3:"},
	} {
		src := "name: x\ndescription: d\ninputSchema: {type: object, " + c.schema + "}\nexecutor: {expr: '1'}\n"
		if _, ds := spec.Parse("f.yaml", []byte(src)); len(ds) == 0 {
			t.Errorf("%s: was taken", c.name)
		} else if !strings.HasPrefix(ds[0].Error(), c.want) {
			t.Errorf("%s: have %.200q, want %q", c.name, ds[0].Error(), c.want)
		}
	}
}

// TestManyDirectives reads as many lines of %YAML as a file holds, each of which once cost a copy of the file.
func TestManyDirectives(t *testing.T) {
	if spent := testing.AllocsPerRun(1, func() {
		_, ds := spec.Parse("f.yaml", []byte(strings.Repeat("%YAML 1.2\n", 20_000)))
		wantFirst(t, "directives", ds, "f.yaml:1:1: the file is empty but for comments")
	}); spent > 100_000 {
		t.Errorf("%.0f allocations", spent)
	}
}

// TestManyFailures accepts inputs in which very much is wrong: each failure is named once, in a time that grows with them alone.
func TestManyFailures(t *testing.T) {
	s, err := spec.SchemaFromJSON(json.RawMessage(`{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	const n = 20_000
	_, err = s.Accept(json.RawMessage(`{"a": [` + strings.Repeat("{},", n-1) + `{}]}`))
	if lines := strings.Count(err.Error(), "\n") + 1; lines != n {
		t.Errorf("%d lines, want %d", lines, n)
	}
}

// TestTooManyFailures names as many as can be of use, and says that there are more.
func TestTooManyFailures(t *testing.T) {
	s, err := spec.SchemaFromJSON(json.RawMessage(`{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Accept(json.RawMessage(`{"a": [` + strings.Repeat("1,", 400_000) + `1]}`))
	first, rest, _ := strings.Cut(err.Error(), "\n")
	if lines := strings.Count(rest, "\n") + 1; lines != 25_000 || first != "The input is wrong in more places than the first 25,000, which are named here" {
		t.Errorf("%d lines below %.200s", lines, first)
	}
}

// TestTheLargestInputs are refused early where even a few schemas would look at them for seconds.
func TestTheLargestInputs(t *testing.T) {
	list := json.RawMessage(`{"a": [` + strings.Repeat("1,", 500_000) + `1]}`)
	for items, want := range map[string]string{
		`{"type": "integer"}`: "",
		`{"anyOf": [{"type": "string"}, {"type": "integer"}]}`:                                      "",
		`{"anyOf": [` + many(29, `{"type": "string", "maxLength": %d}`) + `, {"type": "integer"}]}`: "too large or nested too deep for its schema",
	} {
		s, err := spec.SchemaFromJSON(json.RawMessage(`{"type": "object", "properties": {"a": {"type": "array", "items": ` + items + `}}}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Accept(list)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: have %.100v, want %q", items, err, want)
		}
	}
}

// TestTooManySteps refuses to hold a long list against very many schemas, and takes it where they are few.
func TestTooManySteps(t *testing.T) {
	list := json.RawMessage(`{"a": [` + many(20_000, "%d") + `]}`)
	for _, c := range []struct{ schemas, want string }{
		{many(1, `{"minimum": -%d}`), ""},
		{many(31, `{"minimum": -%d}`), ""},
		{many(300, `{"minimum": -%d}`), "too large or nested too deep for its schema"},
	} {
		s, err := spec.SchemaFromJSON(json.RawMessage(`{"type": "object", "properties": {"a": {"type": "array", "items": {"allOf": [` + c.schemas + `]}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Accept(list)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: have %.100v, want %q", c.schemas, err, c.want)
		}
	}
}
