package export_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

func withInput(t testing.TB, schema string) *spec.Spec {
	t.Helper()
	return parsed(t, "tool.json", `{"name":"t","description":"Is a test.","executor":{"expr":"1"},"inputSchema":`+schema+`}`)
}

// deep is a schema of objects in objects.
func deep(levels int) string {
	if levels == 0 {
		return `{"type":"string"}`
	}
	return `{"type":"object","properties":{"in":` + deep(levels-1) + `}}`
}

// twice is a schema that refers to the next twice, again and again: written out it would fill the world.
func twice(levels int) string {
	defs := map[string]any{fmt.Sprint(levels): map[string]string{"type": "string"}}
	for i := range levels {
		next := map[string]string{"$ref": fmt.Sprintf("#/$defs/%d", i+1)}
		defs[fmt.Sprint(i)] = map[string]any{"type": "object", "properties": map[string]any{"a": next, "b": next}}
	}
	doc, _ := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{"x": map[string]string{"$ref": "#/$defs/0"}}, "$defs": defs})
	return string(doc)
}

func values(n, length int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("%0*d", length, i))
	}
	doc, _ := json.Marshal(list)
	return string(doc)
}

// TestLimits: what is too deep, too many or too long for a provider is cut to what it takes, and told.
func TestLimits(t *testing.T) {
	for name, schema := range map[string]string{
		"deep":           deep(25),
		"twice":          twice(40),
		"many values":    `{"type":"object","properties":{"a":{"enum":` + values(900, 4) + `},"b":{"enum":` + values(200, 4) + `}}}`,
		"long values":    `{"type":"object","properties":{"a":{"type":"string","enum":` + values(251, 100) + `}}}`,
		"lists in lists": `{"type":"object","properties":{"a":` + strings.Repeat(`{"type":"array","items":`, 20) + `{}` + strings.Repeat(`}`, 20) + `}}`,
		"both forms":     `{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"integer"}],"anyOf":[{"minimum":1},{"minLength":1}]}}}`,
		"all at once":    `{"type":"object","properties":{"a":{"allOf":[{"type":["string","integer"]},{"type":["integer","null"]},{"minimum":1},{"minimum":2}]}}}`,
		"forms of forms": `{"type":"object","properties":{"a":{"anyOf":[{"anyOf":[{"type":"string"},{"type":"null"}]},{"type":"array"}],"title":"A","default":"x"}}}`,
		"no forms":       `{"type":"object","properties":{"a":{"anyOf":[false,{"type":"string"}]},"b":{"oneOf":[{"type":"null"},{"const":null}]}}}`,
		"nothing fits":   `{"type":"object","allOf":[{"required":["a"]},false]}`,
	} {
		s := withInput(t, schema)
		for _, format := range export.Formats() {
			t.Run(name+" "+format, func(t *testing.T) { testExport(t, format, []*spec.Spec{s}) })
		}
	}
}

func TestManyTools(t *testing.T) {
	var names []string
	for i := range 129 {
		names = append(names, fmt.Sprintf("tool_%d", i))
	}
	_, losses, err := export.Convert("openai", named(t, names...))
	if want := "OpenAI takes at most 128 tools in one request, here are 129"; err != nil || len(losses) != 1 || losses[0].Message != want {
		t.Errorf("want %s, have %v, %v", want, losses, err)
	}
}

// A schema that no file holds, such as one of a Go type, has the place of the tool's name.
func TestPlacesOfSchemasWithoutAFile(t *testing.T) {
	schema, err := spec.SchemaFromJSON([]byte(`{"type":"object","properties":{"a":{"type":"string","format":"uri"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	s := *parsed(t, "tool.yaml", "description: Is a test.\nname: t\nexecutor: {expr: '1'}\n")
	s.Input = schema
	losses := export.Losses("gemini", &s)
	if want := "tool.yaml:2:7: inputSchema.properties.a.format: told in the description: Gemini does not know it"; len(losses) != 1 || losses[0].Error() != want {
		t.Errorf("want %s, have %v", want, losses)
	}
}

// FuzzExport: whatever the schema, the exports of it obey their providers' rules, and tell what was lost.
func FuzzExport(f *testing.F) {
	for _, schema := range []string{deep(12), twice(3), `{"properties":{"a":{"oneOf":[true,{"$ref":"#"}],"prefixItems":[{}],"const":null}},"if":{},"then":false}`} {
		f.Add(schema)
	}
	for _, specs := range archives(f) {
		for _, s := range specs {
			if s.Input != nil {
				f.Add(string(s.Input.JSON()))
			}
		}
	}
	f.Fuzz(func(t *testing.T, schema string) {
		s, ds := spec.Parse("tool.json", []byte(`{"name":"t","description":"Is a test.","executor":{"expr":"1"},"inputSchema":`+schema+`}`))
		if ds.HasErrors() {
			return
		}
		for _, format := range export.Formats() {
			testExport(t, format, []*spec.Spec{s})
		}
	})
}
