package spec

// meter counts the steps of validating a value before they are taken. The library looks at a value once for every way
// that leads to it: where schemas meet again below themselves, or share parts many times over, that doubles with every
// level; and where many schemas look at the items of one list, each looks at every item.
type meter struct {
	top        *part
	weight     int  // of all parts
	multiplies bool // see multiplies; else the steps are at most the weight times the values
	light      bool // only the largest inputs could be too much
	left       *int // what all values together may take; nil: each as much as maxSteps says
}

// maxSteps is how many schemas may look at values in one validation: some tenths of a second. Each value adds to it, so
// that a long list alone is never too much; but no more than a second or two all in all.
const (
	maxSteps       = 500_000
	mostSteps      = 2_000_000
	maxStepsAValue = 32
	maxLoadSteps   = 250_000 // for all defaults of a schema together
)

// meter is the part's meter.
func (c *schemaCompiler) meter(p *part) *meter {
	return &meter{top: p, weight: c.weight, multiplies: c.metered, light: !c.metered && c.weight <= maxStepsAValue}
}

// weight is how many steps one look of the part takes: a value is held against each that enum lists.
func (p *part) weight() int { return 1 + len(p.at.Get("enum").Items()) }

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
	switch {
	case m == nil || m.light && m.left != nil:
		return false
	case m.left != nil:
		return !spend(m.top, v, m.left)
	}
	values := sizeOf(v)
	if !m.multiplies && values*m.weight <= maxSteps {
		return false
	}
	left := min(maxSteps+maxStepsAValue*values, mostSteps)
	return !spend(m.top, v, &left)
}

// spend takes the steps of a part over a value from what is left; not ok once that is gone.
func spend(p *part, v any, left *int) bool {
	if *left -= p.weight(); *left < 0 {
		return false
	}
	for _, same := range p.inPlace() {
		if !spend(same, v, left) {
			return false
		}
	}
	if p.lone {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			for _, each := range append(fieldParts([]*part{p}, name), p.inner...) {
				if !spend(each, inner, left) {
					return false
				}
			}
		}
	case []any:
		for i, inner := range v {
			for _, each := range append(p.itemParts(i), p.inner...) {
				if !spend(each, inner, left) {
					return false
				}
			}
		}
	}
	return true
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
