package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestSchemaPrintsTheGrammar shows in one place what editors are told of tool files and of policies, so that a change of it is seen.
func TestSchemaPrintsTheGrammar(t *testing.T) {
	for golden, args := range map[string][]string{
		"tool.schema.json":   {"schema"},
		"policy.schema.json": {"schema", "--policy"},
	} {
		var out, said bytes.Buffer
		if code := run(t.Context(), args, stdio{out: &out, err: &said}); code != exitFine || said.Len() > 0 {
			t.Fatalf("exit code %d; said %s", code, &said)
		}
		golden = filepath.Join("..", "..", "testdata", golden)
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
}
