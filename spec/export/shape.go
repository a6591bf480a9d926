package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// typeOf is the JSON type of a value.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

// typesOf are the types of values: of numbers without point and exponent integer.
func typesOf(values []json.RawMessage) (types []string) {
	whole := true
	for _, v := range values {
		types = union(types, []string{typeOf(valueOf(v))})
		whole = whole && (typeOf(valueOf(v)) != "number" || !bytes.ContainsAny(v, ".eE"))
	}
	if i := slices.Index(types, "number"); i >= 0 && whole {
		types[i] = "integer"
	}
	return types
}

// keywordsOf are those that look at values of one type alone.
var keywordsOf = map[string][]string{
	"object": {"properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"},
	"array":  {"items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains", "unevaluatedItems"},
	"string": {"pattern", "minLength", "maxLength", "format", "contentEncoding", "contentMediaType", "contentSchema"},
	"number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
}

// scalars are what a provider can be asked for where anything may stand.
var scalars = []string{"string", "number", "boolean"}

// typed gives a schema its types, where it has none: those of its values, or those that its keywords look at.
func (f *fitter) typed(s *schema) {
	if s.has("$ref") || s.has("anyOf") {
		return
	}
	types := typesOf(s.values())
	if own := s.types(); len(own) > 0 {
		held := slices.DeleteFunc(slices.Clone(own), func(t string) bool {
			return !allows(types, t) && !(t == "number" && slices.Contains(types, "integer"))
		})
		if len(types) > 0 && len(held) > 0 && len(held) < len(own) {
			f.rewrite(s.get("type").at, "type", "those types are left out that no value listed has")
			s.setTypes(held)
		}
		return
	}
	if types != nil {
		f.rewrite(s.under("type"), "type", "%s is filled in, as its values have it", strings.Join(types, " or "))
		s.setTypes(types)
		return
	}
	for _, t := range []string{"object", "array", "string", "number"} {
		if slices.ContainsFunc(keywordsOf[t], s.has) {
			types = append(types, t)
		}
	}
	if types != nil {
		f.lose(s.under("type"), "type", "no type is given, and %s wants one: taken for type %s, of which its keywords speak", f.who, strings.Join(types, " or "))
		s.setTypes(types)
		return
	}
	f.lose(s.under("type"), "type", "no type is given, and %s wants one: taken for a text, a number or a boolean", f.who)
	s.setTypes(scalars)
}

// split writes several types as forms of one type each; what speaks of no type stays with it.
func (f *fitter) split(s *schema, types []string) {
	f.rewrite(s.at, "union", "several types are written as one form for each")
	forms := &keyword{name: "anyOf", at: s.at}
	var beside []*keyword
	for _, t := range types {
		form := &schema{at: s.at}
		form.setTypes([]string{t})
		for _, k := range s.keywords {
			if k.speaksOf(t) {
				form.keywords = append(form.keywords, k.clone())
			}
		}
		form.narrow(t)
		forms.list = append(forms.list, form)
	}
	for _, k := range s.keywords {
		if k.name != "type" && !slices.ContainsFunc(types, k.speaksOf) {
			beside = append(beside, k)
		}
	}
	s.keywords = append(beside, forms)
}

func (k *keyword) speaksOf(t string) bool {
	if t == "integer" {
		t = "number"
	}
	return slices.Contains(keywordsOf[t], k.name) || k.name == "enum" || k.name == "const"
}

// narrow leaves of listed values those of one type.
func (s *schema) narrow(t string) {
	values := s.values()
	if values == nil {
		return
	}
	if t == "integer" {
		t = "number"
	}
	fitting := slices.DeleteFunc(slices.Clone(values), func(v json.RawMessage) bool { return typeOf(valueOf(v)) != t })
	s.drop("const")
	s.set("enum", encoded(fitting))
}

