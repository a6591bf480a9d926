package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// named is a name between braces or angle brackets; what stands behind @ or ^ is a word of git.
var named = regexp.MustCompile(`(^|[^@^{$])\{([A-Za-z_][A-Za-z0-9_-]*)\}|<([A-Za-z][A-Za-z0-9_-]*)>`)

// namedInMarkup takes no <tag> for a name.
var namedInMarkup = regexp.MustCompile(`(^|[^@^{$])\{([A-Za-z_][A-Za-z0-9_-]*)\}`)

var upperCase = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)

// notPlaceholders are words in upper case that mean themselves.
var notPlaceholders = []string{
	"HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "UTC", "GMT", "JSON", "XML", "CSV",
	"HTML", "PDF", "README", "LICENSE", "COPYING", "NOTICE", "CHANGELOG", "AUTHORS", "NULL", "TRUE", "FALSE", "ASC", "DESC", "AND", "OR", "NOT", "OK",
}

func isUpperPlaceholder(text string) bool {
	return upperCase.MatchString(text) && !slices.Contains(notPlaceholders, text)
}

// placeholders finds those that stand in the text of a word: {id} and <id> anywhere, NAME where it is all between two of
// the separators.
func placeholders(word lineWord, separators string) lineWord {
	var found lineWord
	for _, part := range word {
		if part.name != "" {
			found = append(found, part)
			continue
		}
		found = append(found, bracketed(part.text)...)
	}
	var all lineWord
	for i, part := range found {
		if part.name != "" {
			all = append(all, part)
			continue
		}
		all = append(all, upperParts(part.text, separators, i == 0, i == len(found)-1)...)
	}
	return all
}

func bracketed(text string) (parts lineWord) {
	pattern := named
	if strings.Contains(text, "</") || strings.Contains(text, "/>") {
		pattern = namedInMarkup
	}
	for text != "" {
		m := pattern.FindStringSubmatchIndex(text)
		if m == nil {
			return append(parts, linePart{text: text})
		}
		start := m[0]
		name := ""
		if m[4] >= 0 {
			start, name = m[3], text[m[4]:m[5]]
		} else {
			name = text[m[6]:m[7]]
		}
		if start > 0 {
			parts = append(parts, linePart{text: text[:start]})
		}
		parts, text = append(parts, linePart{name: name}), text[m[1]:]
	}
	return parts
}

// upperParts finds the names in upper case; first and last tell whether the text is at an end of its word. What stands before = is
// the name of a variable.
func upperParts(text, separators string, first, last bool) (parts lineWord) {
	start := 0
	add := func(end int) {
		if end > start {
			parts = append(parts, linePart{text: text[start:end]})
		}
		start = end
	}
	for at := 0; at <= len(text); {
		end := len(text)
		if i := strings.IndexAny(text[at:], separators); separators != "" && i >= 0 {
			end = at + i
		}
		whole := (at > 0 || first) && (end < len(text) && text[end] != '=' || end == len(text) && last)
		if whole && isUpperPlaceholder(text[at:end]) {
			add(at)
			parts = append(parts, linePart{name: text[at:end]})
			start = end
		}
		at = end + 1
	}
	add(len(text))
	return parts
}

// counts are names of placeholders that stand for whole numbers; countOptions of options that take one.
var (
	counts       = regexp.MustCompile(`(?i)(^|[-_])(n|num|number|count|limit|max|min|port|lines|days|hours|minutes|seconds|width|height|depth|level|retries|offset|year)$`)
	countOptions = regexp.MustCompile(`(?i)(^-|[-_])(n|num|number|count|limit|max|min|size|port|page|offset|lines|days|width|height|depth|level|retries|jobs|skip|year)([-_]|$)`)
)

// kindOf is the type of a placeholder by its own name and by that of the option it is a value of; -n is a number to some
// programs, and a name or a namespace to others.
func kindOf(name, option string) string {
	if counts.MatchString(name) || option != "-n" && countOptions.MatchString(option) && !strings.HasSuffix(strings.ToLower(name), "id") {
		return "integer"
	}
	return "string"
}

// kindOfValue is the type of a value that stands in a command line, and that value.
func kindOfValue(text string) (kind string, value any) {
	switch {
	case wholeNumber.MatchString(text):
		return "integer", json.Number(text)
	case decimalNumber.MatchString(text):
		return "number", json.Number(text)
	case text == "true" || text == "false":
		return "boolean", text == "true"
	}
	return "string", text
}

var (
	wholeNumber   = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,17})$`)
	decimalNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,14})\.[0-9]{1,15}$`)
)
