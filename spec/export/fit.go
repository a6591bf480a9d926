package export

import (
	"slices"

	"github.com/toolspec/toolspec/spec"
)

// fitter rewrites the schema of one tool as its provider takes it.
type fitter struct {
	*reader
	*rules
	open    []spec.Section // what references name and is being written out
	around  int            // how much of that is around the schema at hand, not in it: a file has no cycle there
	defs    []*definition  // what kept references name
	room    int            // how many references may still be written out
	words   int            // and how many keywords and fields in what they name
	depth   int            // of objects and lists around the schema at hand
	values  int            // how many values all enums list so far
	letters int            // and how many characters those have
	unsure  bool           // the schema at hand is one form of several
}

// What is written out of references for one tool.
const (
	mostWritten = 1_000  // references
	mostWords   = 20_000 // keywords and fields in what they name
)

// fitted is the schema of a tool's input as the provider takes it, and what the tool's description is to say beside.
func (x *export) fitted(s *spec.Spec) (*schema, []string) {
	of := input(s)
	f := &fitter{reader: &reader{x, of}, rules: x.format.rules, room: mostWritten, words: mostWords}
	at := of.Section()
	f.open = []spec.Section{at}
	root := f.read(at, place{at.Pos(), at.Path()})
	f.fit(root, true)
	f.addDefinitions(root)
	return root, root.notes
}

// fit rewrites a schema and those within.
func (f *fitter) fit(s *schema, root bool) {
	before, around := len(f.open), f.around
	defer func() { f.open, f.around = f.open[:before], around }()
	f.around = before
	f.flatten(s, root)
	if root && s.literal != "" {
		f.nothing(s)
	}
	if s.literal != "" && !f.literal(s) {
		return
	}
	f.unite(s, root)
	f.dropFields(s)
	if f.rules.shape != nil {
		f.rules.shape(f, s, root)
	}
	f.within(s, root)
	if f.rules.finish != nil {
		f.rules.finish(f, s, root)
	}
	f.fold(s, root)
	if !root {
		s.describe()
	}
}

// nothing makes an object without fields of a root that no input fits.
func (f *fitter) nothing(s *schema) {
	f.lose(s.at, "never", "told in the description: no input fits the schema")
	s.literal = ""
	s.setTypes([]string{"object"})
	s.keywords = append(s.keywords, &keyword{name: "properties", at: s.under("properties"), named: []*field{}})
	s.remark("No call is right.")
}

// within rewrites the schemas in those keywords that stay.
func (f *fitter) within(s *schema, root bool) {
	deeper := 0
	if holds := s.types(); slices.Contains(holds, "object") || slices.Contains(holds, "array") {
		deeper = 1
	}
	f.depth += deeper
	for _, k := range slices.Clone(s.keywords) {
		if !f.takes(k.name, root) {
			continue
		}
		unsure := f.unsure
		for _, inner := range k.inner() {
			f.unsure = unsure || inner.lifted || k.name == "anyOf" || k.name == "oneOf"
			if inner.literal == "" || !mayBeBoolean(k.name) {
				f.fit(inner, false)
			}
		}
		f.unsure = unsure
	}
	f.depth -= deeper
}

// mayBeBoolean tells whether a keyword of objects and lists commonly holds true or false.
func mayBeBoolean(keyword string) bool {
	return keyword == "additionalProperties" || keyword == "unevaluatedProperties" || keyword == "unevaluatedItems"
}

// literal makes a map of a schema that is true or false, where the provider wants maps; false if it is left as it is.
func (f *fitter) literal(s *schema) bool {
	if f.booleans {
		return false
	}
	if s.literal == "false" {
		s.keywords = []*keyword{{name: "not", at: s.at, one: &schema{at: s.at}}}
	}
	f.rewrite(s.at, "boolean", "the schema %s is written as a map", s.literal)
	s.literal = ""
	return true
}

// describe puts what is noted beside the description into it.
func (s *schema) describe() {
	if len(s.notes) == 0 {
		return
	}
	said := text(sentences(s.description(), s.notes))
	s.notes = nil
	if s.has("description") {
		s.set("description", said)
		return
	}
	s.keywords = slices.Insert(s.keywords, s.index("type")+1, &keyword{name: "description", at: s.at, said: said})
}

// dropFields takes away fields whose names the provider refuses; the description tells of them.
func (f *fitter) dropFields(s *schema) {
	properties := s.get("properties")
	if properties == nil || f.rules.field == nil {
		return
	}
	required := s.get("required")
	properties.named = slices.DeleteFunc(properties.named, func(p *field) bool {
		if f.rules.field.MatchString(p.name) {
			return false
		}
		must := "may"
		if slices.Contains(textsOf(required), p.name) {
			must = "must"
			f.unrequire(s, p.name)
		}
		s.remark("The field `" + p.name + "` " + must + " be given too: " + short(p.json()) + ".")
		f.lose(p.at, "field-name", "left out, and told in the description: %s takes %s in the name of a field", f.who, f.fieldWords)
		return true
	})
}

// unrequire takes names from those that are required.
func (f *fitter) unrequire(s *schema, gone ...string) {
	k := s.get("required")
	away := map[string]bool{}
	for _, name := range gone {
		f.lose(k.at, "required", "%q is told in the description alone", name)
		away[name] = true
	}
	names := slices.DeleteFunc(textsOf(k), func(name string) bool { return away[name] })
	if len(names) == 0 {
		s.drop("required")
		return
	}
	k.said = encoded(names)
}
