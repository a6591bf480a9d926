package registry

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// A list is what a map sorted by key is, whatever is put in and taken out; the lists before it stay as they were; and one
// change copies few of its chunks.
func TestList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	file := func(e *Entry) string { return e.File }
	model := map[string]*Entry{}
	check := func(l list, model map[string]*Entry) {
		t.Helper()
		var want []*Entry
		for _, k := range slices.Sorted(maps.Keys(model)) {
			want = append(want, model[k])
		}
		if have := slices.Collect(l.all()); !slices.Equal(want, have) {
			t.Fatalf("want %d entries in order, have %d others", len(want), len(have))
		}
		for _, chunk := range l {
			if len(chunk) == 0 || len(chunk) > 2*chunkSize {
				t.Fatalf("a chunk has %d entries", len(chunk))
			}
		}
	}
	var l list
	for round := range 200 {
		most, changed := 1+random.IntN(1200), map[string]*Entry{}
		for range random.IntN(most) {
			name := fmt.Sprint(random.IntN(5000))
			if changed[name] = nil; random.IntN(5000) > len(model)*(round%3) {
				changed[name] = &Entry{File: name}
			}
		}
		before, old := l, maps.Clone(model)
		l = l.with(changed, file)
		maps.Copy(model, changed)
		maps.DeleteFunc(model, func(_ string, e *Entry) bool { return e == nil })
		check(l, model)
		check(before, old)
	}
	if len(model) < 4*chunkSize {
		t.Fatalf("only %d entries are left", len(model))
	}
	next := l.with(map[string]*Entry{"1": {File: "1"}}, file)
	own := 0
	for _, chunk := range next {
		if !slices.ContainsFunc(l, func(c []*Entry) bool { return &c[0] == &chunk[0] }) {
			own++
		}
	}
	if own != 1 && own != 3 {
		t.Errorf("one change copied %d chunks of %d", own, len(next))
	}
}
