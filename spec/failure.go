package spec

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// failure is one reason why a value does not fit a schema, in words for a model.
type failure struct {
	path    []string // keys and indexes to the value
	verb    bool     // the text is about the field itself: is missing, is not known
	text    string
	wanted  string // the text without what the value was
	keyword string // that refused the value
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$-]*$`)

// pathText writes a path as in page.size or items[2].id.
func pathText(path []string) string {
	var b strings.Builder
	for _, key := range path {
		if _, err := strconv.Atoi(key); err == nil {
			b.WriteString("[" + key + "]")
		} else if !plainName.MatchString(key) {
			b.WriteString("[" + strconv.Quote(key) + "]")
		} else {
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(key)
		}
	}
	return b.String()
}

// line is the failure as a sentence.
func (f failure) line(whole string) string {
	if len(f.path) == 0 {
		return whole + " " + f.text
	}
	return "Field " + f.below(0)
}

// below is the failure where the way to a value is clear.
func (f failure) below(depth int) string {
	switch {
	case len(f.path) <= depth:
		return f.text
	case f.verb:
		return "`" + pathText(f.path[depth:]) + "` " + f.text
	}
	return "`" + pathText(f.path[depth:]) + "`: " + f.text
}

// refusal is the failures as one error, sorted, each once. The whole value goes by the name given.
func refusal(whole string, failures []failure) *Error {
	slices.SortStableFunc(failures, func(a, b failure) int {
		return cmp.Or(slices.CompareFunc(a.path, b.path, compareKeys), cmp.Compare(a.text, b.text))
	})
	var lines []string
	said := make(map[string]bool, len(failures))
	for _, f := range failures {
		if line := f.line(whole); !said[line] {
			said[line], lines = true, append(lines, line)
		}
	}
	return NewError(CodeInvalidInput, "%s", strings.Join(lines, "\n"))
}

func compareKeys(a, b string) int {
	i, errA := strconv.Atoi(a)
	j, errB := strconv.Atoi(b)
	if errA == nil && errB == nil {
		return i - j
	}
	return strings.Compare(a, b)
}

// shownValue is a value as a message shows it: as JSON, cut where it is long.
func shownValue(v any) string {
	switch v.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "a value that JSON does not have"
	}
	return shorten(strings.TrimSpace(b.String()), 60)
}

func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}
