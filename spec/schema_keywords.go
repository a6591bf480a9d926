package spec

import (
	"encoding/json"
	"slices"
	"strings"
)

// keyword is what a keyword of JSON Schema holds.
type keyword struct {
	since, until draft                            // 0: always
	holds        holding                          // the schemas in it
	inPlace      bool                             // those schemas look at the very same value
	form         Form                             // what it must be; FormAbsent: anything, or what check says
	check        func(r *schemaReader, s Section) // what else it must be
	takes        Grammar                          // the same for editors, where form does not say it
	doc          string                           // what it says, for editors; empty: it is not proposed
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
	"$ref":          {check: wantReference, takes: Grammar{"type": "string", "pattern": "^#"}, doc: "A schema elsewhere in this one, such as #/$defs/place."},
	"$dynamicRef":   {since: draft2020, check: wantReference, takes: Grammar{"type": "string", "pattern": "^#"}, doc: "A schema elsewhere in this one, found by the way that leads here."},
	"$recursiveRef": {since: draft2019, until: draft2019, check: wantReference, takes: Grammar{"type": "string", "pattern": "^#"}, doc: "# for the outermost schema."},

	"properties":            {holds: holdsMap, doc: "The fields of an object, each with its schema."},
	"patternProperties":     {holds: holdsMap, check: wantPatternKeys, doc: "Schemas of fields by regular expressions (RE2) that their names match."},
	"additionalProperties":  {holds: holdsOne, doc: "The schema of fields that are not named; false: there are none."},
	"unevaluatedProperties": {since: draft2019, holds: holdsOne, doc: "The schema of fields that nothing else here has looked at; false: there are none."},
	"propertyNames":         {since: draft6, holds: holdsOne, doc: "The schema of the names of fields."},
	"items":                 {holds: holdsOneOrList, doc: "The schema of each entry of a list."},
	"prefixItems":           {since: draft2020, holds: holdsList, doc: "Schemas of the first entries of a list, each for its place."},
	"additionalItems":       {until: draft2019, holds: holdsOne, doc: "The schema of entries beyond those that items lists."},
	"unevaluatedItems":      {since: draft2019, holds: holdsOne, doc: "The schema of entries that nothing else here has looked at."},
	"contains":              {since: draft6, holds: holdsOne, doc: "The schema of at least one entry."},
	"contentSchema":         {since: draft2019, holds: holdsOne, doc: "The schema of what a text holds; not asserted."},
	"definitions":           {holds: holdsMap, doc: "Schemas to refer to, under the name that drafts before 2019-09 use."},
	"$defs":                 {since: draft2019, holds: holdsMap, doc: "Schemas to refer to."},
	"allOf":                 {holds: holdsList, inPlace: true, doc: "All of these hold."},
	"anyOf":                 {holds: holdsList, inPlace: true, doc: "At least one of these holds."},
	"oneOf":                 {holds: holdsList, inPlace: true, doc: "Exactly one of these holds."},
	"not":                   {holds: holdsOne, inPlace: true, doc: "This does not hold."},
	"if":                    {since: draft7, holds: holdsOne, inPlace: true, doc: "A condition for then and else."},
	"then":                  {since: draft7, holds: holdsOne, inPlace: true, doc: "What holds where the condition does."},
	"else":                  {since: draft7, holds: holdsOne, inPlace: true, doc: "What holds where the condition does not."},
	"dependentSchemas":      {since: draft2019, holds: holdsMap, inPlace: true, doc: "Schemas that hold where a field of that name is given."},
	"dependencies":          {holds: holdsMapOrTexts, inPlace: true, doc: "Schemas, or names of fields, that go with a field, as drafts before 2019-09 write it."},

	"type":              {check: wantTypes, takes: typesGrammar, doc: "The type of the value, or a list of types."},
	"enum":              {check: wantEnum, takes: Grammar{"type": "array", "minItems": 1}, doc: "The values that are right."},
	"const":             {since: draft6, doc: "The one value that is right."},
	"default":           {doc: "The value that stands where none is given; it fits the schema."},
	"required":          {check: wantRequired, takes: namesGrammar, doc: "The names of fields that must be given."},
	"pattern":           {check: wantPattern, takes: Grammar{"type": "string"}, doc: "A regular expression (RE2) that the text matches somewhere."},
	"format":            {form: FormText, doc: "What the text is, such as date, date-time, email, uri, uuid."},
	"title":             {form: FormText, doc: "A short name of the value."},
	"description":       {form: FormText, doc: "What the value means, for the model that fills it in."},
	"$comment":          {since: draft7, form: FormText, doc: "A note for those who read the schema."},
	"examples":          {since: draft6, form: FormList, doc: "Examples of right values."},
	"minimum":           {form: FormNumber, doc: "The least number."},
	"maximum":           {form: FormNumber, doc: "The greatest number."},
	"exclusiveMinimum":  {check: wantBound, takes: Grammar{"type": []string{"number", "boolean"}}, doc: "The bound that the number is above."},
	"exclusiveMaximum":  {check: wantBound, takes: Grammar{"type": []string{"number", "boolean"}}, doc: "The bound that the number is below."},
	"multipleOf":        {check: wantStep, takes: Grammar{"type": "number", "exclusiveMinimum": 0}, doc: "The number is a multiple of this."},
	"minLength":         {check: wantCount, takes: countGrammar, doc: "How many characters at least."},
	"maxLength":         {check: wantCount, takes: countGrammar, doc: "How many characters at most."},
	"minItems":          {check: wantCount, takes: countGrammar, doc: "How many entries at least."},
	"maxItems":          {check: wantCount, takes: countGrammar, doc: "How many entries at most."},
	"minProperties":     {check: wantCount, takes: countGrammar, doc: "How many fields at least."},
	"maxProperties":     {check: wantCount, takes: countGrammar, doc: "How many fields at most."},
	"minContains":       {since: draft2019, check: wantCount, takes: countGrammar, doc: "How many entries that contains describes at least."},
	"maxContains":       {since: draft2019, check: wantCount, takes: countGrammar, doc: "How many entries that contains describes at most."},
	"uniqueItems":       {form: FormBool, doc: "No entry is there twice."},
	"deprecated":        {since: draft2019, form: FormBool, doc: "The value should not be given any more."},
	"readOnly":          {since: draft7, form: FormBool, doc: "The value is given by the owner alone; not asserted."},
	"writeOnly":         {since: draft7, form: FormBool, doc: "The value is never shown; not asserted."},
	"dependentRequired": {since: draft2019, check: wantDependentRequired, takes: Grammar{"type": "object", "additionalProperties": namesGrammar}, doc: "Names of fields that must be given where a field of that name is."},
	"regexProperties":   {check: refuseRegexProperties},
}

