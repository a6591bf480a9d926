//go:build unix

package loader

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
)

// exposedDir is a directory with a tool of its own, one below it, one that is linked to, and one that runs a script.
func exposedDir(t *testing.T) (base string) {
	t.Helper()
	base = t.TempDir()
	for name, text := range map[string]string{
		"tools/a.yaml": toolText("a", "one"), "tools/sub/b.yaml": toolText("b", "one"), "far/c.yaml": toolText("c", "one"), "beside/run": "#!/bin/sh\necho one\n",
		"tools/d.yaml": "name: d\ndescription: one\nexecutor: {command: {argv: [../beside/run]}}\n",
	} {
		full := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../far/c.yaml", filepath.Join(base, "tools/c.yaml")); err != nil {
		t.Fatal(err)
	}
	return base
}

func served(reg *registry.Registry) string {
	var names []string
	for tool := range reg.Snapshot().Listed() {
		names = append(names, tool.Spec.Name)
	}
	return strings.Join(names, " ")
}

// TestWorldWritable opens each place to all, in turn: what could have been changed by anybody is not served, also if it was good
// before, and is served again once the right is taken away.
func TestWorldWritable(t *testing.T) {
	base := exposedDir(t)
	reg := registry.New()
	l := New(reg, filepath.Join(base, "tools"), exec.StandardKinds(), nil, Options{Pin: filepath.Join(base, "pins")})
	l.Sync()
	if have := served(reg); have != "a b c d" {
		t.Fatal(have)
	}
	for _, c := range []struct {
		opened string
		mode   os.FileMode
		left   string
		says   string
	}{
		{"tools/a.yaml", 0o646, "b c d", "a.yaml:1:1: every user of this machine may write it; take that right away, as with: chmod o-w "},
		{"tools/sub", 0o757, "a c d", "b.yaml:1:1: every user of this machine may put another in its place; take that right away, as with: chmod o-w "},
		{"tools/sub", 0o757 | os.ModeSticky, "a c d", "b.yaml:1:1: every user of this machine may put another in its place"},
		{"tools", 0o777, "", "a.yaml:1:1: every user of this machine may put another in its place"},
		{".", 0o777, "", "a.yaml:1:1: every user of this machine may put another in its place"},
		{".", 0o777 | os.ModeSticky, "a b c d", ""},
		{"far", 0o777, "a b d", "c.yaml:1:1: every user of this machine may put another in its place"},
		{"far/c.yaml", 0o666, "a b d", "c.yaml:1:1: every user of this machine may write it"},
		{"beside/run", 0o757, "a b c", "unavailable here: it runs the script "},
		{"beside", 0o757, "a b c", "unavailable here: it runs the script "},
		{"tools/a.yaml", 0o664, "a b c d", ""}, // a group is the operator's business
	} {
		full := filepath.Join(base, c.opened)
		before, err := os.Stat(full)
		if err != nil {
			t.Fatal(err)
		}
		chmod := func(mode os.FileMode) {
			t.Helper()
			if err := os.Chmod(full, mode); err != nil {
				t.Fatal(err)
			}
			l.Sync()
		}
		chmod(c.mode)
		var said []string
		for e := range reg.Snapshot().Entries() {
			said = append(said, e.Diagnostics.Error())
		}
		if have := served(reg); have != c.left || !strings.Contains(strings.Join(said, "\n"), c.says) {
			t.Errorf("%s %v: %q is served, want %q; said %q", c.opened, c.mode, have, c.left, said)
		}
		again := registry.New() // started only now
		New(again, l.dir, exec.StandardKinds(), nil, Options{}).Sync()
		if have := served(again); have != c.left {
			t.Errorf("%s %v: %q is served by a new one, want %q", c.opened, c.mode, have, c.left)
		}
		allowed := registry.New()
		policy := exec.DefaultPolicy()
		policy.WorldWritable = true
		New(allowed, l.dir, exec.StandardKinds(), &exec.Env{Policy: policy}, Options{}).Sync()
		if have := served(allowed); have != "a b c d" {
			t.Errorf("%s %v: %q is served though it is allowed", c.opened, c.mode, have)
		}
		chmod(before.Mode())
		if have := served(reg); have != "a b c d" {
			t.Errorf("%s: mended, %q is served", c.opened, have)
		}
	}
}

// TestAnExposedPinIsNone has the last good version lie where everybody could have written it.
func TestAnExposedPinIsNone(t *testing.T) {
	base := exposedDir(t)
	pins := filepath.Join(base, "pins")
	start := func() *registry.Registry {
		reg := registry.New()
		New(reg, filepath.Join(base, "tools"), exec.StandardKinds(), nil, Options{Pin: pins}).Sync()
		return reg
	}
	reg := registry.New()
	l := New(reg, filepath.Join(base, "tools"), exec.StandardKinds(), nil, Options{Pin: pins})
	l.Sync()
	if err := os.WriteFile(filepath.Join(base, "tools/a.yaml"), []byte("name: ["), 0o644); err != nil {
		t.Fatal(err)
	}
	l.Sync()
	if have := served(start()); have != "a b c d" {
		t.Fatalf("pinned, %q is served", have)
	}
	kept, err := filepath.Glob(filepath.Join(pins, "*"+pinSuffix))
	if err != nil || len(kept) != 1 {
		t.Fatal(kept, err)
	}
	for _, at := range []string{pins, kept[0]} {
		info, err := os.Stat(at)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(at, 0o777); err != nil {
			t.Fatal(err)
		}
		if have := served(start()); have != "b c d" {
			t.Errorf("%s is open, and %q is served", at, have)
		}
		if err := os.Chmod(at, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLoadFileMindsWhoMayWriteIt(t *testing.T) {
	base := exposedDir(t)
	file := filepath.Join(base, "tools/a.yaml")
	if _, ds := LoadFile(file, exec.StandardKinds(), nil); ds.HasErrors() {
		t.Fatal(ds)
	}
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, ds := LoadFile(file, exec.StandardKinds(), nil); len(ds) != 1 || ds[0].Rule != exec.RuleExposed {
		t.Error(ds)
	}
}
