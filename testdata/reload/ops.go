package reload

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ops are the operations. Names are below the script's own directory; writes are in place: they truncate and write, as a
// shell's > does.
func (s *script) ops() map[string]func([]string) {
	return map[string]func([]string){
		// what is served, and how
		"only": func(a []string) {
			if s.server.Kind() != a[0] {
				s.Skipf("for a %s alone", a[0])
			}
		},
		"skiproot": func([]string) { s.skipRoot() },
		"dirs":     func(a []string) { s.dirs = a },
		"poll":     func(a []string) { s.opts.Poll = s.period(a[0]) },
		"rescan":   func(a []string) { s.opts.Rescan = s.period(a[0]) },
		"settle":   func(a []string) { s.opts.Settle = s.period(a[0]) },
		"pin":      func(a []string) { s.opts.Pin = s.at(a[0]) },
		"tests":    func([]string) { s.opts.RequireTests = true },
		"locked":   func([]string) { s.opts.Lock = s.at("toolspec.lock") },
		"approve":  func(a []string) { s.server.Approve(s.TB, s.directories(), s.opts.Lock, a) },
		"calls":    func(a []string) { s.looker.calls = a[0] == "on" },
		"start":    func([]string) { s.start() },
		"stop":     func([]string) { s.stop() },
		"kill":     func([]string) { s.kill() },
		"limit":    func(a []string) { s.server.(Tormented).Limit(a[0], a[1], s.at(a[2])) },
		"freeze":   func([]string) { s.server.(Tormented).Freeze(s.TB) },
		"thaw":     func([]string) { s.server.(Tormented).Thaw(s.TB) },
		"restart":  func([]string) { s.kill(); s.start() },

		// what happens to files
		"tool":     func(a []string) { s.write(a[0], ToolText(a[1], a[2])) },
		"write":    func(a []string) { s.write(a[0], s.text(a[1:])) },
		"save":     func(a []string) { s.save(a[0], ToolText(a[1], a[2])) },
		"append":   func(a []string) { s.append(a[0], s.text(a[1:])) },
		"slowly":   func(a []string) { s.slowly(a[0], ToolText(a[1], a[2])) },
		"many":     func(a []string) { s.many(a[0], a[1], a[2]) },
		"spoil":    func(a []string) { s.spoil(a[0]) },
		"storm":    func(a []string) { s.storm(s.number(a[0]), a[1]) },
		"truncate": func(a []string) { s.must(os.Truncate(s.at(a[0]), int64(s.number(a[1])))) },
		"rename":   func(a []string) { s.must(os.Rename(s.at(a[0]), s.at(a[1]))) },
		"rm":       func(a []string) { s.must(os.RemoveAll(s.at(a[0]))) },
		"mkdir":    func(a []string) { s.must(os.MkdirAll(s.at(a[0]), 0o755)) },
		"symlink":  func(a []string) { s.must(os.Symlink(a[0], s.at(a[1]))) },
		"swap":     func(a []string) { s.swap(a[0], a[1]) },
		"link":     func(a []string) { s.must(os.Link(s.at(a[0]), s.at(a[1]))) },
		"chmod":    func(a []string) { s.chmod(a[0], a[1]) },
		"touch":    func(a []string) { s.must(os.Chtimes(s.at(a[0]), time.Now(), time.Now())) },
		"mtime":    func(a []string) { s.mtime(a[0], a[1]) },
		"fifo":     func(a []string) { s.must(makePipe(s.at(a[0]))) },
		"wait":     func(a []string) { time.Sleep(s.period(a[0])) },

		// what must be seen
		"want":       s.want,
		"generation": s.generation,
		"still":      s.still,
		"mode":       s.mode,
		"missing":    s.missing,
		"diagnostic": s.diagnostic,
		"said":       s.said,
		"begin":      func(a []string) { s.begin(a[0], a[1], strings.Join(a[2:], " ")) },
		"end":        func(a []string) { s.answer(<-s.begun[a[0]], a[1:]) },
		"call":       func(a []string) { s.call(a[0], a[1], a[2:]) },
	}
}

func (s *script) period(text string) time.Duration {
	d, err := time.ParseDuration(text)
	s.must(err)
	return d
}

