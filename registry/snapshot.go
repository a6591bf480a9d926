package registry

import (
	"context"
	"iter"

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
)

// Entry is one file of a source (or one Go function): the tool it offers, and what is wrong with it.
type Entry struct {
	Source      string
	File        string
	State       State
	Tool        *exec.Tool // nil when broken
	Digest      string     // of the tool that is served, else of the bytes that were refused
	Diagnostics spec.Diagnostics
}

// Snapshot is the set of tools at one moment. It never changes.
type Snapshot struct{}

// Generation counts snapshots, from 1.
func (s *Snapshot) Generation() uint64 { return 0 }

// Tool is the tool of that name.
func (s *Snapshot) Tool(name string) (*exec.Tool, bool) { return nil, false }

// All are the tools, sorted by name; unavailable ones too.
func (s *Snapshot) All() iter.Seq[*exec.Tool] { return nil }

// Listed are the tools that can work now, sorted by name: what agents are shown.
func (s *Snapshot) Listed() iter.Seq[*exec.Tool] { return nil }

// Entry is the file behind the tool of that name.
func (s *Snapshot) Entry(name string) (Entry, bool) { return Entry{}, false }

// Entries are all files of all sources, by rank of source, then path.
func (s *Snapshot) Entries() iter.Seq[Entry] { return nil }

// Call calls a tool of this snapshot; an unknown name is a result of code not_found with the nearest names.
func (s *Snapshot) Call(ctx context.Context, call exec.Call) spec.ToolResult {
	return spec.ToolResult{}
}
