package registry

import (
	"context"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// Registry is names and their tools. Readers take a [Snapshot]; writers work through a [Source].
type Registry struct{}

// New is an empty registry.
func New() *Registry { return &Registry{} }

// Snapshot is the set as it is now: one atomic load.
func (r *Registry) Snapshot() *Snapshot { return nil }

// Source is the writer's end of one source, made at its first mention. Sources rank in that order.
func (r *Registry) Source(name string) *Source { return nil }

// Replace makes tools all that a source offers: for programs that have tools in Go.
func (r *Registry) Replace(source string, tools []*exec.Tool, ds spec.Diagnostics) Change {
	return Change{}
}

// Subscribe tells of every change until ctx is done. The channel holds one change; pending ones merge.
func (r *Registry) Subscribe(ctx context.Context) <-chan Change { return nil }

// Source is where a loader puts what it finds.
type Source struct{}

// Update sets the entries of some files and removes others: one generation, if anything differs.
func (s *Source) Update(set []Entry, removed []string) Change { return Change{} }
