package loader

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// testKinds are one kind that needs nothing, so that reloading is tested by itself.
func testKinds() exec.Kinds {
	return exec.Kinds{"expr": func(site *exec.Site, config spec.Section) (exec.Executor, spec.Diagnostics) {
		if text, _ := config.Text(); strings.HasPrefix(text.Value, "script ") {
			site.CountScript(filepath.Join(filepath.Dir(site.Spec.Pos.File), strings.TrimPrefix(text.Value, "script ")))
		}
		return exec.ExecutorFunc(func(context.Context, *exec.Call) (any, error) { return site.Spec.Description, nil }), nil
	}}
}

// toolText is a tool file.
func toolText(name, description string) string {
	return "name: " + name + "\ndescription: " + description + "\nexecutor: {expr: '1'}\n"
}

// TestScripts runs testdata/reload/*.txtar against a loader at work. A script is the archive's comment, a line an
// operation (see [script.ops]); the archive's files are laid out first, the tools are those in tools/.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("../testdata/reload/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runScript(t, file)
		})
	}
}

type script struct {
	*testing.T
	base    string
	archive *txtar.Archive
	opts    Options
	reg     *registry.Registry
	loaders []*Loader
	dirs    []string
	stop    []func()
	marked  uint64 // generation at the last mark
}

func runScript(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{T: t, base: t.TempDir(), archive: archive, reg: registry.New(), dirs: []string{"tools"}}
	s.must(os.Mkdir(s.at("tools"), 0o755))
	for _, f := range archive.Files {
		s.write(f.Name, string(f.Data))
	}
	defer s.end()
	for i, line := range strings.Split(string(archive.Comment), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		op := s.ops()[words[0]]
		if op == nil {
			t.Fatalf("line %d: no operation %s", i+1, words[0])
		}
		op(words[1:])
		if t.Failed() {
			t.Fatalf("%s:%d: %s\nserved: %s", file, i+1, line, s.served())
		}
	}
	if s.stop != nil && !t.Skipped() {
		s.still(nil)
	}
}

func (s *script) at(name string) string { return filepath.Join(s.base, filepath.FromSlash(name)) }

func (s *script) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *script) write(name, text string) {
	s.Helper()
	s.must(os.MkdirAll(filepath.Dir(s.at(name)), 0o755))
	s.must(os.WriteFile(s.at(name), []byte(text), 0o644))
}

// ops are the operations. Names are below the script's own directory; in-place writes truncate and write, as a shell's
// > does.
func (s *script) ops() map[string]func([]string) {
	return map[string]func([]string){
		"dirs":     func(a []string) { s.dirs = a },
		"poll":     func(a []string) { d, err := time.ParseDuration(a[0]); s.must(err); s.opts.Poll = d },
		"rescan":   func(a []string) { d, err := time.ParseDuration(a[0]); s.must(err); s.opts.Rescan = d },
		"settle":   func(a []string) { d, err := time.ParseDuration(a[0]); s.must(err); s.opts.Settle = d },
		"start":    func([]string) { s.start() },
		"skiproot": func([]string) { s.skipRoot() },
		"tool":     func(a []string) { s.write(a[0], toolText(a[1], a[2])) },
		"write":    func(a []string) { s.write(a[0], s.text(a[1:])) },
		"save":     func(a []string) { s.save(a[0], toolText(a[1], a[2])) },
		"append":   func(a []string) { s.append(a[0], s.text(a[1:])) },
		"slowly":   func(a []string) { s.slowly(a[0], toolText(a[1], a[2])) },
		"truncate": func(a []string) { n, err := strconv.Atoi(a[1]); s.must(err); s.must(os.Truncate(s.at(a[0]), int64(n))) },
		"mv":       func(a []string) { s.must(os.Rename(s.at(a[0]), s.at(a[1]))) },
		"rm":       func(a []string) { s.must(os.RemoveAll(s.at(a[0]))) },
		"mkdir":    func(a []string) { s.must(os.MkdirAll(s.at(a[0]), 0o755)) },
		"symlink":  func(a []string) { s.must(os.Symlink(a[0], s.at(a[1]))) },
		"swap": func(a []string) {
			s.must(os.Symlink(a[0], s.at(a[1]+"_tmp")))
			s.must(os.Rename(s.at(a[1]+"_tmp"), s.at(a[1])))
		},
		"link": func(a []string) { s.must(os.Link(s.at(a[0]), s.at(a[1]))) },
		"chmod": func(a []string) {
			n, err := strconv.ParseUint(a[0], 8, 32)
			s.must(err)
			s.must(os.Chmod(s.at(a[1]), os.FileMode(n)))
		},
		"touch": func(a []string) { s.must(os.Chtimes(s.at(a[0]), time.Now(), time.Now())) },
		"mtime": func(a []string) {
			when, err := time.Parse(time.DateOnly, a[1])
			s.must(err)
			s.must(os.Chtimes(s.at(a[0]), when, when))
		},
		"fifo":       func(a []string) { s.must(makePipe(s.at(a[0]))) },
		"sleep":      func(a []string) { d, err := time.ParseDuration(a[0]); s.must(err); time.Sleep(d) },
		"want":       s.want,
		"generation": s.generation,
		"still":      s.still,
		"mode":       s.mode,
		"missing":    s.missing,
		"diagnostic": s.diagnostic,
	}
}

