package registry

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// Snapshot is the set of tools at one moment. It never changes.
type Snapshot struct {
	registry   *Registry
	generation uint64
	byName     index
	sorted     list   // the same, by name
	sources    []list // all files: by rank of source, then path
}

// Generation counts snapshots. The empty set before the first load is generation 0.
func (s *Snapshot) Generation() uint64 { return s.generation }

// Tool is the tool of that name, which may be unavailable; none that waits for approval.
func (s *Snapshot) Tool(name string) (*exec.Tool, bool) {
	tool := s.byName.get(name).offered()
	return tool, tool != nil
}

// Refused is why a tool that is there is not offered, as an error of code denied; nil if it is, or if there is none.
func (s *Snapshot) Refused(name string) error {
	e := s.byName.get(name)
	if e == nil || e.State != StatePending {
		return nil
	}
	return spec.NewError(spec.CodeDenied, "the tool %s is new or changed, and waits for the approval of the operator, who looks at it with toolspec status and approves it with toolspec lock", name)
}

// All are the tools, sorted by name; unavailable ones too, but none that wait for approval.
func (s *Snapshot) All() iter.Seq[*exec.Tool] {
	return func(yield func(*exec.Tool) bool) {
		for e := range s.sorted.all() {
			if tool := e.offered(); tool != nil && !yield(tool) {
				return
			}
		}
	}
}

// Listed are the tools that can work now, sorted by name: what agents are shown.
func (s *Snapshot) Listed() iter.Seq[*exec.Tool] {
	return func(yield func(*exec.Tool) bool) {
		for t := range s.All() {
			if t.Unavailable() == "" && !yield(t) {
				return
			}
		}
	}
}

// Entry is the file behind the tool of that name, also if it waits for approval.
func (s *Snapshot) Entry(name string) (Entry, bool) {
	e := s.byName.get(name)
	if e == nil {
		return Entry{}, false
	}
	return *e, true
}

// Entries are all files of all sources, by rank of source, then path.
func (s *Snapshot) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, entries := range s.sources {
			for e := range entries.all() {
				if !yield(*e) {
					return
				}
			}
		}
	}
}

// Call calls a tool of this snapshot, and lets it see no other; an unknown name is a result of code not_found with
// the nearest names.
func (s *Snapshot) Call(ctx context.Context, call exec.Call) spec.ToolResult {
	call.Tools, call.Generation = s, s.generation
	tool, ok := s.Tool(call.Use.Name)
	if !ok {
		return s.refuse(call)
	}
	call.Exact = call.Exact || s.registry.Lock() != nil
	result := tool.Call(ctx, call)
	result.Metadata.Generation = s.generation
	return result
}

// Plan is what [Snapshot.Call] would do, see [exec.Tool.Plan].
func (s *Snapshot) Plan(ctx context.Context, call exec.Call) (*exec.DryRun, spec.ToolResult) {
	call.Tools, call.Generation = s, s.generation
	tool, ok := s.Tool(call.Use.Name)
	if !ok {
		_, err := s.missing(call.Use.Name)
		return nil, s.failure(call, err)
	}
	return tool.Plan(ctx, call)
}

// refuse answers a call for which there is no tool.
func (s *Snapshot) refuse(call exec.Call) spec.ToolResult {
	why, err := s.missing(call.Use.Name)
	s.tell(call, why, err)
	return s.failure(call, err)
}

// Refuse answers a call that is none, such as one without a name; err says what is wrong with it.
func (s *Snapshot) Refuse(call exec.Call, err error) spec.ToolResult {
	s.tell(call, string(spec.AsError(err).Code), err)
	return s.failure(call, err)
}

func (s *Snapshot) tell(call exec.Call, why string, err error) {
	if s.registry.Observe != nil {
		_ = s.registry.Observe(exec.RefusalEvent(&call, why, spec.AsError(err).Code)) // it is refused anyway
	}
}

// missing says why there is no tool of a name.
func (s *Snapshot) missing(name string) (why string, err error) {
	if err := s.Refused(name); err != nil {
		return exec.RefusedPending, err
	}
	return string(spec.CodeNotFound), s.notFound(name)
}

func (s *Snapshot) failure(call exec.Call, err error) spec.ToolResult {
	result := spec.Failure(call.Use.ID, err)
	result.Metadata.Generation = s.generation
	return result
}

func (s *Snapshot) notFound(name string) error {
	message := "no tool is named `" + name + "`"
	if near := s.nearest(name); len(near) > 0 {
		message += "; did you mean " + strings.Join(near, ", ") + "?"
	}
	return spec.NewError(spec.CodeNotFound, "%s", message)
}

// nearest are the names, three at most, that name was most likely meant to be.
func (s *Snapshot) nearest(name string) []string {
	var known, near []string
	for t := range s.Listed() {
		known = append(known, t.Spec.Name)
	}
	for range 3 {
		n := spec.Nearest(name, known)
		if n == "" {
			break
		}
		near = append(near, n)
		known = slices.DeleteFunc(known, func(k string) bool { return k == n })
	}
	return near
}

// next is the snapshot after s: names and files that differ replaced, nil for those that are gone.
func (s *Snapshot) next(names map[string]*Entry, files []map[string]*Entry) *Snapshot {
	n := &Snapshot{registry: s.registry, generation: s.generation + 1, byName: s.byName, sorted: s.sorted}
	if len(names) > 0 {
		n.byName = s.byName.with(names)
		n.sorted = s.sorted.with(names, func(e *Entry) string { return e.Tool.Spec.Name })
	}
	n.sources = make([]list, len(files))
	copy(n.sources, s.sources)
	for rank, changed := range files {
		n.sources[rank] = n.sources[rank].with(changed, func(e *Entry) string { return e.File })
	}
	return n
}
