package export_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

var update = flag.Bool("update", false, "write expected outputs anew")

func parsed(t testing.TB, file, src string) *spec.Spec {
	t.Helper()
	s, ds := spec.Parse(file, []byte(src))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return s
}

// archives are the tool files of every archive in testdata/export, by the archive.
func archives(t testing.TB) map[string][]*spec.Spec {
	t.Helper()
	files, err := filepath.Glob("../../testdata/export/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	all := map[string][]*spec.Spec{}
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if ext := filepath.Ext(f.Name); ext == ".yaml" {
				all[path] = append(all[path], parsed(t, f.Name, string(f.Data)))
			}
		}
	}
	return all
}

// TestArchives exports the tool files of every archive, and compares with the archive's files FORMAT.json, markdown.md, and
// FORMAT.losses for what was lost.
func TestArchives(t *testing.T) {
	for path, specs := range archives(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			have := slices.Clone(archive.Files)
			have = slices.DeleteFunc(have, func(f txtar.File) bool { return filepath.Ext(f.Name) != ".yaml" })
			for _, format := range export.Formats() {
				doc, losses, err := export.Convert(format, specs)
				if err != nil {
					t.Fatal(err)
				}
				ext := ".json"
				if format == "markdown" {
					ext = ".md"
				}
				have = append(have, txtar.File{Name: format + ext, Data: doc})
				if len(losses) > 0 {
					have = append(have, txtar.File{Name: format + ".losses", Data: lines(losses)})
				}
			}
			compare(t, path, archive, have)
		})
	}
}

func lines(losses spec.Diagnostics) []byte {
	var b strings.Builder
	for _, l := range losses {
		b.WriteString(l.Pos.String() + ": " + l.Severity.String() + " (" + l.Rule + "): " + l.Message + "\n")
	}
	return []byte(b.String())
}

func compare(t *testing.T, path string, archive *txtar.Archive, have []txtar.File) {
	t.Helper()
	formatted := txtar.Format(&txtar.Archive{Comment: archive.Comment, Files: have})
	if *update {
		if err := os.WriteFile(path, formatted, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, f := range have {
		i := slices.IndexFunc(archive.Files, func(w txtar.File) bool { return w.Name == f.Name })
		if i < 0 {
			t.Errorf("%s is not in the archive:\n%s", f.Name, f.Data)
		} else if want := archive.Files[i].Data; string(want) != string(f.Data) {
			t.Errorf("%s\nwant\n%s\nhave\n%s", f.Name, want, f.Data)
		}
	}
	if len(have) != len(archive.Files) {
		t.Errorf("the archive has %d files, want %d", len(archive.Files), len(have))
	}
}

func TestUnknownFormat(t *testing.T) {
	for format, want := range map[string]string{
		"bedrok": `unknown format "bedrok"; did you mean bedrock?`,
		"xyz":    `unknown format "xyz"; known: strands, bedrock, anthropic, openai, openai-strict, gemini, mcp, markdown`,
	} {
		if _, _, err := export.Convert(format, nil); err == nil || err.Error() != want {
			t.Errorf("%s: want %s, have %v", format, want, err)
		}
	}
}
