package spec

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// What an ordinary schema is taken for without its meta-schema, the meta-schema takes too: in each ordinary keyword
// every kind of value.
func TestOrdinarySchemasFitTheirMetaSchema(t *testing.T) {
	values := []string{
		`null`, `true`, `false`, `-1`, `0`, `-0`, `0.0`, `0e5`, `1`, `1.0`, `1.5`, `1e-3`, `-0.5`, `""`, `"string"`, `"wrong"`, `"("`, `"a+"`,
		`[]`, `["string"]`, `["string","string"]`, `["a","a"]`, `["null","integer"]`, `[1]`, `[1,1]`, `[true]`, `[{}]`, `[{},{}]`, `[null]`,
		`{}`, `{"type":"string"}`, `{"type":"wrong"}`, `{"a":true}`, `{"a":{}}`, `{"a":1}`, `{"a":{"type":["string","string"]}}`, `{"(":{}}`,
	}
	ordinary := 0
	for keyword := range ordinaryKeywords {
		for _, value := range values {
			if checkOrdinary(t, fmt.Sprintf(`{"type":"object","properties":{"a":{%q:%s}}}`, keyword, value)) {
				ordinary++
			}
		}
	}
	if ordinary < 150 {
		t.Errorf("only %d schemas were taken for ordinary", ordinary)
	}
}

// checkOrdinary tells whether a schema is right and ordinary; it fails if the meta-schema does not have it.
func checkOrdinary(t *testing.T, doc string) bool {
	t.Helper()
	root, ds := ReadDocument("schema.json", []byte(doc))
	if ds.HasErrors() {
		t.Fatalf("%s: %v", doc, ds)
	}
	c := &schemaCompiler{assumed: draft2020, assertFormats: true}
	if schema, _ := c.compile(root); schema == nil || c.library.Draft.String() != "Draft0" {
		return false
	}
	full := jsonschema.NewCompiler()
	full.AssertFormat = true
	if err := full.AddResource(schemaAddress, bytes.NewReader(c.root.JSON())); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	if _, err := full.Compile(schemaAddress); err != nil {
		t.Errorf("%s is wrong by the meta-schema of 2020-12: %v", doc, err)
	}
	return true
}

// The schemas of the world are ordinary for the most part, and right.
func TestMostSchemasAreOrdinary(t *testing.T) {
	ordinary, all := 0, 0
	for _, tool := range corpus(t) {
		all++
		if checkOrdinary(t, string(tool.Parameters)) {
			ordinary++
		}
	}
	t.Logf("%d of %d", ordinary, all)
	if ordinary < all/2 {
		t.Errorf("only %d of %d schemas are ordinary", ordinary, all)
	}
}
