package spec

import (
	"fmt"
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

// wanted says what the keyword wants.
func (r refused) wanted(holds Section) string {
	words, known := wantedWords[r.keyword]
	switch {
	case known && strings.HasSuffix(words, "#"): // a number of things
		n, thing, _ := strings.Cut(strings.TrimSuffix(words, "#"), "@")
		count := string(holds.JSON())
		if count != "1" {
			thing += "s"
		}
		return n + count + " " + thing
	case known:
		return words + shorten(string(holds.JSON()), 200)
	}
	switch r.keyword {
	case "type":
		return "must be " + typeWords(holds)
	case "enum":
		return "must be one of " + listValues(holds)
	case "format":
		return "must be " + assertedFormats[holds.n.text]
	case "pattern":
		return "must match the pattern " + shorten(holds.n.text, 200)
	case "exclusiveMinimum":
		return "must be more than " + r.bound(holds, "minimum")
	case "exclusiveMaximum":
		return "must be less than " + r.bound(holds, "maximum")
	case "not":
		return notWords(holds)
	}
	return r.wantedOfItems()
}

// wantedWords stand before what the keyword holds. After @ is what it counts.
var wantedWords = map[string]string{
	"const":         "must be ",
	"minimum":       "must be at least ",
	"maximum":       "must be at most ",
	"multipleOf":    "must be a multiple of ",
	"minLength":     "must have at least @character#",
	"maxLength":     "must have at most @character#",
	"minItems":      "must have at least @item#",
	"maxItems":      "must have at most @item#",
	"minProperties": "must have at least @field#",
	"maxProperties": "must have at most @field#",
}

// bound is that of an exclusive keyword: in draft-04 the keyword is true, and the bound stands in another.
func (r refused) bound(holds Section, inclusive string) string {
	if holds.Form() == FormBool {
		holds = r.schema.Get(inclusive)
	}
	return string(holds.JSON())
}

func notWords(not Section) string {
	if names := not.Get("required"); len(not.Fields()) == 1 && !names.IsZero() {
		var texts []string
		for _, name := range names.Items() {
			texts = append(texts, "`"+name.n.text+"`")
		}
		return "must not have " + strings.Join(texts, " together with ")
	}
	if enum := not.Get("enum"); len(not.Fields()) == 1 && !enum.IsZero() {
		return "must be none of " + listValues(enum)
	}
	return "must not fit " + shorten(string(not.JSON()), 200)
}

// wantedOfItems is for the keywords that say between which items the fault lies.
func (r refused) wantedOfItems() string {
	var a, b int
	switch r.keyword {
	case "uniqueItems":
		if _, err := fmt.Sscanf(r.message, "items at index %d and %d are equal", &a, &b); err == nil {
			return fmt.Sprintf("must have no item twice; items %d and %d are equal", a, b)
		}
	case "oneOf":
		if _, err := fmt.Sscanf(r.message, "valid against schemas at indexes %d and %d", &a, &b); err == nil {
			forms := r.schema.Get("oneOf").Items()
			return fmt.Sprintf("must fit exactly one form, but fits both %s and %s", formWords(forms[a]), formWords(forms[b]))
		}
	case "minContains", "maxContains":
		wanted := "must have at least %d items that fit %s, has %d"
		if r.keyword == "maxContains" {
			wanted = "must have at most %d items that fit %s, has %d"
		}
		_, numbers, _ := strings.Cut(r.message, "= ")
		if _, err := fmt.Sscanf(numbers, "%d, but got %d", &a, &b); err == nil {
			return fmt.Sprintf(wanted, a, shorten(string(r.schema.Get("contains").JSON()), 200), b)
		}
	case "additionalItems":
		return fmt.Sprintf("must have at most %d items", len(r.schema.Get("items").Items()))
	}
	return r.message
}

// formWords names an alternative by its title, by the fields that it requires, or by itself.
func formWords(form Section) string {
	if title, ok := form.Get("title").Text(); ok {
		return title.Value
	}
	if names := form.Get("required").Items(); len(names) > 0 && len(form.Fields()) == 1 {
		var texts []string
		for _, name := range names {
			texts = append(texts, "`"+name.n.text+"`")
		}
		return "the one with " + strings.Join(texts, " and ")
	}
	return shorten(string(form.JSON()), 100)
}

// have says what the value was, in the measure of the keyword.
func (r refused) have() string {
	switch v := r.value.(type) {
	case string:
		if r.keyword == "minLength" || r.keyword == "maxLength" {
			return ", has " + strconv.Itoa(len([]rune(v)))
		}
	case []any:
		switch r.keyword {
		case "minItems", "maxItems", "additionalItems":
			return ", has " + strconv.Itoa(len(v))
		case "uniqueItems", "minContains", "maxContains":
			return ""
		}
	case map[string]any:
		switch r.keyword {
		case "minProperties", "maxProperties":
			return ", has " + strconv.Itoa(len(v))
		case "oneOf", "not":
			return ""
		}
	}
	return ", was " + shownValue(r.value)
}

func listValues(enum Section) string {
	var values []string
	for i, item := range enum.Items() {
		if i == mostListed {
			values = append(values, "… "+strconv.Itoa(len(enum.n.items))+" in all")
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
