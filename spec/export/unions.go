package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// unite rewrites the alternatives of a schema where the provider cannot take them as they stand, and brings up the fields
// that only conditions name.
func (f *fitter) unite(s *schema, root bool) {
	for _, name := range []string{"oneOf", "anyOf"} {
		k := s.get(name)
		switch {
		case k == nil:
		case !f.takes("anyOf", root) || !f.takes(name, root) && !f.plain:
			f.describeForms(s, k, root)
		case !f.plain:
		case s.has("properties"):
			f.describeForms(s, k, root)
		default:
			f.spread(s, k)
		}
	}
	for _, name := range []string{"then", "else", "dependentSchemas"} {
		if k := s.get(name); k != nil && !f.takes(name, root) && s.has("properties") {
			for _, inner := range k.inner() {
				form := inner.clone()
				f.flat(form)
				f.lift(s, form)
			}
		}
	}
}

// flat writes out all that a form refers to.
func (f *fitter) flat(form *schema) {
	empty := &schema{at: form.at}
	f.mergeFlat(empty, form)
	form.keywords, form.literal, form.notes = empty.keywords, empty.literal, empty.notes
}

// describeForms tells the forms of an object in its description: the fields of all of them are fields of the object, and
// what each form requires is said in words.
func (f *fitter) describeForms(s *schema, k *keyword, root bool) {
	s.drop(k.name)
	f.lose(k.at, "union", "told in the description: %s takes no %s %s", f.who, k.name, whereUnions(root))
	var told []string
	var required []string
	for i, form := range k.list {
		form = form.clone()
		said := short(form.json())
		f.flat(form)
		known := f.lift(s, form)
		names := textsOf(form.get("required"))
		if i == 0 {
			required = names
		}
		required = slices.DeleteFunc(slices.Clone(required), func(name string) bool { return !slices.Contains(names, name) })
		told = append(told, "("+strconv.Itoa(i+1)+") "+formWords(form, known, said))
	}
	if own := textsOf(s.get("required")); len(union(own, required)) > len(own) {
		f.rewrite(s.set("required", encoded(union(own, required))).at, "required", "lists also what each form requires")
	}
	count := "at least one"
	if k.name == "oneOf" {
		count = "exactly one"
	}
	s.remark("It takes " + count + " of these forms: " + strings.Join(told, "; ") + ".")
}

func whereUnions(root bool) string {
	if root {
		return "at the root"
	}
	return "beside properties"
}

// formWords tell one form of an object: what it says of itself, which values its fields have, and what else it refuses.
func formWords(form *schema, known []*field, said string) string {
	words := form.description()
	if words == "" {
		words = strings.Join(textsOf(form.get("title")), "")
	}
	var facts []string
	for _, p := range form.fields() {
		if values := p.values(); values != nil {
			facts = append(facts, "`"+p.name+"` is "+listed(values, " or "))
		} else if slices.Contains(known, p) {
			facts = append(facts, "`"+p.name+"` fits "+short(p.json()))
		}
	}
	if names := textsOf(form.get("required")); len(names) > 0 {
		facts = append(facts, "`"+strings.Join(names, "`, `")+"` given")
	}
	for _, k := range form.keywords {
		if !slices.Contains([]string{"properties", "required", "type", "title", "description"}, k.name) {
			facts = append(facts, k.name+" "+short(k.said))
		}
	}
	words, fact := strings.TrimRight(words, ". \n"), strings.Join(facts, ", ")
	switch {
	case fact == "" && words == "":
		return "what fits " + said
	case fact == "" || words == "":
		return words + fact
	}
	return words + " (" + fact + ")"
}

// lift adds the fields that a form declares to those of the object, and gives those that the object has already.
func (f *fitter) lift(s, form *schema) (known []*field) {
	for _, p := range form.fields() {
		properties := s.get("properties")
		if properties == nil {
			properties = &keyword{name: "properties", at: s.at, named: []*field{}}
			s.keywords = append(s.keywords, properties)
		}
		beside := func() {
			at := place{p.at.pos, properties.at.path + "." + p.name}
			f.lose(at, "union", "declared for all forms of the object: %s declares it for one", p.at.path)
		}
		switch own := properties.field(p.name); {
		case own == nil:
			beside()
			p.lifted = true
			properties.named = append(properties.named, p)
		case bytes.Equal(own.json(), p.json()):
		case own.lifted:
			beside()
			own.widen(p.schema)
		default:
			known = append(known, p)
		}
	}
	return known
}

// widen has a field take what another form of its object takes.
func (p *field) widen(other *schema) {
	if a, b := p.values(), other.values(); a != nil && b != nil && p.onlyValues() && other.onlyValues() {
		values := slices.Concat(a, slices.DeleteFunc(slices.Clone(b), func(v json.RawMessage) bool {
			return slices.ContainsFunc(a, func(w json.RawMessage) bool { return bytes.Equal(v, w) })
		}))
		p.drop("const")
		p.set("enum", encoded(values))
		return
	}
	if forms := p.get("anyOf"); forms != nil && len(p.keywords) == 1 {
		forms.list = append(forms.list, other)
		return
	}
	first := *p.schema
	p.schema = &schema{at: p.at, lifted: true, keywords: []*keyword{{name: "anyOf", at: p.at, list: []*schema{&first, other}}}}
}

// onlyValues tells whether a schema says little more than which values there are.
func (s *schema) onlyValues() bool {
	return !slices.ContainsFunc(s.keywords, func(k *keyword) bool {
		return k.name != "const" && k.name != "enum" && k.name != "type" && k.name != "title" && k.name != "description"
	})
}

// spread has the schema be its forms and nothing more: what else it refuses each form refuses too.
func (f *fitter) spread(s *schema, k *keyword) {
	if other := s.get("anyOf"); other != nil && other != k {
		s.remark(phrase(other))
		f.lose(other.at, "union", "told in the description: %s takes one list of forms", f.who)
		s.drop("anyOf")
	}
	if k.name == "oneOf" {
		f.lose(k.at, "union", "written as anyOf: %s takes no oneOf", f.who)
		k.name = "anyOf"
	}
	shared := &schema{at: s.at}
	for _, beside := range s.keywords {
		if beside != k && !slices.Contains(annotating, beside.name) {
			shared.keywords = append(shared.keywords, beside)
			f.rewrite(beside.at, "union", "said of each form")
		}
	}
	for _, beside := range shared.keywords {
		s.drop(beside.name)
	}
	k.list = slices.DeleteFunc(k.list, func(form *schema) bool {
		if form.literal == "false" {
			f.rewrite(form.at, "union", "left out: nothing has this form")
		}
		return form.literal == "false"
	})
	for _, form := range k.list {
		if form.literal != "true" {
			f.merge(form, shared.clone())
		} else if len(shared.keywords) > 0 {
			form.literal, form.keywords = "", shared.clone().keywords
		}
	}
	if len(k.list) == 0 {
		s.drop(k.name)
		f.lose(k.at, "never", "told in the description: nothing fits any of the forms")
		s.remark("Nothing fits it.")
	}
	if len(k.list) == 1 {
		f.rewrite(k.at, "union", "written as the one form there is")
		s.drop(k.name)
		f.merge(s, k.list[0])
	}
}
