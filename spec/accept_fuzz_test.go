package spec

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzAccept gives any input to any schema. What is accepted is accepted again, unchanged and without repair; what was
// valid as it came is changed by defaults alone; and nothing takes the process down.
func FuzzAccept(f *testing.F) {
	archives, _ := filepath.Glob("../testdata/inputs/*.txtar")
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for input := range strings.Lines(string(archive.Files[1].Data)) {
			f.Add(archive.Files[0].Data, []byte(input))
		}
	}
	f.Fuzz(func(t *testing.T, yaml, input []byte) {
		root, ds := ReadDocument("t.yaml", yaml)
		if ds.HasErrors() {
			return
		}
		schema, ds := CompileSchema(root)
		if (schema == nil) != ds.HasErrors() {
			t.Fatalf("want a schema or errors, have %v, %v", schema, ds)
		}
		if schema == nil {
			return
		}
		if again, err := SchemaFromJSON(schema.JSON()); err != nil || !bytes.Equal(again.JSON(), schema.JSON()) {
			t.Fatalf("want %s to compile to itself, have %v", schema.JSON(), err)
		}
		schema.Shape()
		checkAccepted(t, schema, input)
	})
}

// checkAccepted checks what holds of every schema and every input.
func checkAccepted(t *testing.T, schema *Schema, input []byte) {
	checkSure(t, schema, input)
	a, err := schema.Accept(input)
	if err != nil {
		return
	}
	if err := schema.Validate(a.Args); err != nil {
		t.Fatalf("%s: accepted, but not valid: %v", input, err)
	}
	text, err := json.Marshal(a.Args)
	if err != nil {
		t.Fatal(err)
	}
	again, err := schema.Accept(text)
	if err != nil || len(again.Repaired) > 0 || !reflect.DeepEqual(again.Args, a.Args) {
		t.Fatalf("%s: accepted as %s, and that as %v, %v", input, text, again, err)
	}
	var r repairs
	came, _, err := r.readArgs(input)
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(came) == nil && len(a.Repaired) > len(r.done) {
		t.Fatalf("%s: valid, but repaired: %v", input, a)
	}
	if schema.Validate(came) == nil && !extends(a.Args, came) {
		t.Fatalf("%s: valid, but changed: %v", input, a.Args)
	}
}

// extends tells whether all of a value stands in another, numbers being the same number.
func extends(all, some any) bool {
	switch some := some.(type) {
	case map[string]any:
		m, ok := all.(map[string]any)
		for name, inner := range some {
			ok = ok && extends(m[name], inner)
		}
		return ok
	case []any:
		list, ok := all.([]any)
		ok = ok && len(list) == len(some)
		for i, inner := range some {
			ok = ok && extends(list[i], inner)
		}
		return ok
	case json.Number:
		whole, _ := wholeNumber(some)
		return all == some || all == whole
	}
	return all == some
}
