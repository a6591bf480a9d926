package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

func TestEveryCommandHasAnExample(t *testing.T) {
	var look func(*cobra.Command)
	look = func(c *cobra.Command) {
		if !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s: example %q", c.CommandPath(), c.Example)
		}
		for _, inner := range c.Commands() {
			look(inner)
		}
	}
	look(newRoot(stdio{}, &place{}))
}

// full is an output on which nothing can be written.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "one.yaml"), "name: one\ndescription: One.\nexecutor: {expr: '1'}\n")
	for _, c := range []struct {
		line string
		out  io.Writer
		code int
	}{
		{"version", io.Discard, exitFine},
		{"call -d DIR one", io.Discard, exitFine},
		{"call -d DIR two", io.Discard, exitFailed},
		{"call -d DIR one a=1", io.Discard, exitFailed},
		{"show -d DIR two", io.Discard, exitFailed},
		{"call -d DIR one a", io.Discard, exitUsage},
		{"call -d DIR one --input @DIR/nowhere", io.Discard, exitUsage},
		{"call -d DIR", io.Discard, exitUsage},
		{"list -d DIR/nowhere", io.Discard, exitUsage},
		{"list -d DIR/one.yaml", io.Discard, exitUsage},
		{"check DIR/nowhere", io.Discard, exitUsage},
		{"serve -d DIR --http 192.0.2.1:80", io.Discard, exitUsage},
		{"completion tcsh", io.Discard, exitUsage},
		{"new x y z --kind expr", io.Discard, exitUsage},
		{"new one -d DIR --kind expr", io.Discard, exitFailed},
		{"new two DIR/one.yaml --kind expr", io.Discard, exitFailed},
		{"new x --from x|y", io.Discard, exitUsage},
		{"schema DIR/one.yaml", io.Discard, exitUsage},
		{"help tcsh", io.Discard, exitUsage},
		// the command line is right, the disk is full
		{"version", full{}, exitFailed},
		{"version --json", full{}, exitFailed},
		{"list -d DIR", full{}, exitFailed},
		{"list -d DIR --json", full{}, exitFailed},
		{"show -d DIR one", full{}, exitFailed},
		{"show -d DIR one --json", full{}, exitFailed},
		{"call -d DIR one", full{}, exitFailed},
		{"call -d DIR one --json", full{}, exitFailed},
		{"check DIR --json", full{}, exitFailed},
		{"schema", full{}, exitFailed},
		{"watch -d DIR", full{}, exitFailed},
		{"watch -d DIR --json", full{}, exitFailed},
	} {
		var said bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		code := run(ctx, strings.Fields(strings.ReplaceAll(c.line, "DIR", dir)), stdio{in: strings.NewReader(""), out: c.out, err: &said})
		cancel()
		if code != c.code || code != exitFine && said.Len() == 0 {
			t.Errorf("%s: exit code %d, want %d; said %q", c.line, code, c.code, &said)
		}
	}
}

func TestWatchPrintsEachChange(t *testing.T) {
	fault := spec.Diagnostics{spec.Errorf(spec.Pos{File: "a.yaml", Line: 2, Column: 3}, "type", "want <text>")}
	var out bytes.Buffer
	printed := changes{&out, false, map[string]bool{}}
	for _, c := range []struct {
		change registry.Change
		want   string
	}{
		{registry.Change{Added: []string{"a", "b"}, Files: []string{"a.yaml", "b.yaml"}}, "+ a\n+ b\n"},
		{registry.Change{Files: []string{"a.yaml"}, Diagnostics: fault}, "! a.yaml:2:3: want <text>\n"},
		{registry.Change{Updated: []string{"b"}, Files: []string{"b.yaml"}}, "~ b\n"},
		{registry.Change{Files: []string{"a.yaml"}}, "= a.yaml: nothing is wrong any more\n"},
		{registry.Change{Removed: []string{"a"}, Files: []string{"a.yaml"}}, "- a\n"},
	} {
		out.Reset()
		if err := printed.print(c.change); err != nil || out.String() != c.want {
			t.Errorf("have %q, %v\nwant %q", &out, err, c.want)
		}
	}
	out.Reset()
	printed.asJSON = true
	if err := printed.print(registry.Change{Generation: 7, Files: []string{"a.yaml"}, Diagnostics: fault}); err != nil ||
		strings.Count(out.String(), "\n") != 1 || !strings.Contains(out.String(), "want <text>") {
		t.Errorf("have %q, %v", &out, err)
	}
}
