package spec

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// failure is one reason why a value does not fit a schema, in words for a model.
type failure struct {
	path   []string // keys and indexes to the value
	text   string   // what is wrong with it; empty path: with the whole
	full   bool     // the text names the value itself
	wanted string   // the text without what the value was
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
func (f failure) line() string {
	switch {
	case f.full:
		return f.text
	case len(f.path) == 0:
		return "The input " + f.text
	}
	return "Field `" + pathText(f.path) + "`: " + f.text
}

// bare is the failure where it is clear which value is meant.
func (f failure) bare() string {
	if len(f.path) == 0 || f.full {
		return f.text
	}
	return pathText(f.path) + " " + f.text
}

// refusal is the failures as one error, sorted, each once.
func refusal(failures []failure) *Error {
	slices.SortStableFunc(failures, func(a, b failure) int { return slices.CompareFunc(a.path, b.path, compareKeys) })
	var lines []string
	for _, f := range failures {
		if line := f.line(); !slices.Contains(lines, line) {
			lines = append(lines, line)
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

// valueFault says why a value is no JSON value, or one that costs too much; empty if it is one.
func valueFault(v any, depth int) string {
	switch v := v.(type) {
	case nil, bool, string, int, int8, int32, int64, uint, uint8, uint32, uint64:
		return ""
	case float32:
		return valueFault(float64(v), depth)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "a number must be finite"
		}
		return ""
	case json.Number:
		if !isJSONNumber(string(v)) {
			return shownValue(string(v)) + " is no number"
		}
		return numberFault(string(v))
	}
	return compositeFault(v, depth)
}

func compositeFault(v any, depth int) string {
	if depth > maxValueDepth {
		return "the value is nested too deep"
	}
	fault := ""
	switch v := v.(type) {
	case map[string]any:
		for _, inner := range v {
			if fault = valueFault(inner, depth+1); fault != "" {
				break
			}
		}
	case []any:
		for _, inner := range v {
			if fault = valueFault(inner, depth+1); fault != "" {
				break
			}
		}
	default:
		fault = "the value must be JSON"
	}
	return fault
}

const maxValueDepth = 10_000 // as deep as encoding/json reads

func isJSONNumber(text string) bool {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	return json.Valid([]byte(text)) && (text[0] == '-' || digit(text[0])) && digit(text[len(text)-1])
}
