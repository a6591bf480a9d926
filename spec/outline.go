package spec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// outline is what a schema says of a value for certain, by type, properties, items, $ref and allOf taken together:
// what defaults are filled by, what repair goes by, and what expressions are checked against.
type outline struct {
	parts    []*part // while compiling
	types    typeSet
	fields   []outlineField
	index    map[string]int // of fields, where there are many
	patterns []outlinePattern
	rest     *outline // of fields that are neither declared nor fit a pattern
	prefix   []*outline
	items    *outline     // after the prefix
	forms    [][]*outline // anyOf and oneOf; for shapes alone, since none of them is certain
	closed   bool         // no fields but the declared
	listed   bool

	given   any // what stands where the value is absent; meaningful if gives
	size    int // of given, in values
	gives   bool
	fills   bool // something in the value may have to be filled
	pending bool // given is being found
	settled bool
}

type outlineField struct {
	name     string
	required bool
	*outline
}

type outlinePattern struct {
	pattern *regexp.Regexp
	*outline
}

// outliner makes outlines. One set of parts has one outline, however many ways lead there.
type outliner struct {
	*schemaCompiler
	bySet  map[string]*outline
	all    []*outline
	full   bool
	fields int // of all outlines
	left   int // steps of checking defaults
}

// outline makes the outline of a schema, with its defaults found and checked.
func (c *schemaCompiler) outline(top *part) *outline {
	o := &outliner{schemaCompiler: c, bySet: map[string]*outline{}, left: maxLoadSteps}
	root := o.of([]*part{top})
	for _, p := range c.parts {
		if p.judge(); p.hasDefault() {
			o.of([]*part{p})
		}
	}
	if o.full {
		c.faults = append(c.faults, top.at.Errorf("schema", "references and allOf lead to more than 20,000 values, or 100,000 fields, of this schema: simplify it"))
		return root
	}
	o.findDefaults()
	for i := 0; i < len(o.all); i++ { // forms have forms in turn
		o.addForms(o.all[i])
	}
	for _, each := range o.all {
		each.parts = nil
	}
	return root
}

// of is the outline of the value that all these parts look at.
func (o *outliner) of(parts []*part) *outline {
	if len(parts) == 1 && parts[0].alone != nil {
		return parts[0].alone
	}
	key := setKey(parts)
	if known := o.bySet[key]; known != nil {
		return known
	}
	out := &outline{}
	if len(parts) == 1 {
		parts[0].alone = out
	} else {
		o.bySet[key] = out
	}
	if o.full = o.full || len(o.all) >= MaxNodes; o.full {
		return out
	}
	o.all = append(o.all, out)
	out.parts = certain(parts)
	out.types = typeAny
	for _, p := range out.parts {
		p.judge()
		out.types &= p.types
		out.listed = out.listed || p.listed
		out.closed = out.closed || p.isClosed()
	}
	o.addFields(out)
	o.addItems(out)
	return out
}

func setKey(parts []*part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strconv.Itoa(p.id))
		b.WriteByte(' ')
	}
	return b.String()
}

// certain are the parts with those that $ref and allOf add, each once, what stands outside first.
func certain(parts []*part) []*part {
	var all []*part
	seen := map[*part]bool{}
	var add func(p *part)
	add = func(p *part) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		all = append(all, p)
		add(p.ref)
		if !p.lone {
			for _, inner := range p.all {
				add(inner)
			}
		}
	}
	for _, p := range parts {
		add(p)
	}
	return all
}

func (o *outliner) addFields(out *outline) {
	required := map[string]bool{}
	var rest []*part
	for _, p := range out.parts {
		if p.lone {
			continue
		}
		for _, name := range p.at.Get("required").Items() {
			required[name.n.text] = true
		}
		for _, f := range p.fields {
			if out.find(f.name) == nil {
				out.addField(f.name)
			}
		}
		for _, pp := range p.patterns {
			out.patterns = append(out.patterns, outlinePattern{pp.pattern, o.of([]*part{pp.part})})
		}
		if p.rest != nil {
			rest = append(rest, p.rest)
		}
	}
	if o.fields += len(out.fields); o.fields > maxOutlined {
		o.full = true
		return
	}
	for i := range out.fields {
		f := &out.fields[i]
		f.required = required[f.name]
		f.outline = o.of(fieldParts(out.parts, f.name))
	}
	if len(rest) > 0 {
		out.rest = o.of(rest)
	}
}

// maxOutlined is how many fields the outlines of one schema may have together: tens of megabytes.
const maxOutlined = 100_000

const fewFields = 8 // are found fastest one by one

func (o *outline) addField(name string) {
	o.fields = append(o.fields, outlineField{name: name})
	switch n := len(o.fields); {
	case o.index != nil:
		o.index[name] = n - 1
	case n > fewFields:
		o.index = make(map[string]int, 2*n)
		for i, f := range o.fields {
			o.index[f.name] = i
		}
	}
}

// find is the declared field of that name; nil if there is none.
func (o *outline) find(name string) *outlineField {
	if o.index != nil {
		if i, declared := o.index[name]; declared {
			return &o.fields[i]
		}
		return nil
	}
	for i := range o.fields {
		if o.fields[i].name == name {
			return &o.fields[i]
		}
	}
	return nil
}

// fieldParts are the parts that look at one field of the value that parts look at.
func fieldParts(parts []*part, name string) []*part {
	var found []*part
	for _, p := range parts {
		if p.lone {
			continue
		}
		f := p.field(name)
		declared := f != nil
		if declared {
			found = append(found, f)
		}
		for _, pp := range p.patterns {
			if pp.pattern.MatchString(name) {
				found, declared = append(found, pp.part), true
			}
		}
		if !declared && p.rest != nil {
			found = append(found, p.rest)
		}
	}
	return unique(found)
}

func unique[T comparable](all []T) []T {
	var once []T
	for _, each := range all {
		if !slices.Contains(once, each) {
			once = append(once, each)
		}
	}
	return once
}

// addForms outlines the alternatives, when all that is certain has been settled.
func (o *outliner) addForms(out *outline) {
	for _, p := range out.parts {
		if p.lone {
			continue
		}
		for _, group := range p.groups {
			forms := make([]*outline, len(group))
			for i, branch := range group {
				forms[i] = o.of([]*part{branch})
			}
			out.forms = append(out.forms, forms)
		}
	}
}

func (o *outliner) addItems(out *outline) {
	longest := 0
	for _, p := range out.parts {
		if !p.lone {
			longest = max(longest, len(p.prefix))
		}
	}
	for i := range longest + 1 {
		var parts []*part
		for _, p := range out.parts {
			if !p.lone {
				parts = append(parts, p.itemParts(i)...)
			}
		}
		var items *outline
		if len(parts) > 0 {
			items = o.of(unique(parts))
		}
		if i < longest {
			out.prefix = append(out.prefix, items)
		} else {
			out.items = items
		}
	}
}
