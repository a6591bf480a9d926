package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFixKeepsModeAndLinks: a fix replaces what a link leads to, and the file keeps its mode.
func TestFixKeepsModeAndLinks(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "store", "a.yaml"), filepath.Join(dir, "tools", "a.yaml")
	write(t, file, "executor: {expr: '1'}\nname: a\ndescription: A. Use it. Do not use it.\n")
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../store/a.yaml", link); err != nil {
		t.Skipf("NOT TESTED: no links here: %v", err)
	}
	var errs bytes.Buffer
	if code := run(t.Context(), []string{"check", "--fix", filepath.Dir(link)}, stdio{err: &errs}); code != exitFine {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("have mode %v %v, want 0640", info.Mode(), err)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "name: a\n") {
		t.Errorf("not fixed: %v\n%s", err, text)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "store", ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestFixNeverLosesAnEdit: a file that changed since it was read is left alone.
func TestFixNeverLosesAnEdit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	write(t, path, "new")
	if err := replaceFile(path, []byte("old"), []byte("mended")); err == nil {
		t.Error("replaced")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "new" {
		t.Errorf("have %q %v", text, err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
