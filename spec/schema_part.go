package spec

import (
	"regexp"
	"strconv"
	"strings"
)

// part is a schema within a schema, with what defaults, repair and expressions need of it. Parts live while a schema
// is compiled.
type part struct {
	at       Section
	id       int
	draft    draft
	pointer  string // from the root, as a JSON pointer
	within   *resource
	lone     bool      // a $ref of draft-07 or before: what stands beside it is ignored
	never    bool      // the schema false
	ref      *part     // what $ref names
	dynamic  []*part   // what $dynamicRef and $recursiveRef may name
	all      []*part   // allOf
	groups   [][]*part // anyOf and oneOf
	others   []*part   // what else looks at the same value
	fields   []namedPart
	byName   map[string]*part // of fields, where there are many
	patterns []patternPart
	rest     *part // additionalProperties
	prefix   []*part
	items    *part    // after the prefix
	inner    []*part  // what else looks at what is in the value
	alone    *outline // of this part alone

	judged, listed bool // see judge
	types          typeSet
}

type namedPart struct {
	name string
	part *part
}

// field is the part of a declared field; nil if there is none.
func (p *part) field(name string) *part {
	if len(p.fields) > fewFields && len(p.byName) < len(p.fields) {
		p.byName = make(map[string]*part, len(p.fields))
		for _, f := range p.fields {
			p.byName[f.name] = f.part
		}
	}
	if p.byName != nil {
		return p.byName[name]
	}
	for _, f := range p.fields {
		if f.name == name {
			return f.part
		}
	}
	return nil
}

type patternPart struct {
	pattern *regexp.Regexp
	part    *part
}

// resource is a schema that references within it start from: the root, or a schema with an $id of its own.
type resource struct {
	pointer string
	anchors map[string]*part
}

// schemaReader finds the parts of a schema, and what is wrong with its keywords.
type schemaReader struct {
	draft    draft
	remote   bool // references elsewhere are not ours to judge
	faults   Diagnostics
	byPlace  map[string]*part // by JSON pointer
	parts    []*part
	refs     []reference
	patterns map[string]*regexp.Regexp // of patternProperties
	programs int                       // how much patterns have grown to so far
	dynamic  map[string][]*part        // by $dynamicAnchor; $recursiveAnchor goes by ""
}

// reference is a $ref, $dynamicRef or $recursiveRef.
type reference struct {
	from    *part
	keyword string
	to      Section
}

func (r *schemaReader) fault(s Section, format string, args ...any) {
	r.faults = append(r.faults, s.Errorf("schema", format, args...))
}

// read reads the schema at a place, and those within it.
func (r *schemaReader) read(s Section, pointer string, within *resource) *part {
	if known := r.byPlace[pointer]; known != nil {
		return known
	}
	p := &part{at: s, id: len(r.parts), draft: r.draft, pointer: pointer, within: within}
	r.parts = append(r.parts, p)
	r.byPlace[pointer] = p
	switch {
	case s.Form() == FormMap:
	case s.Form() == FormBool && (r.draft > draft4 || strings.HasSuffix(pointer, "/additionalProperties") || strings.HasSuffix(pointer, "/additionalItems")):
		p.never = s.Value() == false
		return p
	default:
		r.wantSchema(s)
		return p
	}
	r.identify(p)
	p.lone = r.draft < draft2019 && s.Get("$ref").Form() == FormText
	for _, f := range s.Fields() {
		if k, known := keywords[f.Key.Value]; known && k.knownTo(r.draft) {
			r.readKeyword(p, f, k)
		} else {
			r.unknownKeyword(f)
		}
	}
	return p
}

func (r *schemaReader) wantSchema(s Section) {
	hint := ""
	if s.Form() == FormText {
		if _, isType := typesByName[s.n.text]; isType {
			hint = "; write {type: " + s.n.text + "}"
		} else if t := typeHints[s.n.text]; t != "" {
			hint = "; write {type: " + t + "}"
		}
	}
	have := s.Form().String()
	if s.Form() == FormNull {
		hint = "; write {} for any value"
	}
	if s.Form().Scalar() {
		have = shownValue(s.n.text)
	}
	r.fault(s, "want a schema, such as {type: string}, have %s%s", have, hint)
}

