package check

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// defaultRules are about defaults and bounds that say two things.
func defaultRules() []Rule {
	return []Rule{
		{
			Name: "default-disagrees", Severity: spec.SeverityWarning,
			Doc: "Two places say what stands where nothing was given, and they differ: the default of an object and that of a field in it (the outer one is placed " +
				"first, then gaps in it are filled); a default and what the description says (\"default: 10\", \"defaults to 10\"); or a default of a field that is required, which a " +
				"model then always gives.",
			Bad:   "limit: {type: integer, default: 20, description: How many (default 10)}",
			Good:  "limit: {type: integer, default: 20, description: How many}",
			Check: defaultsDisagree,
		},
		{
			Name: "default-unused", Severity: spec.SeverityWarning,
			Doc: "A default within anyOf, oneOf, not, if, then, else or dependentSchemas is filled in for nobody, since which of them holds is known too late. " +
				"Write it beside the alternatives, or say in the description what happens.",
			Bad:   "anyOf: [{properties: {page: {default: 1}}}]",
			Good:  "properties: {page: {type: integer, default: 1}}",
			Check: defaultsUnused,
		},
		{
			Name: "empty-range", Severity: spec.SeverityWarning,
			Doc: "A least that is more than the most: no value fits, and every call that gives the field is refused.",
			Bad: "days: {type: integer, minimum: 16, maximum: 1}", Good: "days: {type: integer, minimum: 1, maximum: 16}",
			Check: emptyRanges,
		},
	}
}

// eachSchema visits a schema and all within it.
func eachSchema(s spec.Section, visit func(spec.Section)) {
	if s.Form() != spec.FormMap {
		return
	}
	visit(s)
	for _, inner := range spec.Subschemas(s) {
		eachSchema(inner.Schema, visit)
	}
}

func defaultsDisagree(f *File, report Report) {
	eachSchema(f.Spec.InputSchema(), func(s spec.Section) {
		required := names(s.Get("required"))
		for _, field := range s.Get("properties").Fields() {
			if given := field.Value.Get("default"); slices.Contains(required, field.Key.Value) && !given.IsZero() && given.Form() != spec.FormNull {
				report(given.Pos(), "%s: the field has a default and is required: a call may leave it out, yet a model is told to give it; take it out of required, or the default away", given.Path())
			}
		}
		defaultAndFields(s, report)
		defaultAndWords(s, report)
	})
}

func names(list spec.Section) []string {
	var all []string
	for _, item := range list.Items() {
		all = append(all, textOf(item))
	}
	return all
}

// defaultAndFields compares an object's default with those of its fields.
func defaultAndFields(s spec.Section, report Report) {
	for _, outer := range s.Get("default").Fields() {
		inner := s.Get("properties").Get(outer.Key.Value).Get("default")
		if !inner.IsZero() && !bytes.Equal(inner.JSON(), outer.Value.JSON()) && !sameCharacters(inner, outer.Value) {
			report(inner.Pos(), "%s: the default is %s here and %s in line %d: absent altogether, the object is the outer default; given without this field, it gets the inner one",
				inner.Path(), shown(inner), shown(outer.Value), outer.Value.Pos().Line)
		}
	}
}

func sameCharacters(a, b spec.Section) bool {
	x, isText := a.Text()
	y, too := b.Text()
	return isText && too && x.Value == y.Value
}

// shown is a value, cut to what a message has room for.
func shown(s spec.Section) string {
	text := []rune(string(s.JSON()))
	if len(text) > 40 {
		return string(text[:37]) + "…"
	}
	return string(text)
}

// saidDefault finds what a description says the default is.
var saidDefault = regexp.MustCompile("(?i)\\b(?:default(?:s)?(?: value)?(?: is| to|:| =|=)? *|by default,? )(\"[^\"]*\"|'[^']*'|`[^`]*`|[-+]?[0-9][0-9.]*%?|true\\b|false\\b|[A-Za-z_][\\w.-]*)")

// defaultAndWords compares a default with what the description says it is: numbers with numbers, booleans with booleans, and
// texts that are quoted or values of the enum.
func defaultAndWords(s spec.Section, report Report) {
	given := s.Get("default")
	if given.IsZero() {
		return
	}
	for _, m := range saidDefault.FindAllStringSubmatch(textOf(s.Get("description")), 4) {
		said := strings.TrimRight(m[1], ".")
		if disagrees(given, said, names(s.Get("enum"))) {
			report(given.Pos(), "%s: the default is %s, and the description says %s", given.Path(), shown(given), said)
			return
		}
	}
}

func disagrees(given spec.Section, said string, enum []string) bool {
	text := textOf(given)
	quoted := len(said) > 1 && strings.ContainsRune("\"'`", rune(said[0]))
	bare := strings.Trim(said, "\"'`")
	switch given.Form() {
	case spec.FormNumber:
		have, err := strconv.ParseFloat(string(given.JSON()), 64)
		want, fault := strconv.ParseFloat(bare, 64)
		return err == nil && fault == nil && have != want
	case spec.FormBool:
		return (bare == "true" || bare == "false") && bare != strings.ToLower(text)
	case spec.FormText:
		return bare != text && !strings.EqualFold(bare, text) && (quoted && bare != "" && len(enum) == 0 || slices.Contains(enum, bare))
	}
	return false
}

func defaultsUnused(f *File, report Report) {
	unusedIn(f.Spec.InputSchema(), false, report)
}

// unusedIn reports the defaults of a schema that is an alternative, or stands in one.
func unusedIn(s spec.Section, alternative bool, report Report) {
	if given := s.Get("default"); alternative && !given.IsZero() && given.Form() != spec.FormNull {
		report(given.Pos(), "%s: no call gets this default: it stands in an alternative, and which one holds is not known when defaults are filled in", given.Path())
	}
	for _, inner := range spec.Subschemas(s) {
		switch inner.Keyword {
		case "$defs", "definitions":
			unusedIn(inner.Schema, false, report)
		default:
			unusedIn(inner.Schema, alternative || inner.InPlace && inner.Keyword != "allOf", report)
		}
	}
}

// ranges are the keywords of a least and a most.
var ranges = [][2]string{
	{"minimum", "maximum"}, {"exclusiveMinimum", "maximum"}, {"minimum", "exclusiveMaximum"}, {"exclusiveMinimum", "exclusiveMaximum"},
	{"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"}, {"minContains", "maxContains"},
}

func emptyRanges(f *File, report Report) {
	for _, root := range []spec.Section{f.Spec.InputSchema(), f.Spec.OutputSchema()} {
		eachSchema(root, func(s spec.Section) {
			for _, r := range ranges {
				least, most := s.Get(r[0]), s.Get(r[1])
				low, ok := number(least)
				high, too := number(most)
				open := strings.HasPrefix(r[0], "exclusive") || strings.HasPrefix(r[1], "exclusive")
				if ok && too && (low > high || open && low == high) {
					report(least.Pos(), "%s: %s is more than %s %s allows: nothing fits", least.Path(), textOf(least), r[1], textOf(most))
				}
			}
		})
	}
}

func number(s spec.Section) (float64, bool) {
	if s.Form() != spec.FormNumber {
		return 0, false
	}
	f, err := json.Number(s.JSON()).Float64()
	return f, err == nil
}
