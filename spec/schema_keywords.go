package spec

import (
	"regexp"
	"slices"
	"strings"
)

// keyword is what a keyword of JSON Schema holds.
type keyword struct {
	since, until draft                            // 0: always
	holds        holding                          // the schemas in it
	inPlace      bool                             // those schemas look at the very same value
	check        func(r *schemaReader, s Section) // what else it must be
}

func (k keyword) knownTo(d draft) bool { return d >= k.since && (k.until == 0 || d <= k.until) }

// holding is how schemas stand in a keyword.
type holding uint8

const (
	holdsNone holding = iota
	holdsOne
	holdsList
	holdsMap
	holdsOneOrList  // items before 2020-12
	holdsMapOrTexts // dependencies: a schema or the names of fields
)

// keywords are those that are understood; any other says nothing, as JSON Schema has it. A map that is never written.
var keywords = map[string]keyword{
	"$ref":          {check: wantReference},
	"$dynamicRef":   {since: draft2020, check: wantReference},
	"$recursiveRef": {since: draft2019, until: draft2019, check: wantReference},

	"properties":            {holds: holdsMap},
	"patternProperties":     {holds: holdsMap, check: wantPatternKeys},
	"additionalProperties":  {holds: holdsOne},
	"unevaluatedProperties": {since: draft2019, holds: holdsOne},
	"propertyNames":         {since: draft6, holds: holdsOne},
	"items":                 {holds: holdsOneOrList},
	"prefixItems":           {since: draft2020, holds: holdsList},
	"additionalItems":       {until: draft2019, holds: holdsOne},
	"unevaluatedItems":      {since: draft2019, holds: holdsOne},
	"contains":              {since: draft6, holds: holdsOne},
	"contentSchema":         {since: draft2019, holds: holdsOne},
	"definitions":           {holds: holdsMap},
	"$defs":                 {since: draft2019, holds: holdsMap},
	"allOf":                 {holds: holdsList, inPlace: true},
	"anyOf":                 {holds: holdsList, inPlace: true},
	"oneOf":                 {holds: holdsList, inPlace: true},
	"not":                   {holds: holdsOne, inPlace: true},
	"if":                    {since: draft7, holds: holdsOne, inPlace: true},
	"then":                  {since: draft7, holds: holdsOne, inPlace: true},
	"else":                  {since: draft7, holds: holdsOne, inPlace: true},
	"dependentSchemas":      {since: draft2019, holds: holdsMap, inPlace: true},
	"dependencies":          {holds: holdsMapOrTexts, inPlace: true},

	"type":              {check: wantTypes},
	"enum":              {check: wantEnum},
	"const":             {since: draft6},
	"default":           {},
	"required":          {check: wantRequired},
	"pattern":           {check: wantPattern},
	"format":            {check: wantForm(FormText)},
	"title":             {check: wantForm(FormText)},
	"description":       {check: wantForm(FormText)},
	"$comment":          {since: draft7, check: wantForm(FormText)},
	"examples":          {since: draft6, check: wantForm(FormList)},
	"minimum":           {check: wantForm(FormNumber)},
	"maximum":           {check: wantForm(FormNumber)},
	"exclusiveMinimum":  {check: wantBound},
	"exclusiveMaximum":  {check: wantBound},
	"multipleOf":        {check: wantForm(FormNumber)},
	"minLength":         {check: wantCount},
	"maxLength":         {check: wantCount},
	"minItems":          {check: wantCount},
	"maxItems":          {check: wantCount},
	"minProperties":     {check: wantCount},
	"maxProperties":     {check: wantCount},
	"minContains":       {since: draft2019, check: wantCount},
	"maxContains":       {since: draft2019, check: wantCount},
	"uniqueItems":       {check: wantForm(FormBool)},
	"deprecated":        {since: draft2019, check: wantForm(FormBool)},
	"readOnly":          {since: draft7, check: wantForm(FormBool)},
	"writeOnly":         {since: draft7, check: wantForm(FormBool)},
	"dependentRequired": {since: draft2019, check: wantDependentRequired},
	"regexProperties":   {check: refuseRegexProperties},
}

func wantForm(form Form) func(*schemaReader, Section) {
	return func(r *schemaReader, s Section) {
		if s.Form() == form {
			return
		}
		wanted := form.String()
		if form == FormBool {
			wanted = "true or false"
		}
		if form == FormText && s.Form().Scalar() {
			wanted = "text (put it in quotes)"
		}
		s.want(&r.faults, wanted)
	}
}

func wantCount(r *schemaReader, s Section) {
	if _, whole := wholeNumber(s.Value()); s.Form() != FormNumber || !whole || s.n.text[0] == '-' {
		s.want(&r.faults, "a whole number, 0 or more")
	}
}

