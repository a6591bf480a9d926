package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/toolspecs"
)

// shippedCalls are calls of shipped tools and what must be in the answer.
var shippedCalls = []struct{ tool, input, want string }{
	{"calculator", `{"expression": "pow(3, 40) + max(1, 2, 3)"}`, `12157665459056928804`},
	{"calculator", `{"expression": "tan(pi / 2)"}`, `(rounded)`},
	{"calculator", `{"expression": "sqrt(2, 3)"}`, `Error: Field ` + "`expression`" + `: sqrt has 2 arguments; it takes 1`},
	{"change_case", `{"text": "Free\tdisk-space", "to": "snake"}`, `free_disk_space`},
	{"checksum", `{"path": "new\nline.txt"}`, `73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac`},
	{"checksum", `{"path": "none"}`, `Error: `},
	{"convert_units", `{"value": 0.00000001, "from": "mm", "to": "km"}`, `e-14`},
	{"convert_units", `{"value": 212, "from": "fahrenheit", "to": "celsius"}`, `"value":100}`},
	{"convert_units", `{"value": -300, "from": "celsius", "to": "kelvin"}`, `Error: that is below absolute zero`},
	{"csv_summary", `{"path": "t.csv", "column": "total"}`, `{"count":2,"max":2,"mean":1.75,"min":1.5,"sum":3.5}`},
	{"csv_summary", `{"path": "t.csv", "column": "name"}`, `Error: The column name holds more than numbers.`},
	{"csv_summary", `{"path": "t.csv", "column": "x"}`, `Error: No column x; there are: name, total`},
	{"csv_summary", `{"path": "none.csv", "column": "x"}`, `Error: cat: none.csv: No such file`},
	{"date_add", `{"date": "2031-01-31", "amount": 1, "unit": "month"}`, `"2031-02-28"`},
	{"date_add", `{"date": "2024-02-29", "amount": -1, "unit": "year"}`, `"2023-02-28"`},
	{"date_add", `{"date": "2031-01-31", "amount": 9000, "unit": "year"}`, `Error: The date is outside`},
	{"date_difference", `{"from": "1700-01-01", "to": "2024-01-01"}`, `"days":118338`},
	{"disk_space", `{}`, `"mount":"/"`},
	{"disk_usage", `{"path": "none"}`, `Error: du: `},
	{"disk_usage", `{"path": "new\nline.txt"}`, `"path":"new"`},
	{"disk_usage", `{"path": "-dir"}`, `"path":"-dir"`},
	{"file_stats", `{"path": "-dir/q'\".txt"}`, `"bytes":6`},
	{"find_files", `{"path": "none"}`, `Error: find: `},
	{"find_files", `{"path": "./-dir", "name": "q*"}`, `q'\".txt`},
	{"git_diff", `{"repository": "none"}`, `there is no such directory`},
	{"git_diff", `{"repository": "-dir"}`, `repository is the directory of a git repository`},
	{"git_log", `{"repository": "repo"}`, `{"author":"A\tB","commit":`},
	{"git_log", `{"repository": "repo", "author": "--all"}`, `[]`},
	{"git_show", `{"repository": "repo", "commit": "f"}`, `Error: git exited with code 128`},
	{"git_show", `{"repository": "repo", "commit": "HEAD"}`, `+++ b/f`},
	{"json_query", `{"data": [{"a": 1}], "query": "data.a"}`, `is a list and has no field a`},
	{"json_query", `{"data": 1, "query": "dir.work"}`, "Error: Field `query`: unknown name dir"},
	{"read_lines", `{"path": "new\nline.txt", "from": 1, "count": 1}`, `x`},
	{"search_files", `{"path": "none", "pattern": "x"}`, `Error: grep: none: No such file`},
	{"search_files", `{"path": "new\nline.txt", "pattern": "x"}`, "new\nline.txt:1:x"},
	{"sqlite_query", `{"database": "none.db", "query": "SELECT 1"}`, `Error: sqlite3 exited with code 1`},
	{"sqlite_query", `{"database": "empty.db", "query": "SELECT 1 AS one"}`, `[{"one":1}]`},
	{"sqlite_query", `{"database": "empty.db", "query": ".shell id"}`, `safe mode`},
	{"word_count", `{"text": "One, 3.14 e. Two!\r\n\r\nThree\n"}`, `{"characters":27,"lines":3,"sentences":3,"words":5}`},
	{"word_count", `{"text": ""}`, `{"characters":0,"lines":0,"sentences":0,"words":0}`},
}

