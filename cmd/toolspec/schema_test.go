package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestSchemaPrintsTheGrammar shows in one place what editors are told of tool files, so that a change of it is seen.
func TestSchemaPrintsTheGrammar(t *testing.T) {
	var out, said bytes.Buffer
	if code := run(t.Context(), []string{"schema"}, stdio{out: &out, err: &said}); code != exitFine || said.Len() > 0 {
		t.Fatalf("exit code %d; said %s", code, &said)
	}
	golden := filepath.Join("..", "..", "testdata", "tool.schema.json")
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("it prints something else than %s; if that is right: make golden", golden)
	}
}
