package check

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// holds tells whether a value holds what is wanted: of a map each wanted key, where null is met by its absence too; of a
// list every entry in its place and no more; numbers by what they come to, not by how they are written.
func holds(want, have any) bool {
	switch want := want.(type) {
	case map[string]any:
		m, ok := have.(map[string]any)
		for key, w := range want {
			ok = ok && holds(w, m[key])
		}
		return ok
	case []any:
		list, ok := have.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		for i, w := range want {
			ok = ok && holds(w, list[i])
		}
		return ok
	case json.Number:
		n, ok := have.(json.Number)
		return ok && sameNumber(string(want), string(n))
	}
	return want == have
}

// sameNumber compares numbers to their last digit.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, known := rational(a)
	y, alsoKnown := rational(b)
	return known && alsoKnown && x.Cmp(y) == 0
}

// rational is a number of moderate size.
func rational(text string) (*big.Rat, bool) {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if exponent, err := strconv.Atoi(text[i+1:]); err != nil || exponent > 400 || exponent < -400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

// project is of a value what a wanted one is compared with, so that a diff of the two shows where they differ.
func project(want, have any) any {
	if holds(want, have) {
		return want
	}
	switch want := want.(type) {
	case map[string]any:
		m, ok := have.(map[string]any)
		if !ok {
			return have
		}
		out := map[string]any{}
		for key, w := range want {
			if value, there := m[key]; there || w == nil {
				out[key] = project(w, value)
			}
		}
		return out
	case []any:
		list, ok := have.([]any)
		if !ok {
			return have
		}
		out := make([]any, len(list))
		for i, value := range list {
			if out[i] = value; i < len(want) {
				out[i] = project(want[i], value)
			}
		}
		return out
	}
	return have
}

// firstMiss is the JSON pointer of what is wanted first and not held, so that a fault is placed there.
func firstMiss(want, have any) string {
	switch want := want.(type) {
	case map[string]any:
		m, ok := have.(map[string]any)
		for _, key := range sortedKeys(want) {
			if ok && !holds(want[key], m[key]) {
				return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key) + firstMiss(want[key], m[key])
			}
		}
	case []any:
		list, ok := have.([]any)
		for i := range want {
			if ok && i < len(list) && !holds(want[i], list[i]) {
				return "/" + strconv.Itoa(i) + firstMiss(want[i], list[i])
			}
		}
	}
	return ""
}

// normal is a value whose numbers are written in one way, so that two that are the same look the same.
func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[key] = normal(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = normal(value)
		}
		return out
	case json.Number:
		if r, ok := rational(string(v)); ok && r.IsInt() {
			return json.Number(r.Num().String())
		}
	}
	return v
}

// pretty is a value as JSON on several lines.
func pretty(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}
