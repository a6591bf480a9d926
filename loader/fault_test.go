package loader

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/toolspec/toolspec/registry"
)

// faulty is a directory whose n-th operation fails, or ends early. Every operation counts: open, read, stat, readdir.
type faulty struct {
	disk
	count, failAt int
	short         bool
}

func (f *faulty) fails() bool {
	f.count++
	return f.count == f.failAt
}

func (f *faulty) Open(name string) (fs.File, error) {
	if f.fails() {
		return nil, syscall.EMFILE
	}
	file, err := f.disk.Open(name)
	return faultyFile{file, f}, err
}

func (f *faulty) Stat(name string) (fs.FileInfo, error) {
	if f.fails() {
		return nil, syscall.EIO
	}
	return f.disk.Stat(name)
}

func (f *faulty) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := f.disk.ReadDir(name)
	if f.fails() {
		return entries[:len(entries)/2], syscall.EIO
	}
	return entries, err
}

type faultyFile struct {
	fs.File
	of *faulty
}

func (f faultyFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	switch {
	case !f.of.fails():
		return n, err
	case f.of.short:
		return n / 2, io.EOF
	}
	return 0, syscall.EIO
}

func (f faultyFile) Stat() (fs.FileInfo, error) {
	if f.of.fails() {
		return nil, syscall.EIO
	}
	return f.File.Stat()
}

// Whatever fails below, what is served was on disk at some time, what was served and is not touched stays served, and
// the next look finds the truth.
func TestFaultsBelow(t *testing.T) {
	for _, short := range []bool{false, true} {
		done := false
		for n := 1; !done; n++ {
			t.Run(fmt.Sprint("operation ", n, " ends early: ", short), func(t *testing.T) { done = !survives(t, n, short) })
		}
	}
}

// survives has the n-th operation of each look fail; false if there were fewer.
func survives(t *testing.T, n int, short bool) bool {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	below := &faulty{disk: disk(dir), short: short}
	reg := registry.New()
	l := New(reg, dir, testKinds(), nil, Options{FS: below})
	reached := false
	look := func(must, may, then string) {
		t.Helper()
		below.count, below.failAt = 0, n
		l.Sync()
		reached = reached || below.count >= n
		have := " " + names(reg.Snapshot()) + " "
		for tool := range strings.FieldsSeq(must) {
			if !strings.Contains(have, " "+tool+" ") {
				t.Errorf("with the fault: %s is not served: %s", tool, have)
			}
		}
		for tool := range strings.FieldsSeq(have) {
			if !strings.Contains(" "+may+" ", " "+tool+" ") {
				t.Errorf("with the fault: %s is served, which was on disk at no time", tool)
			}
		}
		below.failAt = 0
		l.Sync()
		if have := names(reg.Snapshot()); have != then {
			t.Errorf("after the fault: have %s, want %s", have, then)
		}
		for e := range reg.Snapshot().Entries() {
			if e.State != registry.StateReady {
				t.Errorf("after the fault: %+v", e)
			}
		}
	}
	put("a.yaml", toolText("a", "1"))
	put("sub/b.yaml", toolText("b", "1"))
	put("sub/sub/c.yaml", toolText("c", "1"))
	put("_out/e.yaml", toolText("e", "1"))
	if err := os.Symlink("_out", filepath.Join(dir, "linked")); err != nil {
		t.Skip(err)
	}
	look("", "a=1 b=1 c=1 e=1", "a=1 b=1 c=1 e=1")
	put("sub/b.yaml", toolText("b", "2"))
	look("a=1 c=1 e=1", "a=1 b=1 b=2 c=1 e=1", "a=1 b=2 c=1 e=1")
	if err := os.Remove(filepath.Join(dir, "a.yaml")); err != nil {
		t.Fatal(err)
	}
	look("b=2 c=1 e=1", "a=1 b=2 c=1 e=1", "b=2 c=1 e=1")
	put("sub/new/d.yaml", toolText("d", "1"))
	look("b=2 c=1 e=1", "b=2 c=1 d=1 e=1", "b=2 c=1 d=1 e=1")
	if err := os.RemoveAll(filepath.Join(dir, "sub/sub")); err != nil {
		t.Fatal(err)
	}
	look("b=2 d=1 e=1", "b=2 c=1 d=1 e=1", "b=2 d=1 e=1")
	return reached
}

// names is what is served, as name=description.
func names(s *registry.Snapshot) string {
	var parts []string
	for tool := range s.All() {
		parts = append(parts, tool.Spec.Name+"="+tool.Spec.Description)
	}
	return strings.Join(parts, " ")
}
