package spec

import (
	"slices"
	"strings"
)

// canonicalWidth is how wide lines of a canonical file are, but for texts that are longer.
const canonicalWidth = 100

// Canonical is what counts of the file in its digest, written so that people can compare two versions line by line: the
// outermost keys in the order of the format, all others sorted, without comments and tests. Read again it has the same
// digest. Characters that nobody sees are escaped.
func (s *Spec) Canonical() string {
	if s.root.IsZero() {
		return ""
	}
	order := FileKeys()
	rank := func(key string) int {
		if at := slices.Index(order, key); at >= 0 {
			return at
		}
		return len(order)
	}
	n := s.root.n.without("tests").sorted(func(a, b string) int {
		if byRank := rank(a) - rank(b); byRank != 0 {
			return byRank
		}
		return strings.Compare(a, b)
	})
	return yamlWriter{unit: "  ", width: canonicalWidth, written: true}.lines(Section{n: n}, "") + "\n"
}

// CanonicalDigest is the digest of a file that [Spec.Canonical] wrote; empty if it is none.
func CanonicalDigest(text string) string {
	root, ds := ReadDocument("canonical.yaml", []byte(text))
	if root.Form() != FormMap || ds.HasErrors() {
		return ""
	}
	return digest(root)
}

// sorted is the node with the keys of its map in that order, and those of all maps within sorted.
func (n *node) sorted(compare func(a, b string) int) *node {
	if n.form != FormMap && n.form != FormList {
		return n
	}
	own := *n
	own.items = make([]*node, len(n.items))
	if n.form == FormList {
		for i, item := range n.items {
			own.items[i] = item.sorted(strings.Compare)
		}
		return &own
	}
	order := make([]int, len(n.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return compare(n.keys[i].text, n.keys[j].text) })
	own.keys = make([]*node, len(n.keys))
	for to, from := range order {
		own.keys[to], own.items[to] = n.keys[from], n.items[from].sorted(strings.Compare)
	}
	return &own
}
