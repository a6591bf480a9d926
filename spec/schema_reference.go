package spec

import (
	"net/url"
	"slices"
	"strings"
)

// resolve finds what the references name. A reference into a place that is no keyword makes a part of what is there.
func (r *schemaReader) resolve() {
	for i := 0; i < len(r.refs); i++ { // reading a target may add references
		ref := r.refs[i]
		if !strings.HasPrefix(ref.to.n.text, "#") {
			continue
		}
		target := r.target(ref)
		switch {
		case target == nil:
			r.fault(ref.to, "%s leads nowhere in this schema", shownValue(ref.to.n.text))
		case ref.keyword == "$ref":
			ref.from.ref = target
		case ref.keyword == "$dynamicRef":
			ref.from.dynamic = append(r.dynamic[strings.TrimPrefix(ref.to.n.text, "#")], target)
		default:
			ref.from.dynamic = append(r.dynamic[""], target)
		}
	}
}

func (r *schemaReader) target(ref reference) *part {
	within, name := ref.from.within, ref.to.n.text[1:]
	if name != "" && name[0] != '/' {
		return within.anchors[name]
	}
	at, place := Section{}, within.pointer
	if start := r.byPlace[place]; start != nil {
		at = start.at
	}
	for _, token := range pointerTokens(name) {
		unescaped, err := url.PathUnescape(token)
		if err != nil {
			return nil
		}
		if at = at.step(unescaped); at.IsZero() {
			return nil
		}
		place += "/" + pointerToken(unescaped)
	}
	return r.read(at, place, within)
}

// targets are what the references name. A dynamic one that may mean several schemas names none of them.
func (r *schemaReader) targets() map[*node]Section {
	if len(r.refs) == 0 {
		return nil
	}
	found := make(map[*node]Section, len(r.refs))
	for _, ref := range r.refs {
		named := ref.from.dynamic
		if ref.keyword == "$ref" {
			named = []*part{ref.from.ref}
		}
		named = slices.Compact(slices.Clone(named))
		if len(named) == 1 && named[0] != nil {
			found[ref.to.n] = named[0].at
		}
	}
	return found
}

// checkCycles refuses references that lead back to themselves at the very same value: no input could ever be judged.
func (r *schemaReader) checkCycles() {
	if len(r.refs) == 0 {
		return
	}
	cyclic := inCycles(r.parts, (*part).inPlace)
	for _, ref := range r.refs {
		if cyclic[ref.from] {
			r.fault(ref.to, "%s leads back to this place without looking into the value: it has no end", shownValue(ref.to.n.text))
		}
	}
}

// inPlace are the parts that look at the very same value.
func (p *part) inPlace() []*part {
	if p.lone {
		if p.ref == nil {
			return nil
		}
		return []*part{p.ref}
	}
	next := slices.Concat(slices.Concat(p.groups...), p.all, p.others, p.dynamic)
	if p.ref != nil {
		next = append(next, p.ref)
	}
	return next
}

// inCycles are the nodes of a graph from which a way leads back to them (Tarjan's strongly connected components).
func inCycles[N comparable](nodes []N, next func(N) []N) map[N]bool {
	t := &tarjan[N]{next: next, order: map[N]int{}, low: map[N]int{}, open: map[N]bool{}, cyclic: map[N]bool{}}
	for _, n := range nodes {
		if t.order[n] == 0 {
			t.visit(n)
		}
	}
	return t.cyclic
}

type tarjan[N comparable] struct {
	next         func(N) []N
	order, low   map[N]int // order counts from 1
	stack        []N
	open, cyclic map[N]bool
}

func (t *tarjan[N]) visit(n N) {
	t.order[n] = len(t.order) + 1
	t.low[n] = t.order[n]
	t.stack = append(t.stack, n)
	t.open[n] = true
	for _, m := range t.next(n) {
		switch {
		case m == n:
			t.cyclic[n] = true
		case t.order[m] == 0:
			t.visit(m)
			t.low[n] = min(t.low[n], t.low[m])
		case t.open[m]:
			t.low[n] = min(t.low[n], t.order[m])
		}
	}
	if t.low[n] != t.order[n] {
		return
	}
	first := slices.Index(t.stack, n)
	for _, m := range t.stack[first:] {
		delete(t.open, m)
		if len(t.stack)-first > 1 {
			t.cyclic[m] = true
		}
	}
	t.stack = t.stack[:first]
}
