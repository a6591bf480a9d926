package spec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/toolspec/toolspec/spec"
)

// TestInputs gives every line of an archive's file "inputs" to the schema beside it, and compares what the executor
// would see, or what the model is told, with the file "want".
func TestInputs(t *testing.T) {
	archives, err := filepath.Glob("../testdata/inputs/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { testInputs(t, path) })
	}
}

func testInputs(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil || len(archive.Files) < 2 {
		t.Fatalf("want schema.yaml, inputs and want, have %v, %v", archive, err)
	}
	schema := mustCompile(t, string(archive.Files[0].Data))
	var have strings.Builder
	for input := range strings.Lines(string(archive.Files[1].Data)) {
		input = strings.TrimSuffix(input, "\n")
		fmt.Fprintf(&have, "> %s\n%s\n", input, accepted(t, schema, input))
	}
	if len(archive.Files) < 3 {
		archive.Files = append(archive.Files, txtar.File{Name: "want"})
	}
	want := &archive.Files[2]
	if have.String() == string(want.Data) {
		return
	}
	if !*update {
		t.Errorf("have:\n%s\nwant:\n%s", have.String(), want.Data)
		return
	}
	want.Data = []byte(have.String())
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func accepted(t *testing.T, schema *spec.Schema, input string) string {
	a, err := schema.Accept(json.RawMessage(input))
	var refused *spec.Error
	if errors.As(err, &refused) {
		if refused.Code != spec.CodeInvalidInput {
			t.Errorf("%s: want invalid_input, have %s", input, refused.Code)
		}
		return refused.Message
	}
	args, err := json.Marshal(a.Args)
	if err != nil {
		t.Fatal(err)
	}
	if a.Repaired != nil {
		return fmt.Sprintf("%s\nrepaired %s", args, strings.Join(a.Repaired, " "))
	}
	return string(args)
}

// mustCompile compiles a schema written in YAML.
func mustCompile(t testing.TB, yaml string) *spec.Schema {
	t.Helper()
	root, ds := spec.ReadDocument("schema.yaml", []byte(yaml))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	schema, ds := spec.CompileSchema(root)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return schema
}

// TestAcceptOfManyDefaults: a short input may ask for defaults without end.
func TestAcceptOfManyDefaults(t *testing.T) {
	schema := mustCompile(t, `{"properties": {"rows": {"type": "array", "items": {"type": "object", "properties": {"cells": {"type": "array", "default": [0, 0, 0, 0, 0, 0, 0, 0, 0]}}}}}}`)
	if _, err := schema.Accept(rows(10_000)); err != nil {
		t.Errorf("10,000 rows: %v", err)
	}
	if _, err := schema.Accept(rows(300_000)); err == nil || !strings.Contains(err.Error(), "give fewer items") {
		t.Errorf("300,000 rows: have %v", err)
	}
}

func rows(n int) json.RawMessage {
	return json.RawMessage(`{"rows": [{}` + strings.Repeat(",{}", n-1) + `]}`)
}
