// Package reload runs the scripts beside it against whatever serves a directory: a loader in a test's own process, or the
// built binary. A script is an archive: its files are laid out first, then each line of its comment is an operation (see
// ops.go). While it runs, what is listed and what calls answer is looked at all the while: nothing is ever seen but what
// the script wants before and after.
package reload

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolspec/toolspec/spec"
)

// Options are how directories are followed.
type Options struct {
	Poll, Rescan, Settle time.Duration
	Pin                  string
	RequireTests         bool
	Lock                 string
}

// Batch is how long a batch is waited for: for longer than a busy machine needs to write one.
const Batch = 20 * time.Second

// Server serves directories.
type Server interface {
	Kind() string // process or binary; a script may be for one alone
	Start(t testing.TB, dirs []string, o Options)
	Stop(t testing.TB)
	Kill(t testing.TB) // without a word
	Approve(t testing.TB, dirs []string, lock string, names []string)
	View() (View, error)
	Call(name, input string) (Answer, error)
}

// Tormented is a server that can be hindered from outside, and heard.
type Tormented interface {
	Limit(what, at, raise string) // how many inotify watches or instances it may have, until the file raise is there
	Freeze(t testing.TB)
	Thaw(t testing.TB)
	Said() string // on stderr
}

// Answer is what came of a call.
type Answer struct {
	Text  string
	Found bool
}

// ReadAnswer makes an answer of a result.
func ReadAnswer(r spec.ToolResult) (Answer, error) {
	a := Answer{Found: r.Metadata.Error == nil || r.Metadata.Error.Code != spec.CodeNotFound && r.Metadata.Error.Code != spec.CodeDenied}
	if a.Found && (len(r.Content) != 1 || r.Content[0].Text == nil) {
		return a, fmt.Errorf("want one text, have %+v", r.Content)
	}
	if a.Found {
		a.Text = *r.Content[0].Text
	}
	return a, nil
}

// View is what a server shows at one moment.
type View struct {
	Generation  uint64
	Tools       []Tool   // sorted by name
	Others      []string // files that give no tool, as state:file
	Diagnostics []string
	Mode        string // of the first directory
	Missing     bool
	Scanned     bool
}

// Tool is one tool of a view.
type Tool struct{ Name, Description, State string }

func (t Tool) String() string {
	s := t.Name + "=" + t.Description
	if t.State != "ready" {
		s += ":" + t.State
	}
	return s
}

// String is the view as scripts write it.
func (v View) String() string {
	parts := toolStrings(v.Tools)
	parts = append(parts, v.Others...)
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, " ")
}

func toolStrings(tools []Tool) []string {
	var parts []string
	for _, t := range tools {
		if t.Name != still {
			parts = append(parts, t.String())
		}
	}
	slices.Sort(parts)
	return parts
}

// ToolText is a tool file. What the tool answers is its description.
func ToolText(name, description string) string {
	return "name: " + name + "\ndescription: " + description + "\nexecutor: {expr: '\"" + description + "\"'}\n"
}

// script is one run of an archive.
type script struct {
	testing.TB
	server  Server
	base    string
	archive *txtar.Archive
	dirs    []string
	opts    Options
	running bool
	marked  uint64 // generation at the last mark
	looker  looker
	begun   map[string]chan Answer
}

// Run runs one archive.
func Run(t testing.TB, file string, server Server) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{TB: t, server: server, base: t.TempDir(), archive: archive, dirs: []string{"tools"}, begun: map[string]chan Answer{}}
	s.looker.calls = true
	s.opts.Settle = 150 * time.Millisecond // on a machine that is busy, the script itself may pause for longer than the default
	s.must(os.Mkdir(s.at("tools"), 0o755))
	for _, f := range archive.Files {
		s.write(f.Name, string(f.Data))
	}
	defer s.end()
	ops := s.ops()
	for i, line := range strings.Split(string(archive.Comment), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		op := ops[words[0]]
		if op == nil {
			t.Fatalf("line %d: no operation %s", i+1, words[0])
		}
		op(words[1:])
		if t.Failed() {
			view, err := server.View()
			if heard, ok := server.(Tormented); ok {
				t.Logf("it said:\n%s", saidBesideCalls(heard))
			}
			t.Fatalf("%s:%d: %s\nserved: %.500s %v\n%s", file, i+1, line, view, err, strings.Join(view.Diagnostics, "\n"))
		}
	}
	if s.running {
		s.still(nil)
	}
}

func (s *script) end() {
	if s.running {
		s.stop()
	}
}

func (s *script) at(name string) string { return filepath.Join(s.base, filepath.FromSlash(name)) }

func (s *script) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// directories are those that are served.
func (s *script) directories() []string {
	dirs := make([]string, len(s.dirs))
	for i, dir := range s.dirs {
		dirs[i] = s.at(dir)
	}
	return dirs
}

func (s *script) start() {
	s.server.Start(s.TB, s.directories(), s.opts)
	s.running = true
	s.eventually(func(v View) string {
		if v.Mode == "" {
			return "it does not watch yet"
		}
		return ""
	})
	s.mark()
	s.looker.begin(s.server)
}

func (s *script) stop() {
	s.looker.end()
	s.running = false
	s.server.Stop(s.TB)
}

func (s *script) kill() {
	s.looker.end()
	s.running = false
	s.server.Kill(s.TB)
}

func (s *script) view() View {
	v, err := s.server.View()
	s.must(err)
	return v
}

func (s *script) mark() { s.marked = s.view().Generation }

// eventually waits until nothing is wrong.
func (s *script) eventually(wrong func(View) string) {
	s.Helper()
	var last string
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(3 * time.Millisecond) {
		if last = wrong(s.view()); last == "" {
			return
		}
	}
	s.Error(last)
}

// diagnostics are those of a view, by files' names below the script's directory.
func (s *script) diagnostics(v View) []string {
	own := slices.Clone(v.Diagnostics)
	for i, d := range own {
		own[i] = strings.ReplaceAll(d, s.base+string(filepath.Separator), "")
	}
	return own
}

func (s *script) shown(v View) string {
	return strings.ReplaceAll(v.String(), s.base+string(filepath.Separator), "")
}

// saidBesideCalls is what a server wrote that does not tell of a call: those are the looker's, by the hundred.
func saidBesideCalls(server Tormented) string {
	lines := slices.DeleteFunc(strings.Split(server.Said(), "\n"), func(line string) bool { return strings.Contains(line, "msg=call ") })
	return strings.Join(lines, "\n")
}
