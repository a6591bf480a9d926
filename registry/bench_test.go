package registry

import (
	"fmt"
	"testing"
)

// filled is a registry with n tools.
func filled(n int) (*Registry, *Source) {
	r := New()
	set := make([]Entry, n)
	for i := range set {
		set[i] = at(fmt.Sprintf("dir/%06d.yaml", i), fmt.Sprintf("tool_%06d one", i))
	}
	s := r.Source("d")
	s.Update(set, nil)
	return r, s
}

func BenchmarkLookup(b *testing.B) {
	r, _ := filled(10_000)
	for b.Loop() {
		if _, ok := r.Snapshot().Tool("tool_004711"); !ok {
			b.Fatal("not there")
		}
	}
}

func BenchmarkUpdateOneOf(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, s := filled(n)
			versions := [2]Entry{at("dir/000042.yaml", "tool_000042 two"), at("dir/000042.yaml", "tool_000042 three")}
			i := 0
			for b.Loop() {
				if c := s.Update(versions[i%2:i%2+1], nil); len(c.Updated) != 1 {
					b.Fatal(c)
				}
				i++
			}
		})
	}
}
