package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

// TestProvidersTakeExports has the providers' own Go libraries read what is exported and write it again: they drop what they
// do not know. The library of each is in a module of its own, testdata/providers.
func TestProvidersTakeExports(t *testing.T) {
	path := filepath.Join(t.TempDir(), "providers")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = filepath.Join("..", "..", "testdata", "providers")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	sets := exportable(t)
	for _, format := range []string{"bedrock", "anthropic", "openai", "openai-strict", "gemini"} {
		for name, specs := range sets {
			doc, _, err := export.Convert(format, specs)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(path, format)
			cmd.Stdin = bytes.NewReader(doc)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s, %s: %v\n%.2000s", format, name, err, out)
			}
		}
	}
}

// exportable are the shipped tools, those of the archives of exports, and those of the corpus where it is.
func exportable(t *testing.T) map[string][]*spec.Spec {
	t.Helper()
	sets := map[string][]*spec.Spec{}
	add := func(set, file string, src []byte) {
		if s, ds := spec.Parse(file, src); !ds.HasErrors() {
			sets[set] = append(sets[set], s)
		}
	}
	archives, err := filepath.Glob(filepath.Join("..", "..", "testdata", "export", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, a := range archives {
		archive, err := txtar.ParseFile(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if filepath.Ext(f.Name) == ".yaml" {
				add(filepath.Base(a), f.Name, f.Data)
			}
		}
	}
	set, err := (&place{dirs: []string{t.TempDir()}, builtin: true}).read()
	if err != nil {
		t.Fatal(err)
	}
	for tool := range set.registry.Snapshot().All() {
		sets["the shipped tools"] = append(sets["the shipped tools"], tool.Spec)
	}
	t.Run("corpus", func(t *testing.T) {
		seen := map[string]bool{}
		for i, s := range corpus(t) {
			if s.Description = strings.TrimSpace(s.Description); seen[s.Name] || s.Description == "" {
				continue
			}
			seen[s.Name] = true
			file, err := json.Marshal(map[string]any{"name": s.Name, "description": s.Description, "inputSchema": s.Parameters, "executor": map[string]string{"expr": "1"}})
			if err != nil {
				t.Fatal(err)
			}
			add("the corpus", fmt.Sprintf("%04d.json", i), file)
		}
	})
	return sets
}

// TestMCPExportIsWhatIsServed: the export has the very objects of tools/list.
func TestMCPExportIsWhatIsServed(t *testing.T) {
	client := mcp.NewClient(&mcp.Implementation{Name: "export", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: start(t, "-d", t.TempDir(), "--builtin").url + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	served, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"export", "-d", t.TempDir(), "--builtin", "--to", "mcp"}, stdio{out: &out, err: &errs}); code != exitFine {
		t.Fatal(errs.String())
	}
	var want, have []map[string]any
	for doc, into := range map[*[]byte]*[]map[string]any{&served: &want, ptr(out.Bytes()): &have} {
		if err := json.Unmarshal(*doc, into); err != nil {
			t.Fatal(err)
		}
	}
	if len(want) == 0 || len(want) != len(have) {
		t.Fatalf("%d tools are served, %d exported", len(want), len(have))
	}
	for i := range want {
		if !reflect.DeepEqual(want[i], have[i]) {
			t.Errorf("want %v\nhave %v", want[i], have[i])
		}
	}
}

func ptr(b []byte) *[]byte { return &b }
