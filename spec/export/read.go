package export

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// reader reads schemas of one tool file, whatever their draft, into the words of 2020-12.
type reader struct {
	*export
	of *spec.Schema
}

// How the keywords of 2020-12 hold schemas.
var (
	holdOne   = []string{"additionalProperties", "unevaluatedProperties", "propertyNames", "items", "additionalItems", "unevaluatedItems", "contains", "contentSchema", "not", "if", "then", "else"}
	holdList  = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	holdNamed = []string{"properties", "patternProperties", "dependentSchemas"}
)

// identifiers are keywords that say nothing of a value.
var identifiers = []string{"$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment"}

// annotating are keywords that describe and refuse nothing.
var annotating = []string{"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}

func (r *reader) read(s spec.Section, at place) *schema {
	out := &schema{at: at}
	if s.Form() == spec.FormBool {
		out.literal = string(s.JSON())
		return out
	}
	lone := !r.of.Knows("$defs") && !s.Get("$ref").IsZero() // before 2019-09 nothing counts beside $ref
	for _, f := range s.Fields() {
		k := &keyword{name: f.Key.Value, at: place{f.Key.Pos, f.Value.Path()}, said: f.Value.JSON()}
		if lone && k.name != "$ref" && k.name != "definitions" && !slices.Contains(annotating, k.name) {
			r.rewrite(k.at, "draft", "left out: beside $ref it says nothing in the draft that the schema is of")
			continue
		}
		r.keyword(out, k, f.Value, s)
	}
	return out
}

// keyword adds one keyword of a schema.
func (r *reader) keyword(out *schema, k *keyword, value, within spec.Section) {
	switch {
	case slices.Contains(identifiers, k.name) || k.name == "id" && !r.of.Knows("const") && value.Form() == spec.FormText:
		r.rewrite(k.at, "identifier", "left out: it says nothing of a value")
		return
	case k.name == "$defs" || k.name == "definitions":
		r.rewrite(k.at, "reference", "what is referred to is written anew, the rest is left out")
		return
	case k.name == "$ref" || k.name == "$dynamicRef" || k.name == "$recursiveRef":
		k.to = r.of.Target(value)
	case !r.of.Knows(k.name) && knownWord(k.name):
		r.rewrite(k.at, "draft", "left out: it says nothing in the draft that the schema is of")
		return
	case !r.translate(k, value, within):
		return
	default:
		r.hold(k, value)
	}
	if known := out.get(k.name); known != nil { // what an older draft splits
		known.named, known.said = append(known.named, k.named...), k.said
		return
	}
	out.keywords = append(out.keywords, k)
}

// knownWord tells whether 2020-12 would understand a key.
func knownWord(name string) bool {
	return slices.Contains(holdOne, name) || slices.Contains(holdList, name) || slices.Contains(holdNamed, name) || slices.Contains(assertions, name)
}

// translate puts a keyword of an older draft into the words of 2020-12; false if it says nothing there.
func (r *reader) translate(k *keyword, value, within spec.Section) bool {
	older := func(now string) { r.rewrite(k.at, "draft", "written as %s, as JSON Schema 2020-12 has it", now) }
	switch k.name {
	case "exclusiveMinimum", "exclusiveMaximum":
		if value.Form() != spec.FormBool {
			return true
		}
		bound := within.Get(strings.ToLower(k.name[len("exclusive"):]))
		if value.Value() != true || bound.IsZero() {
			r.rewrite(k.at, "draft", "left out: it says nothing")
			return false
		}
		older("the bound itself")
		k.said = bound.JSON()
	case "minimum", "maximum":
		exclusive := within.Get("exclusive" + strings.ToUpper(k.name[:1]) + k.name[1:])
		if exclusive.Form() == spec.FormBool && exclusive.Value() == true {
			older("an exclusive bound")
			return false
		}
	case "items":
		if value.Form() == spec.FormList {
			older("prefixItems")
			k.name = "prefixItems"
		}
	case "additionalItems":
		if within.Get("items").Form() != spec.FormList {
			r.rewrite(k.at, "draft", "left out: it says nothing without a list of items")
			return false
		}
		older("items")
		k.name = "items"
	}
	return true
}

// hold reads the schemas in a keyword.
func (r *reader) hold(k *keyword, value spec.Section) {
	switch {
	case slices.Contains(holdOne, k.name):
		k.one = r.read(value, k.at)
	case slices.Contains(holdList, k.name):
		for _, item := range value.Items() {
			k.list = append(k.list, r.read(item, place{item.Pos(), item.Path()}))
		}
	case slices.Contains(holdNamed, k.name):
		k.named = r.fields(value)
	case k.name == "dependencies":
		r.dependencies(k, value)
	}
}

func (r *reader) fields(value spec.Section) []*field {
	all := []*field{}
	for _, f := range value.Fields() {
		at := place{f.Key.Pos, f.Value.Path()}
		all = append(all, &field{name: f.Key.Value, at: at, schema: r.read(f.Value, at)})
	}
	return all
}

// dependencies are dependentSchemas, a list of names being a schema that requires them.
func (r *reader) dependencies(k *keyword, value spec.Section) {
	r.rewrite(k.at, "draft", "written as dependentSchemas, as JSON Schema 2020-12 has it")
	k.name = "dependentSchemas"
	k.named = []*field{}
	for _, f := range value.Fields() {
		at := place{f.Key.Pos, f.Value.Path()}
		if f.Value.Form() != spec.FormList {
			k.named = append(k.named, &field{name: f.Key.Value, at: at, schema: r.read(f.Value, at)})
			continue
		}
		needs := &schema{at: at}
		needs.set("required", f.Value.JSON())
		k.named = append(k.named, &field{name: f.Key.Value, at: at, schema: needs})
	}
}

// valueOf is what JSON text says.
func valueOf(said json.RawMessage) any {
	v, err := spec.ReadValue(said)
	if err != nil {
		panic("export: what was read from a file is no JSON: " + err.Error())
	}
	return v
}
