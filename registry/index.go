package registry

import (
	"hash/maphash"
	"maps"
)

// index is entries by name. It never changes: with makes another, and copies only the parts that differ, so that an
// edit among many tools costs little more than one among few.
type index struct {
	seed  maphash.Seed
	parts *[256]map[string]*Entry
}

func newIndex() index { return index{maphash.MakeSeed(), new([256]map[string]*Entry)} }

func (x index) part(name string) int { return int(maphash.String(x.seed, name) % uint64(len(x.parts))) }

// get is the entry of a name, or nil.
func (x index) get(name string) *Entry { return x.parts[x.part(name)][name] }

// with is x with some entries replaced, and those that are nil taken out.
func (x index) with(changed map[string]*Entry) index {
	parts := *x.parts
	var own [len(parts)]bool
	for name, e := range changed {
		i := x.part(name)
		if !own[i] {
			own[i] = true
			if parts[i] = maps.Clone(parts[i]); parts[i] == nil {
				parts[i] = map[string]*Entry{}
			}
		}
		if e == nil {
			delete(parts[i], name)
		} else {
			parts[i][name] = e
		}
	}
	return index{x.seed, &parts}
}
