package spec

import (
	"maps"
	"reflect"
)

// Grammar is what may stand in a part of a tool file, as a JSON Schema of draft-07, which editors read. It is data for
// [encoding/json] and is made from the declarations that [Section.Decode] goes by.
type Grammar map[string]any

// describer is a type with DecodeSection that says what it takes.
type describer interface{ DescribeSection() Grammar }

// grammatical is a struct that says of some of its keys what their types do not: all of what may stand there for a
// [Section], more than the type says for another. Under the empty key it speaks of itself.
type grammatical interface{ Grammars() map[string]Grammar }

// GrammarOf is what may stand in a section that is decoded into a value of config's type. Every key of a struct has a doc,
// and one that takes a Section is spoken of in Grammars; GrammarOf panics otherwise.
func GrammarOf(config any) Grammar { return grammarOf(reflect.TypeOf(config)) }

func grammarOf(t reflect.Type) Grammar {
	if g, decodes := ownGrammar(t); decodes {
		return g
	}
	switch t {
	case sectionType:
		return Grammar{}
	case textType:
		return scalarGrammar()
	case durationType:
		return durationGrammar()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return grammarOf(t.Elem())
	case reflect.Struct:
		return structGrammar(t)
	case reflect.Slice:
		return Grammar{"type": "array", "items": grammarOf(t.Elem())}
	case reflect.Map:
		return Grammar{"type": "object", "additionalProperties": grammarOf(t.Elem())}
	case reflect.String:
		return scalarGrammar()
	case reflect.Bool:
		return Grammar{"type": "boolean"}
	case reflect.Int:
		return Grammar{"type": "integer"}
	}
	panic("spec: a section cannot be decoded into " + t.String())
}

// ownGrammar is that of a type that decodes itself.
func ownGrammar(t reflect.Type) (g Grammar, decodes bool) {
	v := reflect.New(t).Interface()
	if d, describes := v.(describer); describes {
		return d.DescribeSection(), true
	}
	if _, decodes := v.(sectionDecoder); decodes {
		panic("spec: " + t.String() + " has DecodeSection and no DescribeSection, which tells editors what it takes")
	}
	return nil, false
}

// scalarGrammar is that of a text: any scalar but null stands for its characters.
func scalarGrammar() Grammar { return Grammar{"type": []string{"string", "number", "boolean"}} }

func durationGrammar() Grammar {
	return Grammar{
		"type": "string", "pattern": `^\+?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`,
		"allOf": []Grammar{{"pattern": "[1-9]"}}, "examples": []string{"5s", "2m", "1h30m"},
	}
}

func structGrammar(t reflect.Type) Grammar {
	own := map[string]Grammar{}
	if g, ok := reflect.New(t).Interface().(grammatical); ok {
		own = maps.Clone(g.Grammars())
	}
	properties, required, choices := map[string]Grammar{}, []string{}, []string{}
	fields := fieldsOf(t)
	for _, f := range fields {
		more, spoken := own[f.key]
		if f.doc == "" || isOpen(t.Field(f.index).Type) && !spoken {
			panic("spec: the key " + f.key + " of " + t.String() + " says too little for editors: want a doc, and of a Section what Grammars says")
		}
		delete(own, f.key)
		properties[f.key] = grammarOf(t.Field(f.index).Type).With(more).With(Grammar{"description": f.doc})
		if f.required {
			required = append(required, f.key)
		}
		if f.one {
			choices = append(choices, f.key)
		}
	}
	g := Grammar{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		g["required"] = required
	}
	if len(choices) > 0 {
		g = g.With(OneKey(choices))
	}
	g = g.With(own[""])
	delete(own, "")
	for key := range own {
		panic("spec: Grammars of " + t.String() + " speaks of a key that there is not: " + key)
	}
	return g
}

// isOpen tells whether a type says nothing of what it holds in the end.
func isOpen(t reflect.Type) bool {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t == sectionType
}

// OneKey says that exactly one of these keys is given. (With maxProperties, where there are no others, editors would
// propose none: they count the key that is being written.)
func OneKey(keys []string) Grammar {
	var ways []Grammar
	for _, key := range keys {
		ways = append(ways, Grammar{"required": []string{key}})
	}
	return Grammar{"oneOf": ways}
}

// With is the grammar that says this and more. Where both say the same keyword more counts; beside a reference draft-07
// hears nothing but what is for people, so it is set apart.
func (g Grammar) With(more Grammar) Grammar {
	if g["$ref"] != nil && len(more) > 0 {
		g = Grammar{"allOf": []Grammar{g}}
	}
	both := maps.Clone(g)
	maps.Copy(both, more)
	return both
}

// Definition refers to a grammar that stands under definitions, by its name there.
func Definition(name string) Grammar { return Grammar{"$ref": "#/definitions/" + name} }

// FileGrammar is that of a whole tool file. What stands under some of its keys is for other packages to say, in parts;
// definitions are what parts refer to.
func FileGrammar(parts, definitions map[string]Grammar) Grammar {
	g := structGrammar(reflect.TypeFor[toolFile]())
	properties := g["properties"].(map[string]Grammar)
	for key, part := range parts {
		properties[key] = part.With(Grammar{"description": properties[key]["description"]})
	}
	all := maps.Clone(definitions)
	all["schema"] = schemaGrammar()
	all["objectSchema"] = objectSchemaGrammar()
	return g.With(Grammar{"$schema": "http://json-schema.org/draft-07/schema#", "title": "A tool file", "definitions": all})
}

// Grammars says what the types of the outermost keys do not.
func (*toolFile) Grammars() map[string]Grammar {
	return map[string]Grammar{
		"name":         {"pattern": toolName.String()},
		"description":  {"pattern": `\S`},
		"inputSchema":  wrappedSchemaGrammar(),
		"outputSchema": wrappedSchemaGrammar(),
		"executor":     {}, // FileGrammar is told
		"result":       {},
		"tests":        {},
	}
}

// Grammars says which systems there are.
func (*Requires) Grammars() map[string]Grammar {
	return map[string]Grammar{"os": {"items": Grammar{"enum": systems}}}
}