// identify notes the names by which references reach the part.
func (r *schemaReader) identify(p *part) {
	id := p.at.Get("$id")
	if r.draft == draft4 {
		id = p.at.Get("id")
	}
	sibling := r.draft < draft2019 && !p.at.Get("$ref").IsZero()
	if id.Form() == FormText && id.n.text != "" && !sibling {
		if name, anchor := cutAnchor(id.n.text); anchor && r.draft < draft2019 {
			p.within.anchors[name] = p
		} else if p.pointer != "" {
			p.within = &resource{pointer: p.pointer, anchors: map[string]*part{}}
		}
	}
	if name := p.at.Get("$anchor"); r.draft >= draft2019 && name.Form() == FormText {
		p.within.anchors[name.n.text] = p
	}
	if name := p.at.Get("$dynamicAnchor"); r.draft >= draft2020 && name.Form() == FormText {
		p.within.anchors[name.n.text] = p
		r.dynamic[name.n.text] = append(r.dynamic[name.n.text], p)
	}
	if p.at.Get("$recursiveAnchor").Form() == FormBool {
		r.dynamic[""] = append(r.dynamic[""], p)
	}
}

func cutAnchor(id string) (name string, ok bool) {
	if id[0] != '#' {
		return "", false
	}
	return id[1:], len(id) > 1 && id[1] != '/'
}

func (r *schemaReader) readKeyword(p *part, f Field, k keyword) {
	if k.form != FormAbsent {
		wantForm(r, f.Value, k.form)
	}
	if k.check != nil {
		k.check(r, f.Value)
	}
	name, place := f.Key.Value, p.pointer+"/"+pointerToken(f.Key.Value)
	one := func() { r.link(p, name, "", r.read(f.Value, place, p.within)) }
	switch k.holds {
	case holdsNone:
		if f.Value.Form() == FormText && (name == "$ref" || name == "$dynamicRef" || name == "$recursiveRef") {
			r.refs = append(r.refs, reference{p, name, f.Value})
		}
	case holdsOne:
		one()
	case holdsOneOrList:
		if f.Value.Form() != FormList {
			one()
		} else if r.draft >= draft2020 {
			r.fault(f.Value, "want one schema, have a list: since 2020-12 a schema for each place is written prefixItems")
		} else {
			r.readList(p, f, place)
		}
	case holdsList:
		r.readList(p, f, place)
	case holdsMap, holdsMapOrTexts:
		r.readMap(p, f, place, k.holds == holdsMapOrTexts)
	}
}

func (r *schemaReader) readList(p *part, f Field, place string) {
	items := f.Value.Items()
	if len(items) == 0 {
		f.Value.want(&r.faults, "a list of schemas, at least one")
	}
	for i, item := range items {
		token := strconv.Itoa(i)
		r.link(p, f.Key.Value, token, r.read(item, place+"/"+token, p.within))
	}
}

func (r *schemaReader) readMap(p *part, f Field, place string, orTexts bool) {
	if f.Value.Form() != FormMap {
		f.Value.want(&r.faults, "a map from names to schemas")
		return
	}
	for _, inner := range f.Value.Fields() {
		if orTexts && inner.Value.Form() == FormList {
			wantTexts(r, inner.Value)
			continue
		}
		r.link(p, f.Key.Value, inner.Key.Value, r.read(inner.Value, place+"/"+pointerToken(inner.Key.Value), p.within))
	}
}

// link notes what a schema in a keyword means for the part.
func (r *schemaReader) link(p *part, keyword, key string, to *part) {
	switch keyword {
	case "properties":
		p.fields = append(p.fields, namedPart{key, to})
	case "patternProperties":
		if re := r.patterns[key]; re != nil {
			p.patterns = append(p.patterns, patternPart{re, to})
		}
	case "additionalProperties":
		p.rest = to
	case "items":
		if key != "" {
			p.prefix = append(p.prefix, to)
		} else {
			p.items = to
		}
	case "prefixItems":
		p.prefix = append(p.prefix, to)
	case "additionalItems":
		if p.at.Get("items").Form() == FormList {
			p.items = to
		}
	case "allOf":
		p.all = append(p.all, to)
	case "anyOf", "oneOf":
		if key == "0" {
			p.groups = append(p.groups, nil)
		}
		last := len(p.groups) - 1
		p.groups[last] = append(p.groups[last], to)
	case "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems":
		p.inner = append(p.inner, to)
	default:
		if keywords[keyword].inPlace {
			p.others = append(p.others, to)
		}
	}
}