func (s *script) number(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	s.must(err)
	return n
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

func (s *script) write(name, text string) {
	s.Helper()
	s.must(os.MkdirAll(filepath.Dir(s.at(name)), 0o755))
	mode := os.FileMode(0o644)
	if strings.HasPrefix(text, "#!") {
		mode = 0o755
	}
	s.must(os.WriteFile(s.at(name), []byte(text), mode))
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

// many writes files in place, one after the other: dir/0.yaml is the tool many0, and so on.
func (s *script) many(count, dir, description string) {
	for i := range s.number(count) {
		s.write(fmt.Sprintf("%s/%d.yaml", dir, i), ToolText(fmt.Sprintf("many%d", i), description))
	}
}

// spoil cuts every file of a directory in half.
func (s *script) spoil(dir string) {
	entries, err := os.ReadDir(s.at(dir))
	s.must(err)
	for _, e := range entries {
		info, err := e.Info()
		s.must(err)
		s.must(os.Truncate(filepath.Join(s.at(dir), e.Name()), info.Size()/2))
	}
}

// storm makes more events than a queue holds: two files of a directory, created and removed in turn.
func (s *script) storm(count uint64, dir string) {
	for i := range count {
		name := s.at(fmt.Sprintf("%s/storm%d.yaml", dir, i%2))
		s.must(os.WriteFile(name, nil, 0o644))
		s.must(os.Remove(name))
	}
}

func (s *script) swap(target, link string) {
	s.must(os.Symlink(target, s.at(link+"_tmp")))
	s.must(os.Rename(s.at(link+"_tmp"), s.at(link)))
}

func (s *script) chmod(mode, name string) {
	n, err := strconv.ParseUint(mode, 8, 32)
	s.must(err)
	s.must(os.Chmod(s.at(name), os.FileMode(n)))
}

func (s *script) mtime(name, day string) {
	when, err := time.Parse(time.DateOnly, day)
	s.must(err)
	s.must(os.Chtimes(s.at(name), when, when))
}

func (s *script) skipRoot() {
	if os.Geteuid() == 0 {
		s.Skip("the superuser may read everything")
	}
}

// want waits until exactly this is served, and checks that nothing else was seen on the way. N*many=x stands for the
// tools of many.
func (s *script) want(words []string) {
	var want []string
	for _, w := range words {
		if count, is, ok := strings.Cut(w, "*many="); ok {
			for i := range s.number(count) {
				want = append(want, fmt.Sprintf("many%d=%s", i, is))
			}
			continue
		}
		want = append(want, w)
	}
	tools := slices.DeleteFunc(slices.Clone(want), func(w string) bool { return !strings.Contains(w, "=") })
	slices.Sort(tools)
	all := append(slices.Clone(tools), slices.DeleteFunc(want, func(w string) bool { return strings.Contains(w, "=") || w == "none" })...)
	line := strings.Join(all, " ")
	if line == "" {
		line = "none"
	}
	s.eventually(func(v View) string {
		if have := s.shown(v); have != line {
			return "want " + line + ", have " + have
		}
		return ""
	})
	if !s.Failed() {
		s.looker.wanted(s.TB, tools)
	}
}

// generation waits until there were so many generations since the last such check, and checks that it were no more.
func (s *script) generation(words []string) {
	want := s.number(words[0])
	s.eventually(func(v View) string {
		if have := v.Generation - s.marked; have < want {
			return fmt.Sprintf("want %d generations more, have %d", want, have)
		}
		return ""
	})
	if have := s.view().Generation - s.marked; have != want {
		s.Errorf("want %d generations more, have %d", want, have)
	}
	s.mark()
}

// still is the tool that still adds.
const still = "zz_still"

// still checks that nothing is on its way: a tool added now, and taken away, is all that changes.
func (s *script) still([]string) {
	if _, err := os.Stat(s.at(s.dirs[0])); err != nil {
		return
	}
	file := s.dirs[0] + "/" + still + ".yaml"
	before := s.view()
	alone := func(more uint64, there bool) {
		s.eventually(func(v View) string {
			listed := slices.ContainsFunc(v.Tools, func(t Tool) bool { return t.Name == still })
			switch {
			case listed != there:
				return fmt.Sprintf("%s is listed: %v, want %v", still, listed, there)
			case v.Generation != before.Generation+more || v.String() != before.String():
				s.Errorf("more changed than was asked for: generation %d to %d, %s to %s", before.Generation, v.Generation, before, v)
			}
			return ""
		})
	}
	s.write(file, ToolText(still, "."))
	alone(1, true)
	s.must(os.Remove(s.at(file)))
	alone(2, false)
	s.mark()
}

func (s *script) mode(words []string) {
	s.eventually(func(v View) string {
		if v.Mode != words[0] || !v.Scanned {
			return fmt.Sprintf("have %+v", v)
		}
		return ""
	})
}

func (s *script) missing(words []string) {
	s.eventually(func(v View) string {
		if strconv.FormatBool(v.Missing) != words[0] {
			return fmt.Sprintf("missing: have %v", v.Missing)
		}
		return ""
	})
}

func (s *script) diagnostic(words []string) {
	want := strings.Join(words, " ")
	s.eventually(func(v View) string {
		have := s.diagnostics(v)
		if want == "none" && len(have) == 0 || slices.ContainsFunc(have, func(h string) bool { return strings.Contains(h, want) }) {
			return ""
		}
		return fmt.Sprintf("want %q, have %q", want, have)
	})
}

// said waits until a server that writes a log wrote this.
func (s *script) said(words []string) {
	server, ok := s.server.(Tormented)
	if !ok {
		return
	}
	want := strings.Join(words, " ")
	s.eventually(func(View) string {
		if have := server.Said(); !strings.Contains(have, want) {
			return fmt.Sprintf("want %q, it said:\n%s", want, have)
		}
		return ""
	})
}

// begin makes a call that goes on beside what follows.
func (s *script) begin(label, name, input string) {
	answer := make(chan Answer, 1)
	s.begun[label] = answer
	go func() {
		a, err := s.server.Call(name, input)
		if err != nil {
			a.Text = err.Error()
		}
		answer <- a
	}()
}

func (s *script) call(name, input string, want []string) {
	a, err := s.server.Call(name, input)
	s.must(err)
	s.answer(a, want)
}

func (s *script) answer(a Answer, want []string) {
	text := a.Text
	if !a.Found {
		text = "not found"
	}
	if text != strings.Join(want, " ") {
		s.Errorf("want %q, was answered %q", strings.Join(want, " "), text)
	}
}
