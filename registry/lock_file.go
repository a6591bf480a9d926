package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// The lines that a lock file is made of. It is YAML, for whoever reads along; we write one form of it and read no other, so that
// there is one way to understand it, and a lock of ten thousand tools is read in no time.
const (
	lockHead    = "# Tools as they were approved. toolspec lock writes this file; review what changes in it as you would review code.\n"
	lockVersion = "version: "
	lockTools   = "tools:"
	lockNone    = "tools: []"
	lockName    = "- name: "
	lockDigest  = "  digest: "
	lockScripts = "  scripts:"
	lockScript  = "  - "
	lockFile    = "  file: |"
	lockIndent  = "    "
)

// lockScriptEntry is a script as a line of the lock has it.
type lockScriptEntry struct {
	Path string `json:"path"`
	Sum  string `json:"sum"`
}

// Bytes are the lock as a file: the same for the same approvals.
func (l *Lock) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString(lockHead + lockVersion + "1\n")
	if len(l.approved) == 0 {
		b.WriteString(lockNone + "\n")
		return b.Bytes()
	}
	b.WriteString(lockTools + "\n")
	for _, a := range l.Approvals() {
		b.WriteString(lockName + a.Name + "\n" + lockDigest + a.Digest + "\n")
		if len(a.Scripts) > 0 {
			b.WriteString(lockScripts + "\n")
		}
		for _, s := range a.Scripts {
			entry, _ := json.Marshal(lockScriptEntry(s)) // two texts always encode
			b.WriteString(lockScript + string(entry) + "\n")
		}
		b.WriteString(lockFile + "\n")
		for line := range strings.Lines(a.File) {
			if line != "\n" {
				line = lockIndent + line
			}
			b.WriteString(line)
		}
	}
	return b.Bytes()
}

// ParseLock reads a lock file strictly: what is not as [Lock.Bytes] writes it, but for comments before the version, is refused.
func ParseLock(file string, src []byte) (*Lock, spec.Diagnostics) {
	r := &lockReader{file: file}
	if !utf8.Valid(src) {
		return nil, spec.Diagnostics{r.fault("want UTF-8, have other bytes")}
	}
	text := strings.TrimSuffix(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
	r.lines = strings.Split(text, "\n")
	approvals, fault := r.read()
	if fault != nil {
		return nil, spec.Diagnostics{*fault}
	}
	return NewLock(file, approvals), nil
}

// lockReader reads a lock line by line.
type lockReader struct {
	file  string
	lines []string
	at    int // the line that is next
}

func (r *lockReader) fault(format string, args ...any) spec.Diagnostic {
	return spec.Errorf(spec.Pos{File: r.file, Line: r.at + 1, Column: 1}, "lock", format, args...)
}

// want is the fault of a line that is another than the one that is due.
func (r *lockReader) want(wanted string) *spec.Diagnostic {
	line, ok := r.peek()
	d := r.fault("want %q, as toolspec lock writes it, have %.60q", wanted, line)
	switch {
	case !ok:
		d = r.fault("it ends too early: want %q", wanted)
	case strings.HasPrefix(line, "<<<<<<<") || strings.HasPrefix(line, "=======") || strings.HasPrefix(line, ">>>>>>>"):
		d = r.fault("two versions of the lock were merged, and a conflict was left; take one of them, and run toolspec lock")
	}
	return &d
}

func (r *lockReader) peek() (line string, ok bool) {
	if r.at < len(r.lines) {
		return r.lines[r.at], true
	}
	return "", false
}

// take is the rest of the next line, if it starts so.
func (r *lockReader) take(prefix string) (rest string, ok bool) {
	line, _ := r.peek()
	if rest, ok = strings.CutPrefix(line, prefix); ok {
		r.at++
	}
	return rest, ok
}

func (r *lockReader) read() ([]Approval, *spec.Diagnostic) {
	for {
		if line, ok := r.peek(); !ok || line != "" && line[0] != '#' {
			break
		}
		r.at++
	}
	version, ok := r.take(lockVersion)
	switch {
	case !ok:
		return nil, r.want(lockVersion + "1")
	case version != "1":
		r.at--
		d := r.fault("want version 1, have %.20q, which another version of toolspec has written", version)
		return nil, &d
	}
	line, _ := r.peek()
	if r.at++; line == lockNone && r.at == len(r.lines) {
		return nil, nil
	}
	if line != lockTools || r.at == len(r.lines) {
		r.at--
		return nil, r.want(lockTools)
	}
	var all []Approval
	seen := map[string]bool{}
	for r.at < len(r.lines) {
		start := r.at
		a, fault := r.approval()
		if fault == nil && seen[a.Name] {
			r.at = start
			d := r.fault("%s stands here for the second time", a.Name)
			fault = &d
		}
		if fault != nil {
			return nil, fault
		}
		seen[a.Name] = true
		all = append(all, a)
	}
	return all, nil
}

var sumPattern = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

func (r *lockReader) approval() (a Approval, fault *spec.Diagnostic) {
	var ok bool
	if a.Name, ok = r.take(lockName); !ok {
		return a, r.want(lockName + "…")
	}
	if why := spec.NameFault(a.Name); why != "" {
		return a, r.before("name: %s", why)
	}
	if a.Digest, ok = r.take(lockDigest); !ok {
		return a, r.want(lockDigest + "sha256:…")
	}
	if !sumPattern.MatchString(a.Digest) {
		return a, r.before("digest: want sha256: and 64 hexadecimal digits, have %.80q", a.Digest)
	}
	if line, _ := r.peek(); line == lockScripts {
		r.at++
		if a.Scripts, fault = r.scripts(); fault != nil {
			return a, fault
		}
	}
	if line, _ := r.peek(); line != lockFile {
		return a, r.want(lockFile)
	}
	r.at++
	a.File = r.block()
	return a, nil
}

// before is a fault of the line that was taken last.
func (r *lockReader) before(format string, args ...any) *spec.Diagnostic {
	r.at--
	d := r.fault(format, args...)
	return &d
}

func (r *lockReader) scripts() (all []exec.Script, fault *spec.Diagnostic) {
	for {
		text, ok := r.take(lockScript)
		if !ok && len(all) == 0 {
			return nil, r.want(lockScript + "{…}")
		}
		if !ok {
			return all, nil
		}
		var entry lockScriptEntry
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&entry); err != nil || entry.Path == "" || !sumPattern.MatchString(entry.Sum) {
			return nil, r.before(`want {"path": …, "sum": "sha256:…"}, have %.80q`, text)
		}
		if again, _ := json.Marshal(entry); string(again) != text {
			return nil, r.before("want %s, have %.200q", again, text)
		}
		all = append(all, exec.Script(entry))
	}
}

// block is the lines that are indented further, without the indent.
func (r *lockReader) block() string {
	var b strings.Builder
	for {
		line, ok := r.peek()
		rest, within := strings.CutPrefix(line, lockIndent)
		if !ok || !within && line != "" {
			return b.String()
		}
		b.WriteString(fmt.Sprintln(rest))
		r.at++
	}
}
