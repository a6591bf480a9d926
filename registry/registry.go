package registry

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// Registry is names and their tools. Readers take a [Snapshot]; writers work through a [Source].
type Registry struct {
	// Observe, if set before the first call, is told of those for which there is no tool. What comes of others the Env of a tool
	// tells. It cannot keep a call from being refused.
	Observe func(exec.Event) error

	current atomic.Pointer[Snapshot]
	lock    atomic.Pointer[Lock] // nil: everything is offered

	mu          sync.Mutex // among writers only
	sources     []*Source  // by rank
	alike       map[string][]*file
	subscribers map[chan Change]struct{}
}

// New is an empty registry.
func New() *Registry {
	r := &Registry{alike: map[string][]*file{}, subscribers: map[chan Change]struct{}{}}
	r.current.Store(&Snapshot{registry: r, byName: newIndex()})
	return r
}

// Snapshot is the set as it is now: one atomic load.
func (r *Registry) Snapshot() *Snapshot { return r.current.Load() }

// Source is the writer's end of one source, made at its first mention. Sources rank in that order.
func (r *Registry) Source(name string) *Source {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.sources {
		if s.name == name {
			return s
		}
	}
	s := &Source{registry: r, name: name, rank: len(r.sources), files: map[string]*file{}}
	r.sources = append(r.sources, s)
	return s
}

// Replace makes tools all that a source offers: for programs that have tools in Go, or from a file system read once.
// Diagnostics belong to the tool of the same file; those of a file without a tool make it known as broken.
func (r *Registry) Replace(source string, tools []*exec.Tool, ds spec.Diagnostics) Change {
	s := r.Source(source)
	set := entriesOf(tools, ds)
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := make(map[string]bool, len(set))
	for _, e := range set {
		kept[e.File] = true
	}
	var removed []string
	for name := range s.files {
		if !kept[name] {
			removed = append(removed, name)
		}
	}
	return s.update(set, removed)
}

// entriesOf are tools and diagnostics by file.
func entriesOf(tools []*exec.Tool, ds spec.Diagnostics) []Entry {
	var set []Entry
	at := map[string]int{}
	for _, t := range tools {
		file := t.Spec.Pos.File
		for file == "" || has(at, file) { // a Go function; a second tool in one place gets a place of its own
			file += t.Spec.Name
		}
		at[file] = len(set)
		set = append(set, Entry{File: file, Tool: t})
	}
	for _, d := range ds {
		if !has(at, d.Pos.File) {
			at[d.Pos.File] = len(set)
			set = append(set, Entry{File: d.Pos.File})
		}
		e := &set[at[d.Pos.File]]
		e.Diagnostics = append(e.Diagnostics, d)
	}
	return set
}

func has(m map[string]int, key string) bool {
	_, ok := m[key]
	return ok
}

// Enforce has only those versions of tools offered that a lock approves, from whatever source; the others are pending: in
// the entries, but neither listed nor called. Nil ends that.
func (r *Registry) Enforce(l *Lock) Change {
	r.mu.Lock()
	defer r.mu.Unlock()
	u := update{registry: r, names: map[string]bool{}, files: make([]map[string]*Entry, len(r.sources))}
	if !l.equal(r.lock.Load()) {
		for _, files := range r.alike {
			for _, f := range files {
				u.names[f.name()] = true
			}
		}
	}
	r.lock.Store(l)
	return u.publish()
}

// Lock is the lock in force; nil if there is none.
func (r *Registry) Lock() *Lock { return r.lock.Load() }

// Subscribe tells of every change until ctx is done, then closes the channel. It holds one change; what a subscriber
// has not taken yet and what comes after are merged, so that a slow one misses nothing and holds nobody up.
func (r *Registry) Subscribe(ctx context.Context) <-chan Change {
	ch := make(chan Change, 1)
	r.mu.Lock()
	r.subscribers[ch] = struct{}{}
	r.mu.Unlock()
	context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.subscribers, ch)
		close(ch)
	})
	return ch
}

// publish stores the next snapshot and tells everybody.
func (r *Registry) publish(next *Snapshot, change Change) {
	r.current.Store(next)
	for ch := range r.subscribers {
		pending := change
		select {
		case earlier := <-ch:
			pending = earlier.then(change)
		default:
		}
		ch <- pending // has room: writers alone send, one at a time
	}
}
