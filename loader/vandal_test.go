package loader

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// vandal does to a directory whatever can be done to one, and has its model note every state on the way.
type vandal struct {
	*testing.T
	base    string
	rand    *rand.Rand
	settle  time.Duration
	model   *model
	polled  bool
	version int
	failed  int
	began   time.Time // the burst
}

func (v *vandal) must(err error) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
}

func (v *vandal) root() string { return filepath.Join(v.base, "tools") }

// step does one thing, and notes what came of it. Bursts are short enough for the loader to see where they end; a machine
// that is busy makes them longer.
func (v *vandal) step(about string, err error) error {
	if err != nil {
		v.failed++
	}
	v.model.record(v.root(), about)
	if v.rand.IntN(4) == 0 {
		time.Sleep(time.Duration(v.rand.Int64N(int64(2 * v.settle))))
	}
	if time.Since(v.began) > 6*v.settle {
		time.Sleep(4 * v.settle)
		v.began = time.Now()
	}
	return err
}

// one does one thing. What cannot be done, such as moving a directory into itself, is not.
func (v *vandal) one() {
	v.version++
	if v.version%100 == 0 {
		v.tidy()
	}
	from, to, dir := v.anything(), v.somewhere(), v.directory()
	fresh := filepath.Join(dir, fmt.Sprintf("f%d.yaml", v.rand.IntN(6)))
	text := toolText(fmt.Sprintf("t%d", v.rand.IntN(1_000_000)), fmt.Sprint(v.version))
	switch v.rand.IntN(16) {
	case 0, 1:
		v.write(fresh, text)
	case 2, 3:
		v.save(fresh, text)
	case 4:
		if _, err := v.writable(from); err == nil {
			v.write(from, text)
		}
	case 5:
		v.remove(from)
	case 6, 7:
		_ = v.step("move "+from+" to "+to, os.Rename(from, to))
	case 8:
		_ = v.step("mkdir "+to, os.MkdirAll(filepath.Join(to, "deep", "er"), 0o755))
	case 9:
		if v.rand.IntN(3) == 0 {
			from = v.somewhere() // which may lead nowhere as yet
		}
		_ = v.step("link "+to+" to "+from, os.Symlink(from, to+v.pick(".yaml", "")))
	case 10:
		_ = v.step("name "+to+" for "+from, os.Link(from, to+".yaml"))
	case 11:
		_ = v.step("touch "+from, os.Chtimes(from, time.Now(), time.Now()))
	case 12:
		v.write(filepath.Join(dir, ".f.yaml"), text)
	case 13:
		if info, err := v.writable(from); err == nil && info.Size() > 0 {
			_ = v.step("truncate "+from, os.Truncate(from, v.rand.Int64N(info.Size())))
		}
	case 14:
		v.swap(from, to)
	case 15:
		if v.rand.IntN(4) == 0 {
			v.replaceRoot(text)
		}
	}
}

func (v *vandal) pick(a, b string) string {
	if v.rand.IntN(2) == 0 {
		return a
	}
	return b
}

// writable is a regular file whose change can be known: no event tells of names outside, or that are not read.
func (v *vandal) writable(name string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(), !v.polled && stampOf(info).links > 1 && (!strings.HasPrefix(name, v.root()) || !IsToolFile(filepath.Base(name))):
		return nil, fs.ErrInvalid
	}
	return info, nil
}

// write writes in place, in two halves.
func (v *vandal) write(name, text string) {
	if _, err := os.Lstat(name); err == nil {
		if _, err := v.writable(name); err != nil {
			return
		}
	}
	f, err := os.Create(name)
	if v.step("create "+name, err) != nil {
		return
	}
	half := v.rand.IntN(len(text))
	for _, part := range []string{text[:half], text[half:]} {
		_, err := f.WriteString(part)
		_ = v.step("write "+name, err)
	}
	v.must(f.Close())
}

func (v *vandal) save(name, text string) {
	temp := filepath.Join(filepath.Dir(name), ".new")
	if err := os.WriteFile(temp, []byte(text), 0o644); err == nil {
		_ = v.step("save "+name, os.Rename(temp, name))
	}
}

// remove removes what is there, one after the other.
func (v *vandal) remove(name string) {
	if info, err := os.Lstat(name); err == nil && info.IsDir() {
		entries, err := os.ReadDir(name)
		v.must(err)
		for _, e := range entries {
			v.remove(filepath.Join(name, e.Name()))
		}
	}
	_ = v.step("remove "+name, os.Remove(name))
}

// tidy removes what has gathered outside, and inside if it is much: a test of many operations is no test of many files.
func (v *vandal) tidy() {
	places := []string{filepath.Join(v.base, "out")}
	if len(v.all(func(fs.DirEntry) bool { return true })) > 150 {
		places = append(places, v.root())
	}
	for _, place := range places {
		entries, _ := os.ReadDir(place)
		for _, e := range entries {
			v.remove(filepath.Join(place, e.Name()))
		}
	}
}

// swap puts a link in place of what may be another.
func (v *vandal) swap(from, to string) {
	temp := filepath.Join(filepath.Dir(to), ".link")
	if err := os.Symlink(from, temp); err == nil {
		_ = v.step("swap "+to+" to "+from, os.Rename(temp, to))
		_ = os.Remove(temp) // if it could not be
	}
}

func (v *vandal) replaceRoot(text string) {
	if v.rand.IntN(2) == 0 {
		v.remove(v.root())
	} else {
		away := filepath.Join(v.base, "out", fmt.Sprint("root", v.version))
		_ = v.step("move the root away", os.Rename(v.root(), away))
	}
	_ = v.step("make the root", os.MkdirAll(v.root(), 0o755))
	v.write(filepath.Join(v.root(), "f0.yaml"), text)
}

// disturb writes one file without end.
func (v *vandal) disturb(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		_ = os.WriteFile(filepath.Join(v.root(), busy), []byte(toolText("busy", fmt.Sprint(i))), 0o644) // the root may be away
		time.Sleep(time.Millisecond)
	}
}

// all are files and directories below tools and out.
func (v *vandal) all(match func(fs.DirEntry) bool) []string {
	var all []string
	v.must(filepath.WalkDir(v.base, func(p string, d fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(v.base, p); err == nil && rel != "." && filepath.Base(p) != busy && match(d) {
			all = append(all, p)
		}
		return nil
	}))
	return all
}

func (v *vandal) anything() string {
	all := v.all(func(d fs.DirEntry) bool { return d.Name() != "tools" && d.Name() != "out" })
	if len(all) == 0 {
		return filepath.Join(v.base, "none")
	}
	return all[v.rand.IntN(len(all))]
}

func (v *vandal) directory() string {
	dirs := v.all(fs.DirEntry.IsDir)
	return dirs[v.rand.IntN(len(dirs))]
}

// somewhere is a place where there may be nothing yet.
func (v *vandal) somewhere() string {
	return filepath.Join(v.directory(), fmt.Sprintf("%s%d%s", v.pick("d", "e"), v.rand.IntN(4), v.pick(".yaml", "")))
}
