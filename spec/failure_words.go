package spec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// leaf says what one keyword has against a value.
func (x *explainer) leaf(e *jsonschema.ValidationError, schema Section, keyword string) []failure {
	path := x.path(e)
	v := x.at(path)
	holds := schema.Get(keyword)
	object, _ := v.(map[string]any)
	switch keyword {
	case "required":
		return x.missing(path, schema, holds.Items(), object, "")
	case "additionalProperties":
		return x.unknown(path, schema, object)
	case "":
		return []failure{{path: path, text: "is not allowed here"}}
	}
	wanted := wantedBy(schema, keyword, holds, v)
	if wanted == "" {
		wanted = e.Message
	}
	text := wanted
	if was := haveFor(keyword, v); was != "" {
		text += ", " + was
	}
	return []failure{{path: path, text: text, wanted: wanted}}
}

// missing names the fields that should be there and are not, each with its description.
func (x *explainer) missing(path []string, schema Section, names []Section, object map[string]any, because string) []failure {
	var all []failure
	for _, name := range names {
		if _, given := object[name.n.text]; given {
			continue
		}
		full := append(slices.Clone(path), name.n.text)
		text := "Field `" + pathText(full) + "` is missing" + because
		if d := x.description(schema.Get("properties").Get(name.n.text)); d != "" {
			text += ": " + d
		}
		all = append(all, failure{path: full, text: text, full: true})
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

// unknown names the fields that a schema does not take.
func (x *explainer) unknown(path []string, schema Section, object map[string]any) []failure {
	var known []string
	for _, f := range schema.Get("properties").Fields() {
		known = append(known, f.Key.Value)
	}
	var all []failure
	for _, name := range sortedKeys(object) {
		if !slices.Contains(known, name) && !fitsPattern(schema.Get("patternProperties"), name) {
			all = append(all, unknownField(path, name, known))
		}
	}
	return all
}

func fitsPattern(patterns Section, name string) bool {
	return slices.ContainsFunc(patterns.Fields(), func(f Field) bool {
		re, err := regexp.Compile(f.Key.Value)
		return err == nil && re.MatchString(name)
	})
}

func unknownField(path []string, name string, known []string) failure {
	full := append(slices.Clone(path), name)
	text := "Field `" + pathText(full) + "` is not known"
	if near := Nearest(name, known); near != "" {
		text += "; did you mean `" + near + "`?"
	}
	if len(known) == 0 {
		text += "; no fields are accepted"
	} else {
		text += "; accepted: " + quotedNames(known)
	}
	return failure{path: full, text: text, full: true}
}

func quotedNames(names []string) string {
	const most = 40
	list := "`" + strings.Join(names[:min(len(names), most)], "`, `") + "`"
	if len(names) > most {
		list += ", … (" + strconv.Itoa(len(names)) + " in all)"
	}
	return list
}

// wantedBy says what a keyword wants; empty for a keyword that it does not know.
func wantedBy(schema Section, keyword string, holds Section, v any) string {
	number := func(words string) string { return words + string(shownNumber(holds)) }
	switch keyword {
	case "type":
		return "must be " + typeWords(holds)
	case "const":
		return "must be " + shownWhole(holds)
	case "enum":
		return "must be one of " + listed(holds)
	case "format":
		return "must be " + assertedFormats[holds.n.text]
	case "pattern":
		return "must match the pattern " + holds.n.text
	case "minimum":
		return number("must be at least ")
	case "maximum":
		return number("must be at most ")
	case "exclusiveMinimum":
		return "must be more than " + shownNumber(bound(schema, holds, "minimum"))
	case "exclusiveMaximum":
		return "must be less than " + shownNumber(bound(schema, holds, "maximum"))
	case "multipleOf":
		return number("must be a multiple of ")
	case "minLength":
		return "must have at least " + counted(holds, "character")
	case "maxLength":
		return "must have at most " + counted(holds, "character")
	case "minItems":
		return "must have at least " + counted(holds, "item")
	case "maxItems":
		return "must have at most " + counted(holds, "item")
	case "minProperties":
		return "must have at least " + counted(holds, "field")
	case "maxProperties":
		return "must have at most " + counted(holds, "field")
	}
	return ""
}

// bound is the bound of an exclusive keyword: in draft-04 that keyword is true, and the bound stands in another.
func bound(schema, holds Section, inclusive string) Section {
	if holds.Form() == FormBool {
		return schema.Get(inclusive)
	}
	return holds
}

func shownNumber(s Section) string { return shorten(string(s.JSON()), 60) }

func shownWhole(s Section) string { return shorten(string(s.JSON()), 200) }

func counted(s Section, thing string) string {
	n := shownNumber(s)
	if n != "1" {
		thing += "s"
	}
	return n + " " + thing
}

// haveFor says what the value was, in the measure of the keyword.
func haveFor(keyword string, v any) string {
	switch inner := v.(type) {
	case string:
		if keyword == "minLength" || keyword == "maxLength" {
			return "has " + strconv.Itoa(len([]rune(inner)))
		}
	case []any:
		if keyword == "minItems" || keyword == "maxItems" || keyword == "additionalItems" {
			return "has " + strconv.Itoa(len(inner))
		}
	case map[string]any:
		if keyword == "minProperties" || keyword == "maxProperties" {
			return "has " + strconv.Itoa(len(inner))
		}
	}
	return "was " + shownValue(v)
}

func listed(enum Section) string {
	const most = 40
	var values []string
	for i, item := range enum.Items() {
		if i == most {
			values = append(values, "… ("+strconv.Itoa(len(enum.n.items))+" in all)")
			break
		}
		values = append(values, shorten(string(item.JSON()), 60))
	}
	return strings.Join(values, ", ")
}

var typePhrases = map[string]string{
	"object": "an object", "array": "an array", "string": "a string", "integer": "an integer", "number": "a number",
	"boolean": "true or false", "null": "null",
}

func typeWords(types Section) string {
	if types.Form() == FormText {
		return typePhrases[types.n.text]
	}
	var words []string
	for _, name := range types.Items() {
		words = append(words, typePhrases[name.n.text])
	}
	return strings.Join(words, " or ")
}
