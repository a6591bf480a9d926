package registry

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// list is entries sorted by a key, in chunks. It never changes: with makes another, and copies only the chunks that
// differ, so that an edit among many tools costs little more than one among few.
type list [][]*Entry // none of them is empty

// chunkSize is how many entries a chunk has at first; one of more than twice as many is divided.
const chunkSize = 256

func (l list) all() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for _, chunk := range l {
			for _, e := range chunk {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// with is l with some entries replaced, and those that are nil taken out.
func (l list) with(changed map[string]*Entry, key func(*Entry) string) list {
	if len(changed) == 0 {
		return l
	}
	keys := slices.Sorted(maps.Keys(changed))
	next := make(list, 0, len(l)+1)
	for i, chunk := range l {
		here := len(keys) // belong in this chunk
		if i+1 < len(l) {
			here, _ = slices.BinarySearch(keys, key(l[i+1][0]))
		}
		if here == 0 {
			next = append(next, chunk)
			continue
		}
		next = next.add(patch(chunk, keys[:here], changed, key))
		keys = keys[here:]
	}
	return next.add(patch(nil, keys, changed, key)) // none is left unless l was empty
}

// add appends entries, all of which come after those of l.
func (l list) add(entries []*Entry) list {
	if n := len(entries); n > 0 && n <= 2*chunkSize {
		return append(l, entries)
	}
	for chunk := range slices.Chunk(entries, chunkSize) {
		l = append(l, slices.Clone(chunk))
	}
	return l
}

// patch copies a chunk with the entries of some keys, which are sorted, replaced or taken out.
func patch(chunk []*Entry, keys []string, changed map[string]*Entry, key func(*Entry) string) []*Entry {
	patched := make([]*Entry, 0, len(chunk)+len(keys))
	for _, k := range keys {
		at, found := slices.BinarySearchFunc(chunk, k, func(e *Entry, k string) int { return strings.Compare(key(e), k) })
		patched = append(patched, chunk[:at]...)
		if e := changed[k]; e != nil {
			patched = append(patched, e)
		}
		if found {
			at++
		}
		chunk = chunk[at:]
	}
	return append(patched, chunk...)
}
