package exec

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

// updating tells whether -update is given; the flag is that of the package's outer tests.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// exprFile is what a file of an archive holds: texts of each sort, to be compiled over one input schema.
type exprFile struct {
	Input       spec.Section   `spec:"inputSchema"`
	Templates   []spec.Text    `spec:"templates"`
	Expressions []spec.Text    `spec:"expressions"`
	Conditions  []spec.Text    `spec:"conditions"`
	Trees       []spec.Section `spec:"trees"`
}

// TestExprDiagnostics compiles what every archive holds and compares what is wrong, in order, with the archive's want.
func TestExprDiagnostics(t *testing.T) {
	archives, err := filepath.Glob("../testdata/diagnostics/expr/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := archive.Files[len(archive.Files)-1]
			if want.Name != "want" {
				want = txtar.File{Name: "want"}
				archive.Files = append(archive.Files, want)
			}
			have := diagnose(t, archive.Files[:len(archive.Files)-1])
			switch {
			case have == string(want.Data):
			case updating():
				archive.Files[len(archive.Files)-1].Data = []byte(have)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("have:\n%s\nwant:\n%s", have, want.Data)
			}
		})
	}
}

func diagnose(t *testing.T, files []txtar.File) string {
	var have strings.Builder
	for _, f := range files {
		root, ds := spec.ReadDocument(f.Name, f.Data)
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		var texts exprFile
		if ds := root.Decode(&texts); ds.HasErrors() {
			t.Fatal(ds)
		}
		for _, d := range texts.compile(t) {
			fmt.Fprintf(&have, "%s: %s: %s: %s\n", d.Pos, d.Severity, d.Rule, d.Message)
		}
	}
	return have.String()
}

func (f *exprFile) compile(t *testing.T) spec.Diagnostics {
	site := testSite(t, f.Input)
	var all spec.Diagnostics
	for _, text := range f.Templates {
		_, ds := site.Template(text)
		all = append(all, ds...)
	}
	for _, text := range f.Expressions {
		_, ds := site.Expr(text)
		all = append(all, ds...)
	}
	for _, text := range f.Conditions {
		_, ds := site.Condition(text)
		all = append(all, ds...)
	}
	for _, section := range f.Trees {
		_, ds := site.Tree(section)
		all = append(all, ds...)
	}
	all.Sort()
	return all
}

// testSite is a site whose tool has this input schema, and an output of which nothing is known.
func testSite(t testing.TB, schema spec.Section) *Site {
	site := &Site{Env: &Env{Policy: DefaultPolicy()}, Spec: &spec.Spec{}, needs: &needs{}}
	if !schema.IsZero() {
		input, ds := spec.CompileSchema(schema)
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		site.Spec.Input = input
	}
	site.scope = executorScope(site)
	return site.With("output", nil)
}
