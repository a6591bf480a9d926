package loader

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/toolspec/toolspec/registry"
)

var operations = flag.Int("operations", 300, "how many operations TestRandomOperations does with each seed")

// TestRandomOperations does to a directory whatever can be done to one; at rest, what is served is what a loader finds
// that starts afresh.
func TestRandomOperations(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			vandal := &vandal{T: t, base: t.TempDir(), rand: rand.New(rand.NewPCG(seed, 0))}
			vandal.must(os.Mkdir(filepath.Join(vandal.base, "tools"), 0o755))
			vandal.must(os.Mkdir(filepath.Join(vandal.base, "out"), 0o755))
			vandal.run()
		})
	}
}

type vandal struct {
	*testing.T
	base    string
	rand    *rand.Rand
	version int
	log     []string
}

func (v *vandal) must(err error) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
}

func (v *vandal) run() {
	reg := registry.New()
	dir := filepath.Join(v.base, "tools")
	opts := Options{Settle: 5 * time.Millisecond, MaxSettle: 50 * time.Millisecond, MaxBatch: 200 * time.Millisecond, Rescan: time.Hour}
	l := New(reg, dir, testKinds(), nil, opts)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	for i := range *operations {
		v.one()
		if v.rand.IntN(3) == 0 {
			time.Sleep(time.Duration(v.rand.IntN(12)) * time.Millisecond)
		}
		if i%20 == 19 && !v.converges(reg, dir) {
			return
		}
	}
}

// converges waits until what is served is what is there.
func (v *vandal) converges(reg *registry.Registry, dir string) bool {
	fresh := registry.New()
	New(fresh, dir, testKinds(), nil, Options{}).Sync()
	want := names(fresh.Snapshot())
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if names(reg.Snapshot()) == want {
			v.log = v.log[:0]
			return true
		}
	}
	v.Errorf("after %q:\nserved %s\nwant   %s", v.log, names(reg.Snapshot()), want)
	return false
}

// one does one thing. What cannot be done, such as moving a directory into itself, is not.
func (v *vandal) one() {
	v.version++
	from, to, dir := v.anything(), v.somewhere(), v.directory()
	fresh := filepath.Join(dir, fmt.Sprintf("f%d.yaml", v.rand.IntN(6)))
	text := []byte(toolText(fmt.Sprintf("t%d", v.rand.IntN(1_000_000)), fmt.Sprint(v.version)))
	ops := []struct {
		name string
		do   func() error
	}{
		{"write " + fresh, func() error { return os.WriteFile(fresh, text, 0o644) }},
		{"save " + fresh, func() error { return v.save(fresh, text) }},
		{"edit " + from, func() error { return v.edit(from, text) }},
		{"remove " + from, func() error { return os.RemoveAll(from) }},
		{"move " + from + " to " + to, func() error { return os.Rename(from, to) }},
		{"mkdir " + to, func() error { return os.MkdirAll(filepath.Join(to, "deep", "er"), 0o755) }},
		{"link " + to + " to " + from, func() error { return os.Symlink(from, to+v.pick(".yaml", "")) }},
		{"name " + to + " for " + from, func() error { return os.Link(from, to+".yaml") }},
		{"touch " + from, func() error { return os.Chtimes(from, time.Now(), time.Now()) }},
		{"litter " + dir, func() error { return os.WriteFile(filepath.Join(dir, ".f.yaml"), text, 0o644) }},
		{"replace the root", func() error { return v.replaceRoot(text) }},
	}
	op := ops[v.rand.IntN(len(ops))]
	if op.name == "replace the root" && v.rand.IntN(4) > 0 {
		return
	}
	result := ""
	if op.do() != nil {
		result = " (not done)"
	}
	v.log = append(v.log, op.name+result)
}

func (v *vandal) pick(a, b string) string {
	if v.rand.IntN(2) == 0 {
		return a
	}
	return b
}

func (v *vandal) save(name string, text []byte) error {
	temp := filepath.Join(filepath.Dir(name), ".new")
	if err := os.WriteFile(temp, text, 0o644); err != nil {
		return err
	}
	return os.Rename(temp, name)
}

// edit writes to what is there, if it is a file.
func (v *vandal) edit(name string, text []byte) error {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return fs.ErrInvalid
	}
	return os.WriteFile(name, text, 0o644)
}

func (v *vandal) replaceRoot(text []byte) error {
	root := filepath.Join(v.base, "tools")
	if v.rand.IntN(2) == 0 {
		v.must(os.RemoveAll(root))
	} else {
		v.must(os.Rename(root, filepath.Join(v.base, "out", fmt.Sprint("root", v.version))))
	}
	v.must(os.Mkdir(root, 0o755))
	return os.WriteFile(filepath.Join(root, "f0.yaml"), text, 0o644)
}

// anything is a file or a directory below tools or out.
func (v *vandal) anything() string {
	var all []string
	v.must(filepath.WalkDir(v.base, func(p string, _ fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(v.base, p); err == nil && rel != "." && rel != "tools" && rel != "out" {
			all = append(all, p)
		}
		return nil
	}))
	if len(all) == 0 {
		return filepath.Join(v.base, "none")
	}
	return all[v.rand.IntN(len(all))]
}

func (v *vandal) directory() string {
	var dirs []string
	v.must(filepath.WalkDir(v.base, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && p != v.base {
			dirs = append(dirs, p)
		}
		return nil
	}))
	return dirs[v.rand.IntN(len(dirs))]
}

// somewhere is a place where there may be nothing yet.
func (v *vandal) somewhere() string {
	return filepath.Join(v.directory(), fmt.Sprintf("%s%d%s", v.pick("d", "e"), v.rand.IntN(4), v.pick(".yaml", "")))
}
