package export

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// assertions are the keywords of 2020-12 that hold no schemas and say something of a value.
var assertions = []string{
	"type", "enum", "const", "required", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains", "minProperties", "maxProperties",
	"dependentRequired", "contentEncoding", "contentMediaType",
}

// phrases tell in a sentence what a keyword says; % stands for it.
var phrases = map[string]string{
	"format": "Format: %.", "pattern": "It matches the pattern %.", "default": "Default: %.", "const": "Always %.",
	"minimum": "At least %.", "maximum": "At most %.", "exclusiveMinimum": "More than %.", "exclusiveMaximum": "Less than %.",
	"multipleOf": "A multiple of %.", "minLength": "At least % characters.", "maxLength": "At most % characters.",
	"minItems": "At least % entries.", "maxItems": "At most % entries.", "minProperties": "At least % fields.", "maxProperties": "At most % fields.",
	"title": "Title: %.",
	"if":    "Where it fits %, the following holds.", "then": "Then it fits %.", "else": "Else it fits %.", "not": "It must not fit %.",
	"propertyNames": "The names of its fields fit %.", "contains": "One entry at least fits %.", "patternProperties": "Fields by the pattern of their name: %.",
	"dependentRequired": "Fields that need others beside them: %.", "dependentSchemas": "Where a field is given, this holds too: %.",
	"prefixItems": "Its entries fit, in this order, %.", "additionalProperties": "Other fields fit %.", "unevaluatedProperties": "Other fields fit %.",
	"items": "Each entry fits %.", "allOf": "It fits all of %.", "anyOf": "It fits at least one of %.", "oneOf": "It fits exactly one of %.",
	"uniqueItems": "No entry twice.", "deprecated": "Deprecated.", "readOnly": "For reading only.", "writeOnly": "For writing only.",
	"contentEncoding": "Encoded as %.", "contentMediaType": "Its content is of type %.",
}

// phrase tells in a sentence what a keyword says; empty where there is nothing to tell.
func phrase(k *keyword) string {
	switch said := string(k.said); k.name {
	case "additionalProperties", "unevaluatedProperties":
		switch said {
		case "false":
			return "It has no other fields."
		case "true", "{}":
			return "It may have other fields."
		}
	case "uniqueItems", "deprecated", "readOnly", "writeOnly":
		if said != "true" {
			return ""
		}
		return phrases[k.name]
	case "enum", "examples":
		var values []json.RawMessage
		_ = json.Unmarshal(k.said, &values) // a list it is
		return map[string]string{"enum": "One of ", "examples": "For example "}[k.name] + listed(values, " or ") + "."
	case "required":
		return "Required: " + strings.Join(textsOf(k), ", ") + "."
	case "description":
		return strings.Join(textsOf(k), "")
	}
	said := short(k.said)
	if texts := textsOf(k); len(texts) == 1 && (k.name == "format" || k.name == "title") {
		said = texts[0]
	}
	if form := phrases[k.name]; form != "" {
		return strings.ReplaceAll(form, "%", said)
	}
	return k.name + ": " + said + "."
}

// listed writes values one after the other, the first of them where there are many.
func listed(values []json.RawMessage, last string) string {
	const most = 50
	var all []string
	for _, v := range values[:min(len(values), most)] {
		all = append(all, short(v))
	}
	if len(values) > most {
		return strings.Join(all, ", ") + ", …"
	}
	if n := len(all) - 1; n > 0 {
		return strings.Join(all[:n], ", ") + last + all[n]
	}
	return strings.Join(all, "")
}

// short is JSON as far as a description has room for it.
func short(said []byte) string {
	const most = 300
	if utf8.RuneCount(said) <= most {
		return string(said)
	}
	return string([]rune(string(said))[:most]) + "…"
}

// fold takes away the keywords that the provider cannot take, and has the description tell what they say.
func (f *fitter) fold(s *schema, root bool) {
	var kept []*keyword
	for _, k := range s.keywords {
		switch {
		case f.takes(k.name, root):
			kept = append(kept, k)
		case strings.HasPrefix(k.name, "x-") || k.name == "$defs":
			f.rewrite(k.at, "keyword", "left out: %s takes no %s", f.who, k.name)
		case k.name == "title" && (s.has("description") || root):
			f.rewrite(k.at, "keyword", "left out: %s takes no title here", f.who)
		case k.name == "additionalProperties" && root && s.closed():
			f.rewrite(k.at, "keyword", "left out: %s takes no additionalProperties%s, and a call refuses other fields in any case", f.who, atRoot(f.takes(k.name, false)))
		case k.name == "description" && root:
			f.rewrite(k.at, "keyword", "told in the description of the tool")
			s.notes = append([]string{phrase(k)}, s.notes...)
		default:
			s.remark(phrase(k))
			f.lose(k.at, f.foldRule(k), "told in the description: %s takes no %s%s", f.who, k.name, atRoot(root && f.takes(k.name, false)))
		}
	}
	s.keywords = kept
}

// foldRule is the rule of a loss: the commonest have names of their own.
func (f *fitter) foldRule(k *keyword) string {
	switch k.name {
	case "format", "default", "pattern":
		return k.name
	}
	return "keyword"
}
