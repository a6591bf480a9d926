package spec

import (
	"maps"
	"slices"
	"strings"
)

// keywordWords are words of other languages of schemas, and what says the same here.
var keywordWords = map[string]string{
	"nullable": "null is allowed by type, such as type: [string, 'null']",
	"optional": "a field is optional unless required lists its name",
	"min":      "write minimum, minLength or minItems", "max": "write maximum, maxLength or maxItems",
	"values": "write enum", "options": "write enum", "choices": "write enum", "allowed": "write enum", "oneof": "write oneOf",
	"regex": "write pattern", "regexp": "write pattern", "example": "write examples, a list",
	"fields": "write properties", "parameters": "write properties", "props": "write properties",
}

// unknownKeyword warns of a key that says nothing in this draft, where something was meant by it: what a schema is
// thought to refuse, and does not, shows only when it is too late. Other unknown keys are notes, as JSON Schema has it.
func (r *schemaReader) unknownKeyword(f Field) {
	key := f.Key.Value
	k, known := keywords[key]
	warn := func(format string, args ...any) {
		d := f.Value.Errorf("schema", format, args...)
		d.Pos, d.Severity = f.Key.Pos, SeverityWarning
		r.faults = append(r.faults, d)
	}
	switch near := Nearest(key, wordsOfSchemas); {
	case key == "" || key[0] == '$' || strings.HasPrefix(key, "x-"):
	case known && (k.holds != holdsNone || key == "const" || strings.HasPrefix(key, "m")):
		warn("says nothing in %s, which the schema is of", r.draft)
	case known || standard[key]:
	case keywordWords[key] != "":
		warn("no keyword of JSON Schema: %s", keywordWords[key])
	case near != "" && editDistance(foldName(key), foldName(near)) <= min(2, (len(near)-1)/4):
		warn("no keyword of JSON Schema, and says nothing; did you mean %s?", near)
	case f.Value.Form() == FormMap && !f.Value.Get("type").IsZero():
		warn("no keyword of JSON Schema, and says nothing; a field stands under properties")
	}
}

var wordsOfSchemas = slices.Sorted(maps.Keys(keywords))

// standard are keys of JSON Schema that are no business of ours.
var standard = map[string]bool{
	"id": true, "contentEncoding": true, "contentMediaType": true, "extends": true, "discriminator": true, "xml": true, "externalDocs": true,
}

// checkFields refuses a root without a single keyword, most likely a map of fields: it would be taken for a tool
// without parameters.
func checkFields(root Section, ds *Diagnostics) {
	var first *Text
	for _, f := range root.Fields() {
		if _, known := keywords[f.Key.Value]; known {
			return
		}
		if text, ok := f.Value.Text(); f.Value.Form() == FormMap || ok && typesByName[text.Value]|typesByName[typeHints[text.Value]] != 0 {
			if first == nil {
				first = &f.Key
			}
		}
	}
	if first != nil {
		d := root.Errorf("schema", "want a JSON Schema, in which fields stand under properties: write {properties: {%s: …}}", first.Value)
		d.Pos = first.Pos
		*ds = append(*ds, d)
	}
}

// checkAlone refuses keys beside the json of {json: …}.
func checkAlone(root Section, ds *Diagnostics) {
	if root.Get("json").Form() != FormMap {
		return
	}
	for _, f := range root.Fields() {
		if f.Key.Value != "json" {
			d := f.Value.Errorf("schema", "a schema stands as it is, or alone under the key json; write %s within it", f.Key.Value)
			d.Pos = f.Key.Pos
			*ds = append(*ds, d)
		}
	}
}
