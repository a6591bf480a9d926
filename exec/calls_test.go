package exec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

var update = flag.Bool("update", false, "write what the calls of testdata/calls give into their archives")

// TestCalls runs the archives of testdata/calls. An archive holds a tool.yaml (or .json), which is called, and may hold
// other tools; for each call an input.json and the want.json that it gives (input-x.json and want-x.json for more);
// where the tool does not load, the diagnostics instead. A file env sets variables of the server, NAME=VALUE a line;
// $SERVER is the address of a server that callServer starts;
// every other file is written beside the tools, as a program if it is a .sh file.
func TestCalls(t *testing.T) {
	archives, err := filepath.Glob("../testdata/calls/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, archive := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) { runArchive(t, archive) })
	}
}

func runArchive(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := layOut(t, archive)
	for name, have := range c.results(archive) {
		want := archiveFile(archive, name)
		if want == nil {
			archive.Files = append(archive.Files, txtar.File{Name: name})
			want = &archive.Files[len(archive.Files)-1]
		}
		if *update {
			want.Data = have
		} else if !bytes.Equal(have, want.Data) {
			t.Errorf("%s: have\n%swant\n%s", name, have, want.Data)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// calls is an archive laid out in a directory, its tools compiled.
type calls struct {
	t      *testing.T
	dir    string
	server string // $SERVER in the archive
	tools  toolMap
	called *exec.Tool
	faults spec.Diagnostics
}

type toolMap map[string]*exec.Tool

func (m toolMap) Tool(name string) (*exec.Tool, bool) { tool, ok := m[name]; return tool, ok }

func layOut(t *testing.T, archive *txtar.Archive) *calls {
	c := &calls{t: t, dir: t.TempDir(), server: callServer(t), tools: toolMap{}}
	for _, f := range archive.Files {
		if f.Name == "env" {
			for line := range strings.Lines(string(f.Data)) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				t.Setenv(name, value)
			}
		}
		mode := os.FileMode(0o600)
		if filepath.Ext(f.Name) == ".sh" {
			mode = 0o700
		}
		file := filepath.Join(c.dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, c.given(f.Data), mode); err != nil {
			t.Fatal(err)
		}
	}
	env := &exec.Env{Policy: exec.DefaultPolicy(), WorkDir: c.dir, Funcs: testFuncs()}
	env.Policy.Path = recorderPath(t)
	for _, f := range archive.Files {
		if ext := filepath.Ext(f.Name); ext == ".yaml" || ext == ".json" && !isCallFile(f.Name) {
			c.compile(env, f)
		}
	}
	return c
}

// testFuncs are the Go functions that archives may name.
func testFuncs() map[string]exec.Executor {
	return map[string]exec.Executor{
		"echo": exec.ExecutorFunc(func(_ context.Context, call *exec.Call) (any, error) { return call.Args, nil }),
	}
}

func isCallFile(name string) bool {
	return strings.HasPrefix(name, "input") || strings.HasPrefix(name, "want")
}

func (c *calls) compile(env *exec.Env, f txtar.File) {
	s, ds := spec.Parse(filepath.Join(c.dir, f.Name), c.given(f.Data))
	c.faults = append(c.faults, ds...)
	if s == nil {
		return
	}
	tool, ds := exec.StandardKinds().Compile(env, s)
	c.faults = append(c.faults, ds...)
	if tool == nil {
		return
	}
	c.tools[s.Name] = tool
	if strings.HasPrefix(f.Name, "tool.") || c.called == nil {
		c.called = tool
	}
}

// results are what the archive's files of wants and diagnostics should hold, by name.
func (c *calls) results(archive *txtar.Archive) map[string][]byte {
	results := map[string][]byte{}
	c.faults.Sort()
	if c.faults.HasErrors() || archiveFile(archive, "diagnostics") != nil {
		results["diagnostics"] = c.plain([]byte(c.faults.Error() + "\n"))
	}
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, "input")
		if !ok {
			continue
		}
		if c.called == nil {
			c.t.Fatal("no tool to call")
		}
		result := c.called.Call(c.t.Context(), exec.Call{Use: spec.ToolUse{ID: "t1", Input: c.given(f.Data)}, Tools: c.tools})
		results["want"+name] = c.plain(resultJSON(c.t, result))
	}
	return results
}

// given is what an archive holds, with the server's address.
func (c *calls) given(b []byte) []byte {
	return bytes.ReplaceAll(b, []byte("$SERVER"), []byte(c.server))
}

// plain is text without what changes from run to run.
func (c *calls) plain(b []byte) []byte {
	b = bytes.ReplaceAll(b, []byte(c.server), []byte("$SERVER"))
	b = bytes.ReplaceAll(b, []byte(strings.TrimPrefix(c.server, "http://")), []byte("$HOST"))
	return bytes.ReplaceAll(b, []byte(c.dir), []byte("$DIR"))
}

func archiveFile(archive *txtar.Archive, name string) *txtar.File {
	for i := range archive.Files {
		if archive.Files[i].Name == name {
			return &archive.Files[i]
		}
	}
	return nil
}

// resultJSON is a result without its duration and digest.
func resultJSON(t *testing.T, r spec.ToolResult) []byte {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	delete(m, "toolUseId")
	metadata, _ := m["metadata"].(map[string]any)
	delete(metadata, "durationMs")
	delete(metadata, "digest")
	if len(metadata) == 0 {
		delete(m, "metadata")
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
