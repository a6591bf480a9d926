package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	lint "github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/spec"
)

// corpusSpec is one real tool spec of the shared data.
type corpusSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// knownBadDefaults is how many specs of the corpus have a default that breaks its own schema.
const knownBadDefaults = 133

func corpus(t *testing.T) []corpusSpec {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "tool-corpus.jsonl"))
	if os.IsNotExist(err) && os.Getenv("CI") == "" {
		t.Skip("*** NOT TESTED: the corpus of real tool specs is not beside this checkout (../shared/data)")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []corpusSpec
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s corpusSpec
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// TestCorpus writes every spec out as a tool file of one directory and serves it: each loads, duplicate names aside, unless
// its default breaks its own schema; and the list over MCP carries each schema unchanged.
func TestCorpus(t *testing.T) {
	specs := corpus(t)
	dir := writeCorpus(t, specs)
	first := map[string]corpusSpec{}
	for _, s := range specs {
		if _, known := first[s.Name]; !known {
			first[s.Name] = s
		}
	}
	refused, clashes := refusals(t, dir)
	t.Logf("%d specs: %d names twice, %d defaults that break their own schema", len(specs), clashes, len(refused))
	if len(refused) > knownBadDefaults {
		t.Errorf("%d specs are refused, at most %d are known to be bad", len(refused), knownBadDefaults)
	}
	listed := listOverMCP(t, dir)
	if want := len(specs) - clashes - len(refused); len(listed) != want {
		t.Errorf("%d tools are listed, want %d", len(listed), want)
	}
	for name, schema := range listed {
		if want := first[name].Parameters; !sameJSON(t, filledRoot(t, want), schema) && !anyTwin(t, specs, name, schema) {
			t.Errorf("%s: the schema changed on its way:\n%s\n%s", name, want, schema)
		}
	}
}

// writeCorpus writes every spec out as a tool file of one directory.
func writeCorpus(t *testing.T, specs []corpusSpec) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i, s := range specs {
		if strings.TrimSpace(s.Description) == "" {
			s.Description = "Says nothing of itself." // five of them; a tool file must say something
		}
		file, err := json.Marshal(map[string]any{
			"name": s.Name, "description": s.Description, "inputSchema": s.Parameters, "executor": map[string]string{"expr": "toJSON(input)"},
		})
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, fmt.Sprintf("%04d.json", i)), string(file))
	}
	return dir
}

// TestCheckIsStable: a check of a directory says the same in every run, and file by file it is the same again, but for
// what only the whole set tells. One spec of eight is enough for that.
func TestCheckIsStable(t *testing.T) {
	var some []corpusSpec
	for i, s := range corpus(t) {
		if i%8 == 0 {
			some = append(some, s)
		}
	}
	dir := writeCorpus(t, some)
	check := func(args ...string) (spec.Diagnostics, string) {
		var out, errs bytes.Buffer
		run(t.Context(), append([]string{"check", "--json"}, args...), stdio{out: &out, err: &errs})
		var found spec.Diagnostics
		if err := json.Unmarshal(out.Bytes(), &found); err != nil {
			t.Fatalf("%v: %s", err, errs.String())
		}
		return found, out.String()
	}
	all, first := check(dir)
	if len(all) == 0 {
		t.Error("the corpus has nothing that is wrong")
	}
	counts := map[string]int{}
	for _, d := range all {
		counts[d.Rule+" "+d.Severity.String()]++
	}
	t.Log(counts)
	if _, again := check(dir); again != first {
		t.Error("two checks of one directory differ")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	each, _ := check(files...)
	together := []string{"name-clash", "name-alike"}
	for _, r := range lint.AllRules() {
		if r.CheckAll != nil {
			together = append(together, r.Name)
		}
	}
	alone := slices.DeleteFunc(all, func(d spec.Diagnostic) bool { return slices.Contains(together, d.Rule) })
	if !slices.Equal(alone, each) {
		t.Errorf("a directory has %d diagnostics, its files %d", len(alone), len(each))
	}
}

// refusals checks the directory: the files refused for their default, and how many lost their name to another file.
func refusals(t *testing.T, dir string) (refused map[string]bool, clashes int) {
	t.Helper()
	var out, errs bytes.Buffer
	run(t.Context(), []string{"check", dir, "--json"}, stdio{out: &out, err: &errs})
	var found spec.Diagnostics
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	refused = map[string]bool{}
	twice := map[string]bool{}
	for _, f := range found {
		switch {
		case f.Severity.String() != "error":
		case f.Rule == "name-clash":
			twice[f.File] = true
		case f.Rule == "default":
			refused[f.File] = true
			if f.Line < 1 || f.Column < 2 {
				t.Errorf("%s: refused without its place: %d:%d", f.File, f.Line, f.Column)
			}
		default:
			t.Errorf("%s:%d:%d: %s: %s", f.File, f.Line, f.Column, f.Rule, f.Message)
		}
	}
	return refused, len(twice)
}

func listOverMCP(t *testing.T, dir string) map[string]json.RawMessage {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "corpus", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: start(t, "-d", dir).url + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if list.NextCursor != "" {
		t.Error("the list has more than one page; a known client reads one only")
	}
	all := map[string]json.RawMessage{}
	for _, tool := range list.Tools {
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		all[tool.Name] = schema
	}
	return all
}

// filledRoot is a schema with the root type and properties that a tool always has.
func filledRoot(t *testing.T, schema json.RawMessage) json.RawMessage {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	if root["type"] == nil {
		root["type"] = "object"
	}
	if root["properties"] == nil {
		root["properties"] = map[string]any{}
	}
	filled, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return filled
}

// anyTwin tells whether another spec of that name has the schema: the first of them may have been refused.
func anyTwin(t *testing.T, specs []corpusSpec, name string, schema json.RawMessage) bool {
	for _, s := range specs {
		if s.Name == name && sameJSON(t, filledRoot(t, s.Parameters), schema) {
			return true
		}
	}
	return false
}

func sameJSON(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}
