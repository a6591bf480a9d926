package check_test

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

var update = flag.Bool("update", false, "write expected outputs anew")

// file reads and compiles a tool file as a loader would.
func file(name string, src []byte) *check.File {
	s, ds := spec.Parse(name, src)
	if s == nil {
		return check.NewFile(name, src, nil, ds)
	}
	env := &exec.Env{Funcs: map[string]exec.Executor{"known": exec.ExecutorFunc(nil)}}
	tool, faults := exec.StandardKinds().Compile(env, s)
	return check.NewFile(name, src, tool, append(ds, faults...))
}

// TestRules judges the files of every archive, those of one folder together, and compares what is found with the archive's file
// "want". An archive that has the name of a rule is about that rule alone: it must find something in every file or
// folder whose name starts with bad, and nothing elsewhere.
func TestRules(t *testing.T) {
	archives, err := filepath.Glob("../testdata/lint/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, a := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(a), ".txtar"), func(t *testing.T) { testArchive(t, a) })
	}
}

// TestEveryRuleHasAnArchive: a rule without one is not shown to find anything.
func TestEveryRuleHasAnArchive(t *testing.T) {
	for _, r := range check.AllRules() {
		other := r.Name == "provider-mcp" // it takes fifty thousand tokens to break: see TestTooManyTokens
		if _, err := os.Stat("../testdata/lint/" + r.Name + ".txtar"); err != nil && (r.Check != nil || r.CheckAll != nil) && !other {
			t.Error(err)
		}
		if r.Doc == "" || r.Bad == "" || r.Good == "" {
			t.Errorf("%s: want a doc, a bad and a good line", r.Name)
		}
	}
}

func testArchive(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rule := strings.TrimSuffix(filepath.Base(name), ".txtar")
	isRule := slices.ContainsFunc(check.AllRules(), func(r check.Rule) bool { return r.Name == rule })
	var options check.Options
	if provider, ok := strings.CutPrefix(rule, "provider-"); ok {
		options.Providers = []string{provider}
	}
	want := &txtar.File{Name: "want"}
	var have strings.Builder
	for i := 0; i < len(archive.Files); {
		if archive.Files[i].Name == "want" {
			want = &archive.Files[i]
			i++
			continue
		}
		group := folderAt(archive.Files[i:])
		i += len(group)
		ds := judge(group, options)
		if isRule {
			ds = slices.DeleteFunc(ds, func(d spec.Diagnostic) bool { return d.Rule != rule })
			if bad := strings.HasPrefix(group[0].Name, "bad"); bad != (len(ds) > 0) {
				t.Errorf("%s: the rule finds %d problems", group[0].Name, len(ds))
			}
		}
		for _, d := range ds {
			fmt.Fprintf(&have, "%s: %s: %s: %s\n", d.Pos, d.Severity, d.Rule, d.Message)
		}
	}
	compareArchive(t, name, archive, want, have.String())
}

// folderAt are the files at the start of a list that are judged together: those of one folder, or one file without.
func folderAt(files []txtar.File) []txtar.File {
	folder := path.Dir(files[0].Name)
	n := 1
	for folder != "." && n < len(files) && path.Dir(files[n].Name) == folder {
		n++
	}
	return files[:n]
}

func judge(group []txtar.File, o check.Options) spec.Diagnostics {
	var files []*check.File
	for _, f := range group {
		files = append(files, file(f.Name, f.Data))
	}
	o.Together = path.Dir(group[0].Name) != "."
	return check.Lint(files, o)
}

func compareArchive(t *testing.T, name string, archive *txtar.Archive, want *txtar.File, have string) {
	t.Helper()
	if have == string(want.Data) {
		return
	}
	if !*update {
		t.Errorf("have:\n%s\nwant:\n%s", have, want.Data)
		return
	}
	want.Data = []byte(have)
	if last := len(archive.Files) - 1; archive.Files[last].Name != "want" {
		archive.Files = append(archive.Files, *want)
	}
	if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