// TestShippedTools calls the shipped tools with inputs that do them no favour. Where the program that a tool runs is not
// installed it is left out, and said so; never in CI.
func TestShippedTools(t *testing.T) {
	t.Chdir(untidyPlace(t))
	tools, err := (&place{builtin: true}).open(slog.New(slog.DiscardHandler))
	if err == nil {
		err = tools.load()
	}
	if err != nil {
		t.Fatal(err)
	}
	snapshot := tools.registry.Snapshot()
	for _, c := range shippedCalls {
		t.Run(c.tool, func(t *testing.T) {
			needTool(t, snapshot, c.tool)
			result := snapshot.Call(t.Context(), exec.Call{Use: spec.ToolUse{ID: "t", Name: c.tool, Input: json.RawMessage(c.input)}})
			text := shownContent(t, result)
			if !strings.Contains(text, c.want) || strings.HasPrefix(c.want, "Error: ") && result.Status != spec.StatusError {
				t.Errorf("%s: have %s: %s, want %s", c.input, result.Status, text, c.want)
			}
		})
	}
}

// TestShippedToolsTests runs the tests in the shipped tools' files, with nothing to reach. Each has two at least, one of
// them of something that goes wrong or is the edge of what goes right.
func TestShippedToolsTests(t *testing.T) {
	env := environment(slog.New(slog.DiscardHandler))
	env.Transport = nowhere{t}
	t.Setenv("PATH", t.TempDir()) // no program is found, so that none can be run
	tools, ds := loader.Load(toolspecs.FS, exec.StandardKinds(), env)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	reg := registry.New()
	reg.Replace("builtin", tools, ds)
	for _, v := range check.Tests(t.Context(), reg.Snapshot(), tools, nil) {
		if len(v.Faults) > 0 {
			t.Errorf("%s/%s\n%s", v.Tool, v.Test, v.FaultText())
		}
	}
	for _, tool := range tools {
		if n := len(tool.Tests()); n < 2 {
			t.Errorf("%s: want two tests at least in its file, have %d", tool.Spec.Name, n)
		}
	}
}

// nowhere is a network that fails the test when it is used.
type nowhere struct{ t *testing.T }

func (n nowhere) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("a test asked for %s", r.URL)
	return nil, errors.New("there is no network")
}

// needTool fails without the tool, and skips where it is there but cannot work.
func needTool(t *testing.T, tools *registry.Snapshot, name string) {
	t.Helper()
	tool, ok := tools.Tool(name)
	switch {
	case !ok:
		t.Fatalf("%s is not shipped", name)
	case tool.Unavailable() != "" && os.Getenv("CI") != "":
		t.Fatal("CI has everything that the shipped tools run, but ", tool.Unavailable())
	case tool.Unavailable() != "":
		t.Skip("LEFT OUT: ", tool.Unavailable())
	}
}

// TestShippedToolsAreExamples: they pass the check at its strictest, nothing is silenced, and --fix has nothing to do.
func TestShippedToolsAreExamples(t *testing.T) {
	dir := filepath.Join("..", "..", "toolspecs")
	var errs bytes.Buffer
	if code := run(t.Context(), []string{"check", dir, "--strict"}, stdio{err: &errs}); code != exitFine {
		t.Errorf("exit %d:\n%s", code, errs.String())
	}
	err := fs.WalkDir(toolspecs.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(toolspecs.FS, path)
		if bytes.Contains(text, []byte("toolspec:allow")) {
			t.Errorf("%s: silences a rule", path)
		}
		if _, changes := check.Fix(path, text); len(changes) > 0 {
			t.Errorf("%s: --fix would do: %v", path, changes)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func shownContent(t *testing.T, r spec.ToolResult) string {
	t.Helper()
	var b strings.Builder
	for _, c := range r.Content {
		if c.Text != nil {
			b.WriteString(*c.Text)
			continue
		}
		raw, err := json.Marshal(c.JSON)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(raw)
	}
	return b.String()
}

// untidyPlace is a directory with names that people do not think of, and a git repository.
func untidyPlace(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"new\nline.txt": "x\n", "-dir/q'\".txt": "quote\n", "t.csv": "total,name\n1.5,a\n,b\n2,c\n", "empty.db": "", "repo/f": "f\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, text)
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", dir)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=A\tB", "-c", "user.email=a@b", "commit", "-qm", "first\tcommit"}} {
		cmd := osexec.Command("git", args...)
		cmd.Dir = filepath.Join(dir, "repo")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("LEFT OUT: git %v: %v %s", args, err, out)
			break
		}
	}
	return dir
}
