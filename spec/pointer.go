package spec

import (
	"strconv"
	"strings"
)

var (
	escapePointer   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
)

// pointerToken writes a key as one token of a JSON pointer.
func pointerToken(key string) string { return escapePointer.Replace(key) }

// pointerTokens are the keys in a JSON pointer.
func pointerTokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, t := range tokens {
		tokens[i] = unescapePointer.Replace(t)
	}
	return tokens
}

// step is what a key or an index names in the section; absent if there is nothing.
func (s Section) step(key string) Section {
	if s.Form() != FormList {
		return s.Get(key)
	}
	i, err := strconv.Atoi(key)
	if err != nil || i < 0 || i >= len(s.n.items) {
		return Section{}
	}
	return Section{s.n.items[i], s.path + "[" + key + "]"}
}

// stepValue is what a key or an index names in a JSON value.
func stepValue(v any, key string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		inner, ok := v[key]
		return inner, ok
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}
