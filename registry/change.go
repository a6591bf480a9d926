package registry

import (
	"maps"
	"slices"

	"github.com/toolspec/toolspec/spec"
)

// Change is the difference between two snapshots: names of tools, and the files whose standing differs.
type Change struct {
	Generation  uint64           `json:"generation"` // of the later snapshot
	Added       []string         `json:"added,omitempty"`
	Updated     []string         `json:"updated,omitempty"` // another digest, or it became (un)available
	Removed     []string         `json:"removed,omitempty"`
	Contract    bool             `json:"contract"`              // what agents are shown differs: not for an executor-only edit
	Files       []string         `json:"files,omitempty"`       // whose entry differs: edited, broken, mended, shadowed, gone
	Diagnostics spec.Diagnostics `json:"diagnostics,omitempty"` // all of those files
}

// Empty tells whether there was no difference; Generation is then that of the snapshot in force.
func (c Change) Empty() bool { return len(c.Files) == 0 }

// fate is what became of one name between two snapshots.
type fate uint8

const (
	unchanged fate = iota
	added
	updated
	removed
)

// followed says what two fates in a row come to.
var followed = map[[2]fate]fate{
	{added, updated}:   added,
	{added, removed}:   unchanged,
	{updated, updated}: updated,
	{updated, removed}: removed,
	{removed, added}:   updated,
}

// then is c and the change after it as one, for a subscriber that has not taken c yet.
func (c Change) then(next Change) Change {
	fates := c.fates()
	for name, second := range next.fates() {
		first := fates[name]
		if first == unchanged {
			fates[name] = second
		} else {
			fates[name] = followed[[2]fate{first, second}]
		}
	}
	merged := Change{Generation: next.Generation, Contract: c.Contract || next.Contract}
	for _, name := range slices.Sorted(maps.Keys(fates)) {
		merged.note(name, fates[name])
	}
	if len(merged.Added)+len(merged.Updated)+len(merged.Removed) == 0 {
		merged.Contract = false
	}
	merged.Files = slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.Files, next.Files))))
	for _, d := range c.Diagnostics {
		if !slices.Contains(next.Files, d.Pos.File) { // else next knows better
			merged.Diagnostics = append(merged.Diagnostics, d)
		}
	}
	merged.Diagnostics = append(merged.Diagnostics, next.Diagnostics...)
	merged.Diagnostics.Sort()
	return merged
}

func (c Change) fates() map[string]fate {
	fates := make(map[string]fate, len(c.Added)+len(c.Updated)+len(c.Removed))
	for f, names := range map[fate][]string{added: c.Added, updated: c.Updated, removed: c.Removed} {
		for _, name := range names {
			fates[name] = f
		}
	}
	return fates
}

// note adds a name to the list that its fate says.
func (c *Change) note(name string, f fate) {
	switch f {
	case added:
		c.Added = append(c.Added, name)
	case updated:
		c.Updated = append(c.Updated, name)
	case removed:
		c.Removed = append(c.Removed, name)
	}
}