func wantForm(r *schemaReader, s Section, form Form) {
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

func wantCount(r *schemaReader, s Section) {
	if _, whole := wholeNumber(s.Value()); s.Form() != FormNumber || !whole || s.n.text[0] == '-' {
		s.want(&r.faults, "a whole number, 0 or more")
	}
}

func wantBound(r *schemaReader, s Section) {
	switch {
	case r.draft == draft4:
		wantForm(r, s, FormBool)
	case s.Form() == FormBool:
		r.fault(s, "want a number, have %s: since draft-06 the bound itself stands here, in place of minimum or maximum", s.n.text)
	default:
		wantForm(r, s, FormNumber)
	}
}

func wantStep(r *schemaReader, s Section) {
	n, _ := s.Value().(json.Number)
	mantissa, _ := splitExponent(string(n))
	if strings.Trim(mantissa, "0.") == "" || mantissa[0] == '-' {
		s.want(&r.faults, "a number greater than 0")
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
	for i, name := range names {
		text := ""
		if name.Form() == FormNull {
			text = "null (in quotes)"
		} else if t, ok := name.Text(); ok {
			text = t.Value
		}
		if name.Form() == FormText && slices.Contains(typeNames, text) {
			if slices.ContainsFunc(names[:i], func(earlier Section) bool { return earlier.n.text == text }) {
				r.fault(name, "%q is listed twice", text)
			}
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
		wantForm(r, name, FormText)
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
	wantForm(r, s, FormText)
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

func wantReference(r *schemaReader, s Section) {
	wantForm(r, s, FormText)
	if s.Form() == FormText && !strings.HasPrefix(s.n.text, "#") && !r.remote {
		r.fault(s, "only references into this file are followed, such as #/$defs/place; have %s", shownValue(s.n.text))
	}
}

// regexProperties is a word of the library's own, and no keyword of JSON Schema.
func refuseRegexProperties(r *schemaReader, s Section) {
	r.fault(s, "no keyword of JSON Schema; patternProperties may be meant")
}