func (s *script) text(words []string) string {
	if len(words) == 1 {
		for _, f := range s.archive.Files {
			if f.Name == words[0] {
				return string(f.Data)
			}
		}
	}
	return strings.ReplaceAll(strings.Join(words, " "), `\n`, "\n")
}

func (s *script) save(name, text string) {
	temp := filepath.Join(filepath.Dir(s.at(name)), ".new")
	s.must(os.WriteFile(temp, []byte(text), 0o644))
	s.must(os.Rename(temp, s.at(name)))
}

func (s *script) append(name, text string) {
	f, err := os.OpenFile(s.at(name), os.O_APPEND|os.O_WRONLY, 0)
	s.must(err)
	_, err = f.WriteString(text)
	s.must(err)
	s.must(f.Close())
}

// slowly writes a file byte by byte, with pauses shorter than the settle time.
func (s *script) slowly(name, text string) {
	s.write(name, "")
	for _, c := range text {
		s.append(name, string(c))
		time.Sleep(time.Millisecond)
	}
}

func (s *script) skipRoot() {
	if os.Geteuid() == 0 {
		s.Skip("the superuser may read everything")
	}
}

func (s *script) start() {
	ctx, cancel := context.WithCancel(context.Background())
	for _, dir := range s.dirs {
		l := New(s.reg, s.at(dir), testKinds(), nil, s.opts)
		l.Sync()
		s.loaders = append(s.loaders, l)
		ended := make(chan error, 1)
		go func() { ended <- l.Run(ctx) }()
		s.stop = append(s.stop, func() {
			cancel()
			if err := <-ended; err != nil {
				s.Error(err)
			}
		})
	}
	s.Cleanup(cancel)
	for _, l := range s.loaders {
		s.eventually(func() string {
			if l.Status().Mode == "" {
				return "it does not watch yet"
			}
			return ""
		})
	}
	s.mark()
}

func (s *script) end() {
	for _, stop := range s.stop {
		stop()
	}
}

func (s *script) mark() { s.marked = s.reg.Snapshot().Generation() }

// eventually waits until nothing is wrong.
func (s *script) eventually(wrong func() string) {
	s.Helper()
	var last string
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if last = wrong(); last == "" {
			return
		}
	}
	s.Error(last)
}

// served is the tools as name=description, with the state if it is not ready, and other files as state:file.
func (s *script) served() string {
	var parts []string
	snapshot := s.reg.Snapshot()
	for t := range snapshot.All() {
		e, _ := snapshot.Entry(t.Spec.Name)
		part := t.Spec.Name + "=" + t.Spec.Description
		if e.State != registry.StateReady {
			part += ":" + string(e.State)
		}
		parts = append(parts, part)
	}
	for e := range snapshot.Entries() {
		if e.State == registry.StateBroken || e.State == registry.StateShadowed {
			file, _ := filepath.Rel(s.base, e.File)
			parts = append(parts, string(e.State)+":"+filepath.ToSlash(file))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, " ")
}

func (s *script) want(words []string) {
	want := strings.Join(words, " ")
	s.eventually(func() string {
		if have := s.served(); have != want {
			return "want " + want + ", have " + have
		}
		return ""
	})
}

// generation waits until there were so many generations since the last such check, and checks that it were no more.
func (s *script) generation(words []string) {
	want, err := strconv.ParseUint(words[0], 10, 64)
	s.must(err)
	s.eventually(func() string {
		if have := s.reg.Snapshot().Generation() - s.marked; have < want {
			return fmt.Sprintf("want %d generations more, have %d", want, have)
		}
		return ""
	})
	if have := s.reg.Snapshot().Generation() - s.marked; have != want {
		s.Errorf("want %d generations more, have %d", want, have)
	}
	s.mark()
}

// still checks that nothing is on its way: a tool added now, and taken away, is all that changes.
func (s *script) still([]string) {
	if _, err := os.Stat(s.at(s.dirs[0])); err != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	changes := s.reg.Subscribe(ctx)
	file := s.dirs[0] + "/zz_still.yaml"
	alone := func(change registry.Change) {
		if !slices.Equal(change.Files, []string{s.at(file)}) {
			s.Errorf("more changed than was asked for: %+v", change)
		}
	}
	s.write(file, toolText("zz_still", "."))
	alone(<-changes)
	s.must(os.Remove(s.at(file)))
	alone(<-changes)
	s.mark()
}

func (s *script) mode(words []string) {
	s.eventually(func() string {
		if st := s.loaders[0].Status(); st.Mode != words[0] || st.LastScan.IsZero() {
			return fmt.Sprintf("have %+v", st)
		}
		return ""
	})
}

func (s *script) missing(words []string) {
	s.eventually(func() string {
		if have := s.loaders[0].Status().Missing; strconv.FormatBool(have) != words[0] {
			return fmt.Sprintf("missing: have %v", have)
		}
		return ""
	})
}

func (s *script) diagnostic(words []string) {
	want := strings.Join(words, " ")
	var have []string
	for e := range s.reg.Snapshot().Entries() {
		for _, d := range e.Diagnostics {
			have = append(have, strings.ReplaceAll(d.Error(), s.base+string(filepath.Separator), ""))
		}
	}
	if want == "none" && len(have) == 0 {
		return
	}
	if !slices.ContainsFunc(have, func(h string) bool { return strings.Contains(h, want) }) {
		s.Errorf("want %q, have %q", want, have)
	}
}
