package spec

// judge finds the types that the part allows, and whether its values are listed, by all that looks at the same value.
func (p *part) judge() {
	if p.judged {
		return
	}
	p.judged, p.types = true, typeAny
	and := func(inner *part) {
		inner.judge()
		p.types &= inner.types
		p.listed = p.listed || inner.listed
	}
	if p.ref != nil {
		and(p.ref)
	}
	if p.lone {
		return
	}
	p.types &= p.ownTypes()
	p.listed = p.listed || p.listedValues() != nil
	for _, inner := range p.all {
		and(inner)
	}
	for _, group := range p.groups {
		or := &part{judged: true, listed: true}
		for _, branch := range group {
			branch.judge()
			or.types |= branch.types
			or.listed = or.listed && (branch.listed || branch.types == 0)
		}
		and(or)
	}
}

func (p *part) ownTypes() typeSet {
	if p.never {
		return 0
	}
	types := typeSet(typeAny)
	switch t := p.at.Get("type"); t.Form() {
	case FormText:
		types = typesByName[t.n.text]
	case FormList:
		types = 0
		for _, name := range t.Items() {
			types |= typesByName[name.n.text]
		}
	}
	if listed := p.listedValues(); listed != nil {
		var union typeSet
		for _, v := range listed {
			union |= typeOf(v.Value())
		}
		types &= union
	}
	return types
}

// listedValues are the values of enum or const; nil if there is neither.
func (p *part) listedValues() []Section {
	if c := p.at.Get("const"); !c.IsZero() && p.draft > draft4 {
		return []Section{c}
	}
	return p.at.Get("enum").Items()
}

// isClosed tells whether no other fields than the declared can stand in the value.
func (p *part) isClosed() bool {
	if p.lone || len(p.patterns) > 0 {
		return false
	}
	if p.rest != nil {
		return p.rest.never
	}
	unevaluated := p.at.Get("unevaluatedProperties")
	return p.draft >= draft2019 && unevaluated.Form() == FormBool && unevaluated.Value() == false &&
		len(p.groups)+len(p.others)+len(p.dynamic) == 0
}
