package export_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

var suiteDrafts = map[string]string{
	"draft4": "http://json-schema.org/draft-04/schema#", "draft6": "http://json-schema.org/draft-06/schema#", "draft7": "http://json-schema.org/draft-07/schema#",
	"draft2019-09": "https://json-schema.org/draft/2019-09/schema", "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}

// suiteCase is a schema of the JSON Schema Test Suite as that of a tool's input, with inputs that it takes.
type suiteCase struct {
	name string
	spec *spec.Spec
	fits []any
}

// suite are the groups of the suite that make a tool: as they stand, and as the schema of one field.
func suite(t *testing.T) (cases []suiteCase) {
	t.Helper()
	dir := "../../../shared/data/json-schema-test-suite/tests"
	if _, err := os.Stat(dir); os.IsNotExist(err) && os.Getenv("CI") == "" {
		t.Skip("*** NOT TESTED: the JSON Schema Test Suite is not beside this checkout (../shared/data)")
	}
	for draft, url := range suiteDrafts {
		files, err := filepath.Glob(filepath.Join(dir, draft, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no tests of %s: %v", draft, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var groups []struct {
				Description string
				Schema      json.RawMessage
				Tests       []struct {
					Data  json.RawMessage
					Valid bool
				}
			}
			if err := json.Unmarshal(text, &groups); err != nil {
				t.Fatal(err)
			}
			for _, g := range groups {
				name := draft + "/" + strings.TrimSuffix(filepath.Base(file), ".json") + ": " + g.Description
				alone := suiteCase{name: name, spec: suiteSpec(string(g.Schema), url)}
				field := suiteCase{name: name + ", in a field", spec: suiteSpec(inField(string(g.Schema)), url)}
				for _, test := range g.Tests {
					if v := decoded(t, test.Data); test.Valid {
						if _, isObject := v.(object); isObject {
							alone.fits = append(alone.fits, v)
						}
						field.fits = append(field.fits, object{"x": v})
					}
				}
				for _, c := range []suiteCase{alone, field} {
					if c.spec != nil {
						cases = append(cases, c)
					}
				}
			}
		}
	}
	return cases
}

// inField is a schema with one field of the given schema; empty where references could not follow.
func inField(schema string) string {
	for _, word := range []string{`"$id"`, `"id"`, `"$anchor"`, `"$dynamic`, `"$recursive`, `"$schema"`} {
		if strings.Contains(schema, word) {
			return ""
		}
	}
	schema = strings.ReplaceAll(strings.ReplaceAll(schema, `"#/`, `"#/properties/x/`), `"#"`, `"#/properties/x"`)
	return `{"type":"object","properties":{"x":` + schema + `}}`
}

// suiteSpec is a tool with the schema; nil if the schema is none of a tool's input.
func suiteSpec(schema, draft string) *spec.Spec {
	if rest, ok := strings.CutPrefix(strings.TrimSpace(schema), "{"); ok && !strings.Contains(schema, `"$schema"`) {
		comma := ","
		if strings.HasPrefix(strings.TrimSpace(rest), "}") {
			comma = ""
		}
		schema = `{"$schema":"` + draft + `"` + comma + rest
	}
	s, ds := spec.Parse("suite.json", []byte(`{"name":"t","description":"Is a test.","executor":{"expr":"1"},"inputSchema":`+schema+`}`))
	if ds.HasErrors() {
		return nil
	}
	return s
}

// TestSuite exports every schema of the suite: each document obeys its provider's rules, all that was lost is told, and no
// schema that holds all of JSON Schema refuses what the author's takes: a loss is to be told less, not to be refused more.
func TestSuite(t *testing.T) {
	cases := suite(t)
	asked := 0
	for _, c := range cases {
		for _, format := range export.Formats() {
			t.Run(format+" "+c.name, func(t *testing.T) { testExport(t, format, []*spec.Spec{c.spec}) })
		}
		for _, format := range []string{"bedrock", "anthropic", "openai"} {
			doc, losses, err := export.Convert(format, []*spec.Spec{c.spec})
			if err != nil {
				t.Fatal(err)
			}
			schema := schemaIn(format, toolsIn(t, format, doc)[0])
			if strings.Contains(string(lines(losses)), "declared for all forms") {
				continue // what one form alone says of a field is said of it always
			}
			takes := compiled(t, schema)
			for _, v := range c.fits {
				if asked++; c.spec.Input.Validate(v) != nil {
					continue // the root of a tool's input is an object, wherever a reference leads to it
				}
				if err := takes.Validate(v); err != nil {
					t.Errorf("%s, %s: refuses %v: %v\n%s\n%s", format, c.name, v, err, c.spec.Input.JSON(), lines(losses))
				}
			}
		}
	}
	t.Logf("%d schemas, %d inputs", len(cases), asked)
	if len(cases) < 1000 || asked < 3000 {
		t.Errorf("only %d schemas and %d inputs", len(cases), asked)
	}
}

func compiled(t *testing.T, schema object) *jsonschema.Schema {
	t.Helper()
	doc, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource("test:schema", strings.NewReader(string(doc))); err != nil {
		t.Fatal(err)
	}
	takes, err := c.Compile("test:schema")
	if err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	return takes
}
