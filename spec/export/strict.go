package export

import (
	"encoding/json"
	"slices"

	"github.com/toolspec/toolspec/spec"
)

// The limits of OpenAI's strict mode.
const (
	strictDepth   = 10
	strictValues  = 1000   // of all enums together
	strictLong    = 250    // from so many values on the texts of an enum are limited
	strictTexts   = 15000  // to so many characters
	strictLetters = 100000 // of all enums together; names count too, to 120,000 in all
)

// strictFormats are the formats of texts that strict mode obeys.
var strictFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

// openAIStrict writes tools for OpenAI's strict mode, in which a model cannot but fit the schema. It takes part of JSON
// Schema, every field required and no others: a field that may be left out may be null instead.
func openAIStrict() format {
	return format{
		name: "openai-strict",
		rules: &rules{
			who: "OpenAI's strict mode", name: portableName, nameWords: portableWords, longest: 64, tools: 128,
			takes: strictTakes, refs: refsAlone, plain: true, shape: (*fitter).shapeStrict, finish: (*fitter).finishStrict,
		},
		tool: func(x *export, s *spec.Spec) []byte { return openAITool(x, s, true) },
		join: array,
	}
}

func strictTakes(keyword string, root bool) bool {
	switch keyword {
	case "$ref", "anyOf", "enum", "const":
		return !root
	case "type", "properties", "required", "additionalProperties", "items", "description", "title", "pattern", "format", "$defs",
		"multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems":
		return true
	}
	return false
}

func (f *fitter) shapeStrict(s *schema, root bool) {
	f.anything(s)
	f.dropNever(s)
	f.typed(s)
	types := s.types()
	if holdsMore(types) && len(nonNull(types)) > 1 {
		f.split(s, types)
		return
	}
	open := !root && s.emptyObject() && !s.closed()
	nullable := slices.Contains(types, "null")
	switch {
	case holdsMore(types) && f.depth >= strictDepth:
		f.asText(s, nonNull(types)[0], "OpenAI's strict mode takes 10 levels at most")
	case open && !nullable && !f.unsure:
		f.asText(s, "object", "OpenAI's strict mode takes no fields that are not declared")
	case open:
		f.lose(s.under("additionalProperties"), "open", "nothing but {} can be given: OpenAI's strict mode takes no fields that are not declared")
	case slices.Contains(types, "array"):
		f.tuple(s)
		f.entries(s)
	}
	f.declared(s)
	f.limitValues(s)
	if k := s.get("format"); k != nil && !slices.Contains(strictFormats, textsOf(k)[0]) {
		s.remark(phrase(k))
		f.lose(k.at, "format", "told in the description: OpenAI's strict mode does not know it")
		s.drop("format")
	}
}

// closed tells whether an object takes no other fields than those declared.
func (s *schema) closed() bool {
	k := s.get("additionalProperties")
	return k != nil && k.one != nil && k.one.literal == "false"
}

// entries gives a list that says nothing of its entries a schema for them.
func (f *fitter) entries(s *schema) {
	if !s.has("items") {
		at := s.under("items")
		f.rewrite(at, "filled", "filled in: %s takes no list without", f.who)
		s.keywords = append(s.keywords, &keyword{name: "items", at: at, one: &schema{at: at}})
	}
	if k := s.get("items"); k.one.literal == "false" {
		f.lose(k.at, "keyword", "told in the description: nothing fits it")
		s.remark("It has no entries.")
		k.one = &schema{at: k.at}
	}
}

// limitValues takes away a list of values longer than what is left of the limit for all.
func (f *fitter) limitValues(s *schema) {
	k := s.get("enum")
	if k == nil {
		return
	}
	values, length := s.values(), 0
	for _, v := range values {
		length += len(v)
	}
	if f.values+len(values) <= strictValues && f.letters+length <= strictLetters && (len(values) <= strictLong || length <= strictTexts) {
		f.values += len(values)
		f.letters += length
		return
	}
	s.remark(phrase(k))
	f.lose(k.at, "keyword", "told in the description as far as there is room: OpenAI's strict mode takes no more of them")
	s.drop("enum")
}

func (f *fitter) finishStrict(s *schema, root bool) {
	if k := s.get("anyOf"); k != nil {
		return
	}
	if !slices.Contains(s.types(), "object") {
		return
	}
	if s.get("properties") == nil {
		s.keywords = append(s.keywords, &keyword{name: "properties", at: s.at, named: []*field{}})
		f.rewrite(s.under("properties"), "filled", "filled in, as {}")
	}
	f.closeObject(s, root)
	required := textsOf(s.get("required"))
	names := []string{}
	for _, p := range s.fields() {
		names = append(names, p.name)
		if !slices.Contains(required, p.name) {
			f.makeNullable(p)
		}
	}
	if k := s.get("required"); k != nil && !slices.Equal(required, names) {
		f.rewrite(k.at, "required", "lists every field: OpenAI's strict mode wants all of them")
	} else if k == nil {
		f.rewrite(s.under("required"), "required", "filled in, with every field: OpenAI's strict mode wants all of them")
	}
	s.set("required", encoded(names))
}

// closeObject has an object take no other fields than those declared.
func (f *fitter) closeObject(s *schema, root bool) {
	k := s.get("additionalProperties")
	switch {
	case s.closed():
		return
	case k != nil:
		f.lose(k.at, "open", "written as false, so that no other fields can be given: OpenAI's strict mode takes none that is not declared")
	case s.has("patternProperties") || !root:
		f.rewrite(s.under("additionalProperties"), "open", "filled in, as false: OpenAI's strict mode takes no fields that are not declared")
	default:
		f.rewrite(s.under("additionalProperties"), "filled", "filled in, as false")
	}
	s.set("additionalProperties", nil).one = &schema{at: s.at, literal: "false"}
}

// makeNullable lets null stand for a field that is left out.
func (f *fitter) makeNullable(p *field) {
	f.lose(p.at, "optional", "made required: null stands for leaving it out; take the null away before a call")
	null := json.RawMessage("null")
	types := p.types()
	switch forms := p.get("anyOf"); {
	case slices.Contains(types, "null"):
		return
	case forms != nil:
		if !slices.ContainsFunc(forms.list, func(s *schema) bool { return slices.Contains(s.types(), "null") }) {
			null := &schema{at: p.at}
			null.setTypes([]string{"null"})
			forms.list = append(forms.list, null)
		}
		return
	case p.has("$ref"):
		kept, null := *p.schema, &schema{at: p.at}
		null.setTypes([]string{"null"})
		p.schema = &schema{at: p.at, keywords: []*keyword{{name: "anyOf", at: p.at, list: []*schema{&kept, null}}}}
		return
	}
	p.setTypes(append(types, "null"))
	if values := p.values(); values != nil {
		if k := p.get("const"); k != nil {
			k.name = "enum"
		}
		p.set("enum", encoded(append(values, null)))
	}
}
