package spec

// meter counts the steps of validating a value before they are taken. The library looks at a value once for every way
// that leads to it: where schemas meet again below themselves, or share parts many times over, that doubles with every
// level. Only such schemas have a meter.
type meter struct {
	top *part
}

// maxSteps is how many schemas may look at values in one validation: some tenths of a second.
const maxSteps = 500_000

// meter is the part's meter; nil if the steps grow with the value alone.
func (c *schemaCompiler) meter(p *part) *meter {
	if !c.metered {
		return nil
	}
	return &meter{p}
}

// multiplies tells whether steps may multiply from level to level.
func multiplies(parts []*part) bool {
	cyclic := inCycles(parts, (*part).next)
	ways := map[*part]float64{}
	var count func(p *part) float64
	count = func(p *part) float64 {
		if ways[p] == 0 {
			ways[p] = 1
			if !cyclic[p] {
				for _, n := range p.next() {
					ways[p] += count(n)
				}
			}
		}
		return ways[p]
	}
	for _, p := range parts {
		again := 0
		for _, n := range p.next() {
			if cyclic[p] && cyclic[n] {
				again++
			}
		}
		if again > 1 || count(p) > MaxNodes {
			return true
		}
	}
	return false
}

// next are the parts that a part hands the value on to, or something in it.
func (p *part) next() []*part {
	next := p.inPlace()
	if p.lone {
		return next
	}
	for _, f := range p.fields {
		next = append(next, f.part)
	}
	for _, f := range p.patterns {
		next = append(next, f.part)
	}
	next = append(append(next, p.prefix...), p.inner...)
	for _, one := range []*part{p.rest, p.items} {
		if one != nil {
			next = append(next, one)
		}
	}
	return next
}

// exceeded tells whether validating the value would take too many steps.
func (m *meter) exceeded(v any) bool {
	return m != nil && newMetered(v).steps(m.top) > maxSteps
}

// metered is a value with the steps that each part takes over it.
type metered struct {
	fields map[string]*metered
	items  []*metered
	known  map[*part]float64
}

func newMetered(v any) *metered {
	m := &metered{known: map[*part]float64{}}
	switch v := v.(type) {
	case map[string]any:
		m.fields = make(map[string]*metered, len(v))
		for name, inner := range v {
			m.fields[name] = newMetered(inner)
		}
	case []any:
		for _, inner := range v {
			m.items = append(m.items, newMetered(inner))
		}
	}
	return m
}

func (m *metered) steps(p *part) float64 {
	if known, ok := m.known[p]; ok {
		return known
	}
	sum := 1.0
	for _, same := range p.inPlace() {
		sum += m.steps(same)
	}
	if !p.lone {
		for name, inner := range m.fields {
			for _, each := range append(fieldParts([]*part{p}, name), p.inner...) {
				sum += inner.steps(each)
			}
		}
		for i, inner := range m.items {
			for _, each := range append(p.itemParts(i), p.inner...) {
				sum += inner.steps(each)
			}
		}
	}
	m.known[p] = sum
	return sum
}

// itemParts are the parts that look at the item of an array at an index.
func (p *part) itemParts(i int) []*part {
	switch {
	case i < len(p.prefix):
		return p.prefix[i : i+1 : i+1]
	case p.items != nil:
		return []*part{p.items}
	}
	return nil
}
