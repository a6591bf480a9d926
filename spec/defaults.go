package spec

import "slices"

// hasDefault tells whether the part itself has a default that counts. A null where null is not allowed is how some
// generators write that there is none.
func (p *part) hasDefault() bool {
	at := p.at.Get("default")
	if p.lone || at.Form() == FormNull && p.types&typeNull == 0 {
		return false
	}
	return !at.IsZero()
}

// defaultPart is the part whose default stands where the outline's value is absent: the outermost.
func (o *outline) defaultPart() *part {
	if i := slices.IndexFunc(o.parts, (*part).hasDefault); i >= 0 {
		return o.parts[i]
	}
	return nil
}

// findDefaults finds for every outline what stands where its value is absent, and checks it.
func (o *outliner) findDefaults() {
	endless := inCycles(o.all, (*outline).absentFields)
	for _, each := range o.all {
		if endless[each] && each.defaultPart() == nil {
			each.settled = true // an object that would hold itself is never made
		}
	}
	for _, each := range o.all {
		if each.defaultPart() != nil {
			o.settle(each)
		}
		for _, f := range each.fields {
			o.settle(f.outline)
		}
	}
	o.markFills()
}

// absentFields are the outlines whose absence in an object made for this outline would be filled in turn.
func (o *outline) absentFields() []*outline {
	if o.defaultPart() == nil && o.types != typeObject {
		return nil
	}
	fields := make([]*outline, len(o.fields))
	for i, f := range o.fields {
		fields[i] = f.outline
	}
	return fields
}

// settle finds what stands where the value is absent: the outermost default, its gaps filled; else an object, if it
// would hold a default and be right.
func (o *outliner) settle(out *outline) {
	if out.settled {
		return
	}
	p := out.defaultPart()
	if out.pending {
		if p != nil {
			o.faults = append(o.faults, p.at.Get("default").Errorf("default", "the default leads to itself without end"))
		}
		return
	}
	out.pending = true
	defer func() { out.pending, out.settled = false, true }()
	switch {
	case p != nil:
		o.settleDefault(out, p)
	case out.types == typeObject:
		made := map[string]any{}
		o.settleWithin(out, made)
		if o.fill(out, made, out.parts[0].at) && len(made) > 0 && o.fits(out, made) {
			out.give(made)
		}
	}
}

func (o *outliner) settleDefault(out *outline, p *part) {
	at := p.at.Get("default")
	repairs := repairs{}
	v := repairs.value(out, at.Value(), "")
	o.settleWithin(out, v)
	if !o.fill(out, v, at) {
		return
	}
	out.give(v)
	own := o.misfits(p, out.given)
	for _, f := range own {
		value, depth := f.at(at)
		o.faults = append(o.faults, value.Errorf("default", "the default breaks its own schema: %s", f.below(depth)))
	}
	for _, q := range out.parts {
		if len(own) > 0 || q == p {
			continue
		}
		if failures := o.misfits(q, out.given); len(failures) > 0 {
			o.faults = append(o.faults, q.at.Errorf("default", "the default %s of %s breaks this schema: %s",
				shownValue(out.given), p.at.Path(), failures[0].below(0)))
			return
		}
	}
}

func (o *outline) give(v any) { o.given, o.size, o.gives = v, sizeOf(v), true }

// fill fills a default, which the defaults within it can make larger than memory; not ok if they do.
func (o *outliner) fill(out *outline, v any, at Section) bool {
	f := filling{room: MaxNodes - sizeOf(v)}
	if f.fill(out, v); f.room < 0 {
		o.faults = append(o.faults, at.Errorf("default", "the defaults within this make more than 20,000 values"))
	}
	return f.room >= 0
}

// at is the part of a value that failed, as far as it stands in the file, and how far on the way to it that is.
func (f failure) at(value Section) (part Section, depth int) {
	for _, token := range f.path {
		next := value.step(token)
		if next.IsZero() {
			break
		}
		value, depth = next, depth+1
	}
	return value, depth
}

// settleWithin settles what filling a value may need.
func (o *outliner) settleWithin(out *outline, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, f := range out.fields {
			if inner, given := v[f.name]; given {
				o.settleWithin(f.outline, inner)
			} else {
				o.settle(f.outline)
			}
		}
		for name, inner := range v {
			for _, other := range out.undeclared(name) {
				o.settleWithin(other, inner)
			}
		}
	case []any:
		for i, inner := range v {
			if item := out.item(i); item != nil {
				o.settleWithin(item, inner)
			}
		}
	}
	out.fills = true // until markFills knows better
}

// fits tells whether a value is right by all that the outline was made of.
func (o *outliner) fits(out *outline, v any) bool {
	return !slices.ContainsFunc(out.parts, func(p *part) bool { return len(o.misfits(p, v)) > 0 })
}

// misfits are the reasons why a value does not fit a part.
func (o *outliner) misfits(p *part, v any) []failure {
	if o.left < 0 {
		return nil // the schema is refused
	}
	s := &Schema{source: o.root, compiled: o.compiledPart(p), meter: o.meter(p)}
	if s.meter != nil {
		s.meter.left = &o.left
	}
	failures, err := s.failures(v)
	if o.left < 0 {
		o.faults = append(o.faults, p.at.Errorf("default", "the defaults of this schema are too large for it: this one can no longer be checked in time"))
		return nil
	}
	if err != nil {
		return []failure{{text: err.Error()}}
	}
	return failures
}

// markFills finds the outlines within which something may have to be filled.
func (o *outliner) markFills() {
	for _, each := range o.all {
		each.fills = false
	}
	for changed := true; changed; {
		changed = false
		for _, each := range slices.Backward(o.all) {
			if !each.fills && slices.ContainsFunc(each.within(), func(in *outline) bool { return in.fills }) ||
				!each.fills && slices.ContainsFunc(each.fields, func(f outlineField) bool { return f.gives }) {
				each.fills, changed = true, true
			}
		}
	}
}

// within are the outlines of all that the value may hold.
func (o *outline) within() []*outline {
	var all []*outline
	for _, f := range o.fields {
		all = append(all, f.outline)
	}
	for _, p := range o.patterns {
		all = append(all, p.outline)
	}
	for _, other := range append([]*outline{o.rest, o.items}, o.prefix...) {
		if other != nil {
			all = append(all, other)
		}
	}
	return all
}
