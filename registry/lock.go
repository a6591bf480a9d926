package registry

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// Approval is one version of a tool that an operator has looked at: by its digest, and as people read it.
type Approval struct {
	Name    string
	Digest  string
	Scripts []exec.Script // paths from the tool file's directory
	File    string        // as [spec.Spec.Canonical] writes it
}

// Approve is the approval of a tool as it is now.
func Approve(t *exec.Tool) Approval {
	return Approval{Name: t.Spec.Name, Digest: t.Digest, Scripts: relativeScripts(t), File: t.Spec.Canonical()}
}

func relativeScripts(t *exec.Tool) []exec.Script {
	var scripts []exec.Script
	for _, s := range t.Scripts() {
		if rel, err := filepath.Rel(t.Dir(), s.Path); err == nil {
			s.Path = rel
		}
		scripts = append(scripts, exec.Script{Path: filepath.ToSlash(s.Path), Sum: s.Sum})
	}
	return scripts
}

// Lock is the versions of tools that may be offered. It never changes. A nil one lets everything through.
type Lock struct {
	File     string
	Fault    string // why it cannot be used: then nothing is let through
	approved map[string]Approval
}

// NewLock is a lock with these approvals.
func NewLock(file string, approvals []Approval) *Lock {
	l := &Lock{File: file, approved: make(map[string]Approval, len(approvals))}
	for _, a := range approvals {
		l.approved[a.Name] = a
	}
	return l
}

// BrokenLock is a lock that cannot be used, and lets nothing through.
func BrokenLock(file, fault string) *Lock { return &Lock{File: file, Fault: fault} }

// Approvals are those of the lock, sorted by name.
func (l *Lock) Approvals() []Approval {
	all := make([]Approval, 0, len(l.approved))
	for _, a := range l.approved {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b Approval) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Approved is what the lock has under a name; zero if it has nothing.
func (l *Lock) Approved(name string) Approval {
	if l == nil {
		return Approval{}
	}
	return l.approved[name]
}

// equal tells whether two locks let the same through, and say the same of what they do not.
func (l *Lock) equal(other *Lock) bool {
	if l == nil || other == nil || len(l.approved) != len(other.approved) || l.File != other.File || l.Fault != other.Fault {
		return l == other
	}
	for name, a := range l.approved {
		b, ok := other.approved[name]
		if !ok || a.Digest != b.Digest || a.File != b.File || !slices.Equal(a.Scripts, b.Scripts) {
			return false
		}
	}
	return true
}

// Refusal is why a tool has to wait for approval; empty if it need not.
func (l *Lock) Refusal(t *exec.Tool) string {
	switch {
	case l == nil:
		return ""
	case l.Fault != "":
		return "the lock " + l.File + " cannot be used: " + l.Fault
	}
	a, known := l.approved[t.Spec.Name]
	switch {
	case !known:
		return "it is new, and was not approved yet"
	case a.Digest != t.Digest:
		return "it changed since it was approved"
	case !a.shows(t):
		return "what the lock shows of it is not what its digest is of; whoever approved it saw something else"
	}
	return ""
}

// shows tells whether what people read in the lock is what the digest is of: a review of the one is one of the other.
func (a Approval) shows(t *exec.Tool) bool {
	if !slices.Equal(a.Scripts, relativeScripts(t)) {
		return false
	}
	return a.File == t.Spec.Canonical() || exec.Digest(spec.CanonicalDigest(a.File), a.Scripts) == t.Digest
}

// Diff is how a tool differs from what was approved under its name; of a new one all of it.
func (l *Lock) Diff(t *exec.Tool) string {
	before, was := "", "nothing was approved"
	if l != nil {
		if a, known := l.approved[t.Spec.Name]; known {
			before, was = a.text(), "approved"
		}
	}
	return spec.UnifiedDiff(was, filepath.ToSlash(t.Spec.Pos.File), before, Approve(t).text())
}

// text is all that was approved, for people.
func (a Approval) text() string {
	var b strings.Builder
	b.WriteString(a.File)
	for _, s := range a.Scripts {
		b.WriteString("# " + s.Path + " is " + s.Sum + "\n")
	}
	return b.String()
}
