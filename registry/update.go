package registry

import (
	"maps"
	"slices"

	"github.com/toolspec/toolspec/exec"
)

// update is one change of the registry on its way.
type update struct {
	registry *Registry
	names    map[string]bool     // that files had or have now
	files    []map[string]*Entry // by rank of source: entries that differ, nil for those gone
}

func (u *update) set(s *Source, e Entry) {
	f := s.files[e.File]
	fresh := f == nil
	if fresh {
		f = &file{source: s}
		s.files[e.File] = f
	} else if old := f.given.Tool; old != nil && e.Tool != nil && sameTool(old, e.Tool) {
		e.Tool = old
	}
	e.Source = s.name
	e.settle()
	if !fresh && f.given.equal(&e) {
		return
	}
	u.leave(f)
	f.holds = f.holds && f.given.Tool != nil && e.Tool != nil && f.name() == e.Tool.Spec.Name
	f.given = e
	if e.Tool == nil {
		u.note(f, &e)
		return
	}
	key := fold(f.name())
	u.names[f.name()] = true
	u.registry.alike[key] = append(u.registry.alike[key], f)
}

// settle fills in what the tool says by itself.
func (e *Entry) settle() {
	switch {
	case e.Tool == nil:
		e.State = StateBroken
		return
	case e.Tool.Unavailable() != "":
		e.State = StateUnavailable
	case e.State != StateStale:
		e.State = StateReady
	}
	e.Digest = e.Tool.Digest
}

// leave takes a file out of the files whose names are alike.
func (u *update) leave(f *file) {
	if f.given.Tool == nil {
		return
	}
	u.names[f.name()] = true
	key := fold(f.name())
	rest := slices.DeleteFunc(u.registry.alike[key], func(other *file) bool { return other == f })
	if len(rest) == 0 {
		delete(u.registry.alike, key)
	} else {
		u.registry.alike[key] = rest
	}
}

// note has the next snapshot show e for a file; nil: the file is gone.
func (u *update) note(f *file, e *Entry) {
	if f.shown != nil && e != nil && f.shown.equal(e) {
		return
	}
	if u.files[f.source.rank] == nil {
		u.files[f.source.rank] = map[string]*Entry{}
	}
	u.files[f.source.rank][f.given.File] = e
	f.shown = e
}

// publish makes the next snapshot, if anything differs.
func (u *update) publish() Change {
	old := u.registry.Snapshot()
	names := u.moved(old)
	change := Change{Generation: old.generation}
	for _, changed := range u.files {
		for _, file := range slices.Sorted(maps.Keys(changed)) {
			change.Files = append(change.Files, file)
			if e := changed[file]; e != nil {
				change.Diagnostics = append(change.Diagnostics, e.Diagnostics...)
			}
		}
	}
	if change.Empty() {
		return change
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		change.compare(name, old.byName.get(name).offered(), names[name].offered())
	}
	next := old.next(names, u.files)
	change.Generation = next.generation
	u.registry.publish(next, change)
	return change
}

// moved decides whose the names are, and gives those whose entry differs: nil for a name that nobody has any more.
func (u *update) moved(old *Snapshot) map[string]*Entry {
	owners := make(map[string]*Entry, len(u.names))
	resolved := make(map[string]bool, len(u.names))
	for name := range u.names {
		if key := fold(name); !resolved[key] {
			resolved[key] = true
			u.resolve(u.registry.alike[key], owners)
		}
	}
	for name := range u.names {
		if owners[name] == nil {
			owners[name] = nil // known to be nobody's
		}
	}
	maps.DeleteFunc(owners, func(name string, e *Entry) bool { return old.byName.get(name) == e })
	return owners
}

// compare notes what became of a name.
func (c *Change) compare(name string, before, after *exec.Tool) {
	listed := func(t *exec.Tool) bool { return t != nil && t.Unavailable() == "" }
	switch {
	case before == nil && after == nil: // it waits for approval
	case before == nil:
		c.note(name, added)
		c.Contract = c.Contract || listed(after)
	case after == nil:
		c.note(name, removed)
		c.Contract = c.Contract || listed(before)
	case !sameTool(before, after):
		c.note(name, updated)
		c.Contract = c.Contract || !sameContract(before, after)
	}
}