// asText has a text stand for an object or a list that the provider cannot be told of: a call takes JSON in a text for
// either, where nothing else may stand.
func (f *fitter) asText(s *schema, kind, why string) {
	said := s.clone()
	said.drop(annotating...)
	s.keywords = slices.DeleteFunc(s.keywords, func(k *keyword) bool { return !slices.Contains(annotating, k.name) })
	nullable := slices.Contains(said.types(), "null")
	s.setTypes([]string{"string"})
	form := map[string]string{"object": "A JSON object, written as a text", "array": "A JSON list, written as a text"}[kind]
	if shape := said.json(); len(said.keywords) > 1 && !bytes.Equal(shape, []byte(`{"type":"`+kind+`"}`)) {
		form += ", that fits " + short(shape)
	}
	s.remark(form + ".")
	if nullable || f.unsure {
		f.lose(s.at, "text", "written as a text that holds JSON: %s; a call takes no text here, since %s is not all that may stand here", why, kind)
		return
	}
	f.lose(s.at, "text", "written as a text that holds JSON, which a call takes: %s", why)
}

// tuple has a list with a schema for each place be one whose entries fit any of them.
func (f *fitter) tuple(s *schema) {
	prefix := s.get("prefixItems")
	if prefix == nil {
		return
	}
	s.remark(phrase(prefix))
	f.lose(prefix.at, "tuple", "told in the description: %s takes one schema for all entries", f.who)
	s.drop("prefixItems")
	forms := prefix.list
	if rest := s.get("items"); rest != nil {
		if rest.one.literal == "" {
			forms = append(forms, rest.one)
		} else if rest.one.literal == "false" {
			s.remark("It has no further entries.")
		}
		f.lose(rest.at, "tuple", "joined with the entries before")
		s.drop("items")
	}
	var distinct []*schema
	for _, form := range forms {
		if !slices.ContainsFunc(distinct, func(d *schema) bool { return bytes.Equal(d.json(), form.json()) }) {
			distinct = append(distinct, form)
		}
	}
	one := distinct[0]
	if len(distinct) > 1 {
		one = &schema{at: prefix.at, keywords: []*keyword{{name: "anyOf", at: prefix.at, list: distinct}}}
	}
	s.keywords = append(s.keywords, &keyword{name: "items", at: prefix.at, one: one})
}

// declared takes names from those that are required but are no fields.
func (f *fitter) declared(s *schema) {
	fields := map[string]bool{}
	for _, p := range s.fields() {
		fields[p.name] = true
	}
	names := slices.DeleteFunc(textsOf(s.get("required")), func(name string) bool { return fields[name] })
	if len(names) == 0 {
		return
	}
	f.unrequire(s, names...)
	if len(names) > severalNames {
		s.remark("The fields `" + strings.Join(names, "`, `") + "` must be given too.")
		return
	}
	for _, name := range names {
		s.remark("The field `" + name + "` must be given too.")
	}
}

const severalNames = 20 // get a sentence each; more share one

// dropNever takes away fields that nothing fits.
func (f *fitter) dropNever(s *schema) {
	properties := s.get("properties")
	if properties == nil {
		return
	}
	properties.named = slices.DeleteFunc(properties.named, func(p *field) bool {
		if p.literal == "false" {
			s.remark("The field `" + p.name + "` must not be given.")
			f.lose(p.at, "keyword", "told in the description: nothing fits it")
		}
		return p.literal == "false"
	})
}

// anything makes of the schema true one that says nothing.
func (f *fitter) anything(s *schema) {
	if s.literal == "true" {
		s.literal = ""
	}
}

// emptyObject tells whether an object has no fields that the provider could be told of.
func (s *schema) emptyObject() bool {
	return slices.Contains(s.types(), "object") && len(s.fields()) == 0
}

// nonNull are the types but null.
func nonNull(types []string) []string {
	return slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
}

func holdsMore(types []string) bool {
	return slices.Contains(types, "object") || slices.Contains(types, "array")
}
