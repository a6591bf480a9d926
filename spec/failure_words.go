package spec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// leaf says what one keyword has against a value.
func (x *explainer) leaf(r refused) []failure {
	holds := r.schema.Get(r.keyword)
	object, _ := r.value.(map[string]any)
	if r.keyword == "" || r.message == "not allowed" { // the schema false
		return []failure{{path: r.path, verb: true, text: "is not allowed here"}}
	}
	switch r.keyword {
	case "required":
		return x.missing(r, holds.Items(), "")
	case "dependentRequired", "dependencies":
		name := Section{}
		if len(r.within) == 2 {
			name = holds.Get(r.within[0]).step(r.within[1])
		}
		if name.Form() == FormText {
			return x.missing(r, []Section{name}, ", and `"+r.within[0]+"` needs it")
		}
	case "additionalProperties":
		return unknownFields(r.path, x.unknown(r.schema, object), declaredNames(r.schema))
	}
	wanted := r.wanted(holds)
	if r.message == "name" {
		return []failure{{path: r.path, text: "the name " + shownValue(r.value) + " " + wanted}}
	}
	return []failure{{path: r.path, keyword: r.keyword, wanted: wanted, text: wanted + r.have()}}
}

// missing names the fields that should be there and are not, each with its description.
func (x *explainer) missing(r refused, names []Section, because string) []failure {
	object, _ := r.value.(map[string]any)
	var all []failure
	for _, name := range names {
		if _, given := object[name.n.text]; given {
			continue
		}
		text := "is missing" + because
		if d := x.description(r.schema.Get("properties").Get(name.n.text)); d != "" {
			text += ": " + d
		}
		all = append(all, failure{path: append(slices.Clone(r.path), name.n.text), verb: true, text: text, keyword: "required"})
	}
	return all
}

// description is what the schema of a field says of it: in words, or by its type.
func (x *explainer) description(field Section) string {
	for range 16 {
		if d := field.Get("description"); d.Form() == FormText {
			return shorten(strings.Join(strings.Fields(d.n.text), " "), 200)
		}
		if types := field.Get("type"); !types.IsZero() {
			return typeWords(types)
		}
		ref := field.Get("$ref")
		if ref.Form() != FormText || !strings.HasPrefix(ref.n.text, "#/") {
			break
		}
		field = x.root
		for _, token := range libraryTokens(ref.n.text[1:]) {
			field = field.step(token)
		}
	}
	return ""
}

func declaredNames(schema Section) []string {
	var names []string
	for _, f := range schema.Get("properties").Fields() {
		names = append(names, f.Key.Value)
	}
	return names
}

// unknown are the fields of an object that a schema neither declares nor takes by a pattern.
func (x *explainer) unknown(schema Section, object map[string]any) []string {
	declared := schema.Get("properties")
	return slices.DeleteFunc(sortedKeys(object), func(name string) bool {
		return !declared.Get(name).IsZero() || slices.ContainsFunc(schema.Get("patternProperties").Fields(), func(f Field) bool {
			re, err := regexp.Compile(f.Key.Value)
			return err == nil && re.MatchString(name)
		})
	})
}

// unknownFields says of each name what may have been meant, and once which are accepted.
func unknownFields(path []string, names, accepted []string) []failure {
	var all []failure
	for i, name := range names {
		text := "is not known"
		if near := Nearest(name, accepted); near != "" {
			text += "; did you mean `" + near + "`?"
		}
		if i == 0 && len(accepted) == 0 {
			text += "; no fields are accepted"
		} else if i == 0 {
			text += " (accepted: " + listNames(accepted) + ")"
		}
		all = append(all, failure{path: append(slices.Clone(path), name), verb: true, text: text})
	}
	return all
}

const mostListed = 40 // names or values in one message

func listNames(names []string) string {
	list := "`" + strings.Join(names[:min(len(names), mostListed)], "`, `") + "`"
	if len(names) > mostListed {
		list += ", … " + strconv.Itoa(len(names)) + " in all"
	}
	return list
}
