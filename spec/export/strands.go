package export

import (
	"regexp"

	"github.com/toolspec/toolspec/spec"
)

// strands writes TOOL_SPECs of Strands Agents, as Strands' own normalisation leaves them: each property has a type and a
// description, each object its list of required fields. Unlike there, a property that says by an enum, a const or a union
// what it may be is given no type: it would be the wrong one.
func strands() format {
	return format{
		name:  "strands",
		rules: &rules{who: "Strands", name: regexp.MustCompile(`^[a-zA-Z0-9_-]+$`), longest: 64, nameWords: "letters, digits, _ and -"},
		tool:  strandsTool,
		join:  array,
	}
}

func strandsTool(x *export, s *spec.Spec) []byte {
	x.leave("title", "tags", "annotations")
	var o object
	o.put("name", text(x.name))
	o.put("description", text(s.Description))
	o.put("inputSchema", strandsSchema(x.strandsObject(input(s).Section())))
	if s.Output != nil {
		o.put("outputSchema", strandsSchema(s.Output.JSON()))
	}
	return o.bytes()
}

func strandsSchema(schema []byte) []byte {
	var o object
	o.put("json", schema)
	return o.bytes()
}

// strandsObject is the schema of an object with its properties, and those of the objects in them, filled in.
func (x *export) strandsObject(s spec.Section) []byte {
	var o object
	for _, f := range s.Fields() {
		if f.Key.Value == "properties" && f.Value.Form() == spec.FormMap {
			o.put("properties", x.strandsProperties(f.Value))
		} else {
			o.put(f.Key.Value, f.Value.JSON())
		}
	}
	if s.Get("required").IsZero() {
		o.put("required", []byte("[]"))
		x.rewrite(place{s.Pos(), s.Path() + ".required"}, "filled", "filled in, as []")
	}
	return o.bytes()
}

func (x *export) strandsProperties(s spec.Section) []byte {
	var o object
	for _, f := range s.Fields() {
		o.put(f.Key.Value, x.strandsProperty(f))
	}
	return o.bytes()
}

// ownTypes are the keywords that say what a value may be without its type.
var ownTypes = []string{"enum", "const", "anyOf", "oneOf", "allOf", "not", "if"}

func (x *export) strandsProperty(f spec.Field) []byte {
	at := place{f.Key.Pos, f.Value.Path()}
	if f.Value.Form() != spec.FormMap {
		x.lose(at, "type", "the schema %s is written as a text: Strands gives every property a type", f.Value.JSON())
		var o object
		o.put("type", text("string"))
		o.put("description", text("Property "+f.Key.Value))
		return o.bytes()
	}
	typed := f.Value.Get("type")
	if t, ok := typed.Text(); ok && t.Value == "object" && !f.Value.Get("properties").IsZero() {
		return x.strandsObject(f.Value)
	}
	if !f.Value.Get("$ref").IsZero() {
		return f.Value.JSON()
	}
	var o object
	for _, inner := range f.Value.Fields() {
		o.put(inner.Key.Value, inner.Value.JSON())
	}
	if typed.IsZero() && !hasAny(f.Value, ownTypes) {
		o.put("type", text("string"))
		x.lose(place{at.pos, at.path + ".type"}, "type", "no type is given, and Strands takes it for a text: string is filled in")
	}
	if f.Value.Get("description").IsZero() {
		o.put("description", text("Property "+f.Key.Value))
		x.rewrite(place{at.pos, at.path + ".description"}, "filled", "filled in, with the name of the field")
	}
	return o.bytes()
}

func hasAny(s spec.Section, keys []string) bool {
	for _, key := range keys {
		if !s.Get(key).IsZero() {
			return true
		}
	}
	return false
}