func wantBound(r *schemaReader, s Section) {
	switch {
	case r.draft == draft4:
		wantForm(FormBool)(r, s)
	case s.Form() == FormBool:
		r.fault(s, "want a number, have %s: since draft-06 the bound itself stands here, in place of minimum or maximum", s.n.text)
	default:
		wantForm(FormNumber)(r, s)
	}
}

// wantEnum refuses an empty list too: no value would be right, and the library takes it for no enum at all.
func wantEnum(r *schemaReader, s Section) {
	if s.Form() != FormList || len(s.n.items) == 0 {
		s.want(&r.faults, "a list of the values that are right, at least one")
	}
}

// typeHints are what people write for JSON's types.
var typeHints = map[string]string{
	"str": "string", "text": "string", "char": "string", "int": "integer", "long": "integer", "int32": "integer", "int64": "integer",
	"float": "number", "double": "number", "decimal": "number", "numeric": "number", "bool": "boolean", "list": "array", "tuple": "array",
	"set": "array", "dict": "object", "map": "object", "hash": "object", "struct": "object", "none": "null", "nil": "null",
}

func wantTypes(r *schemaReader, s Section) {
	names := []Section{s}
	if s.Form() == FormList {
		names = s.Items()
		if len(names) == 0 {
			r.fault(s, "want at least one type, have an empty list")
		}
	}
	for _, name := range names {
		text := ""
		if name.Form() == FormNull {
			text = "null (in quotes)"
		} else if t, ok := name.Text(); ok {
			text = t.Value
		}
		if name.Form() == FormText && slices.Contains(typeNames, text) {
			continue
		}
		hint := typeHints[strings.ToLower(text)]
		if hint == "" {
			hint = Nearest(text, typeNames)
		}
		switch {
		case name.Form() == FormNull:
			r.fault(name, `want a type, have nothing; the type null is written "null", in quotes`)
		case text == "any" || text == "Any":
			r.fault(name, "unknown type %q; leave type out to allow any", text)
		case hint != "":
			r.fault(name, "unknown type %q; did you mean %s?", text, hint)
		default:
			name.want(&r.faults, "a type ("+strings.Join(typeNames, ", ")+")")
		}
	}
}

func wantRequired(r *schemaReader, s Section) {
	if s.Form() == FormBool {
		r.fault(s, "want a list of names, have %s: required stands beside properties and lists those that must be given, such as required: [city]", s.n.text)
		return
	}
	wantTexts(r, s)
}

func wantTexts(r *schemaReader, s Section) {
	if s.Form() != FormList {
		s.want(&r.faults, "a list of names")
		return
	}
	seen := map[string]bool{}
	for _, name := range s.Items() {
		wantForm(FormText)(r, name)
		if name.Form() == FormText && seen[name.n.text] {
			r.fault(name, "%q is listed twice", name.n.text)
		}
		seen[name.n.text] = true
	}
}

func wantDependentRequired(r *schemaReader, s Section) {
	if s.Form() != FormMap {
		s.want(&r.faults, "a map of lists of names")
	}
	for _, f := range s.Fields() {
		wantTexts(r, f.Value)
	}
}

func wantPattern(r *schemaReader, s Section) {
	wantForm(FormText)(r, s)
	if s.Form() == FormText {
		r.pattern(s, s.n.text)
	}
}

func wantPatternKeys(r *schemaReader, s Section) {
	for _, f := range s.Fields() {
		if re := r.pattern(Section{&node{at: placeIn(&f.Key.Pos.File, f.Key.Pos)}, s.path}, f.Key.Value); re != nil {
			r.patterns[f.Key.Value] = re
		}
	}
}

// pattern compiles a regular expression as Go does, whose time is linear whatever the text.
func (r *schemaReader) pattern(s Section, text string) *regexp.Regexp {
	re, err := regexp.Compile(text)
	if err == nil {
		return re
	}
	r.fault(s, "the pattern %s cannot be used: %s (patterns are RE2: no lookaround, no backreferences)",
		shownValue(text), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	return nil
}

func wantReference(r *schemaReader, s Section) {
	wantForm(FormText)(r, s)
	if s.Form() == FormText && !strings.HasPrefix(s.n.text, "#") && !r.remote {
		r.fault(s, "only references into this file are followed, such as #/$defs/place; have %s", shownValue(s.n.text))
	}
}

// regexProperties is a word of the library's own, and no keyword of JSON Schema.
func refuseRegexProperties(r *schemaReader, s Section) {
	r.fault(s, "no keyword of JSON Schema; patternProperties may be meant")
}
