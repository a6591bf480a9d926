package spec

import (
	"fmt"
	"strconv"
	"strings"
)

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
