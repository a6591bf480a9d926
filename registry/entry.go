package registry

import (
	"bytes"
	"slices"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// State is how a file stands.
type State string

// The states.
const (
	StateReady       State = "ready"       // served as it stands on disk
	StateStale       State = "stale"       // broken now; the last good version is served
	StateUnavailable State = "unavailable" // served in list and status only: something it requires is missing
	StateBroken      State = "broken"      // never was good: no tool
	StateShadowed    State = "shadowed"    // its name belongs to another file
	StatePending     State = "pending"     // not offered: the lock wants it approved first
)

// ToolStates are those in which a file has a tool under its own name.
func ToolStates() []State { return []State{StateReady, StateStale, StateUnavailable, StatePending} }

// Entry is one file of a source (or one Go function): the tool it offers, and what is wrong with it.
type Entry struct {
	Source      string
	File        string // as the user gave its directory; for a Go function the tool's name
	State       State
	Tool        *exec.Tool // nil when broken
	Pending     string     // why it has to be approved first; empty unless it has to
	Digest      string     // of the tool, else of the bytes that were refused
	Diagnostics spec.Diagnostics
}

func (e *Entry) equal(other *Entry) bool {
	return e.State == other.State && e.Tool == other.Tool && e.Digest == other.Digest && e.Pending == other.Pending &&
		slices.Equal(e.Diagnostics, other.Diagnostics)
}

// offered is the tool, if there is one that may be listed and called.
func (e *Entry) offered() *exec.Tool {
	if e == nil || e.State == StatePending {
		return nil
	}
	return e.Tool
}

// sameTool tells whether two tools do the same for the same call: then the one in force is kept.
func sameTool(a, b *exec.Tool) bool {
	return a.Digest == b.Digest && a.Unavailable() == b.Unavailable() && a.Spec.Name == b.Spec.Name
}

// sameContract tells whether agents are shown the same for both tools.
func sameContract(a, b *exec.Tool) bool {
	if a.Unavailable() != "" || b.Unavailable() != "" {
		return a.Unavailable() != "" && b.Unavailable() != ""
	}
	x, y := a.Spec, b.Spec
	return x.Name == y.Name && x.Title == y.Title && x.Description == y.Description &&
		sameSchema(x.Input, y.Input) && sameSchema(x.Output, y.Output) && sameAnnotations(x.Annotations, y.Annotations)
}

func sameSchema(a, b *spec.Schema) bool {
	if a == nil || b == nil {
		return a == b
	}
	return bytes.Equal(a.JSON(), b.JSON())
}

func sameAnnotations(a, b spec.Annotations) bool {
	return sameHint(a.ReadOnly, b.ReadOnly) && sameHint(a.Destructive, b.Destructive) &&
		sameHint(a.Idempotent, b.Idempotent) && sameHint(a.OpenWorld, b.OpenWorld)
}

func sameHint(a, b *bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
