package spec_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/toolspec/toolspec/spec"
)

var update = flag.Bool("update", false, "rewrite the wanted parts of testdata")

// TestDiagnostics parses every file of every archive and compares what is wrong with each, in order, with the archive's
// file "want".
func TestDiagnostics(t *testing.T) {
	archives, err := filepath.Glob("../testdata/diagnostics/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { testArchive(t, path) })
	}
}

func testArchive(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var have strings.Builder
	want := &txtar.File{Name: "want"}
	for i, f := range archive.Files {
		if f.Name == "want" {
			want = &archive.Files[i]
			continue
		}
		parsed, ds := spec.Parse(f.Name, f.Data)
		if finished := parsed != nil && !parsed.Draft(); finished == ds.HasErrors() {
			t.Errorf("%s: a spec and errors, or neither: %v", f.Name, ds)
		}
		for _, d := range ds {
			fmt.Fprintf(&have, "%s: %s: %s: %s\n", d.Pos, d.Severity, d.Rule, d.Message)
		}
		if len(ds) == 0 {
			fmt.Fprintf(&have, "%s: nothing\n", f.Name)
		}
	}
	if have.String() == string(want.Data) {
		return
	}
	if !*update {
		t.Errorf("have:\n%s\nwant:\n%s", have.String(), want.Data)
		return
	}
	want.Data = []byte(have.String())
	if last := len(archive.Files) - 1; last < 0 || archive.Files[last].Name != "want" {
		archive.Files = append(archive.Files, *want)
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
