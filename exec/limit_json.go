package exec

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unlimited is more than any list, text or map has.
const unlimited = int(^uint(0) >> 1)

// shortestText is how far the texts inside are shortened before lists lose their last entry.
const shortestText = 200

// measure is how much of each list, text and map is kept.
type measure struct {
	items, chars, keys int
}

// shortened is JSON that may have lost the ends of its lists, the middle of its texts, or the last keys of its maps.
type shortened struct {
	measure
	value any
	lists []string // which lists lost what
	texts int      // how many texts lost their middle
	maps  int      // how many maps lost keys
}

// shortJSON shortens a plain value to lists of at most so many items (0: any number) and so many bytes of JSON. Whole
// entries go first, from the ends of lists; then the middle of long texts; only then all entries, and keys.
func shortJSON(v any, items, most int) *shortened {
	m := measure{unlimited, unlimited, unlimited}
	if items > 0 {
		m.items = items
	}
	fits := func(m measure) bool { return m.size(v, most) <= most }
	if !fits(m) {
		m = m.fitting(most, fits)
	}
	s := &shortened{measure: m}
	s.value = s.shorten(v, "")
	return s
}

// fitting is the measure that keeps most, in the order of what may go.
func (m measure) fitting(most int, fits func(measure) bool) measure {
	for _, try := range []struct {
		with  func(n int) measure
		least int
	}{
		{func(n int) measure { return measure{min(n, m.items), unlimited, unlimited} }, 1},
		{func(n int) measure { return measure{m.items, n, unlimited} }, shortestText},
		{func(n int) measure { return measure{min(n, m.items), shortestText, unlimited} }, 0},
		{func(n int) measure { return measure{0, shortestText, n} }, 0},
	} {
		if !fits(try.with(try.least)) {
			continue
		}
		// the largest number that fits lies in [low, high): no list of n entries, text of n bytes has less than n bytes
		low, high := try.least, max(most, try.least)+1
		for low+1 < high {
			if middle := low + (high-low)/2; fits(try.with(middle)) {
				low = middle
			} else {
				high = middle
			}
		}
		return try.with(low)
	}
	return measure{0, 0, 0}
}

// size is how many bytes the value has once shortened; it stops counting beyond most.
func (m measure) size(v any, most int) int {
	switch v := v.(type) {
	case string:
		return jsonSize(m.text(v))
	case json.Number:
		return len(v)
	case []any:
		n := 2
		for i, item := range v {
			if i == m.items || n > most {
				break
			}
			n += 1 + m.size(item, most-n)
		}
		return n
	case map[string]any:
		n := 2
		for key := range m.first(v) {
			if n > most {
				break
			}
			n += 2 + jsonSize(key)
			n += m.size(v[key], most-n)
		}
		return n
	}
	return 5
}

// first are the keys that are kept.
func (m measure) first(v map[string]any) map[string]struct{} {
	kept := make(map[string]struct{}, min(m.keys, len(v)))
	if m.keys >= len(v) {
		for key := range v {
			kept[key] = struct{}{}
		}
		return kept
	}
	for _, key := range slices.Sorted(maps.Keys(v))[:m.keys] {
		kept[key] = struct{}{}
	}
	return kept
}

// text is a text without its middle, if it is long.
func (m measure) text(text string) string {
	if len(text) <= m.chars {
		return text
	}
	gap := fmt.Sprintf("[… %s of %s bytes left out …]", thousands(len(text)-m.chars), thousands(len(text)))
	keep := max(0, m.chars-len(gap))
	return text[:runeStart(text, keep/2)] + gap + text[runeStart(text, len(text)-keep/2):]
}

// jsonSize is the size of a text as JSON.
func jsonSize(text string) int {
	n := 2
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			n += asciiSize(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			n += 6
		} else {
			n += size
		}
		i += size
	}
	return n
}

func asciiSize(c byte) int {
	switch {
	case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
		return 2
	case c < ' ':
		return 6
	}
	return 1
}

func (s *shortened) shorten(v any, path string) any {
	switch v := v.(type) {
	case string:
		short := s.text(v)
		if len(short) != len(v) {
			s.texts++
		}
		return short
	case []any:
		kept := min(len(v), s.items)
		if kept < len(v) {
			s.lists = append(s.lists, fmt.Sprintf("%s has %s of %s items", named(path), thousands(kept), thousands(len(v))))
		}
		list := make([]any, kept)
		for i := range list {
			list[i] = s.shorten(v[i], path+"["+strconv.Itoa(i)+"]")
		}
		return list
	case map[string]any:
		kept := s.first(v)
		if len(kept) < len(v) {
			s.maps++
		}
		out := make(map[string]any, len(kept))
		for _, key := range slices.Sorted(maps.Keys(kept)) {
			out[key] = s.shorten(v[key], strings.TrimPrefix(path+"."+key, "."))
		}
		return out
	}
	return v
}

func named(path string) string {
	if path == "" {
		return "the list"
	}
	return "`" + path + "`"
}

func (s *shortened) nothing() bool { return len(s.lists) == 0 && s.texts == 0 && s.maps == 0 }

// note says how much there was.
func (s *shortened) note(before, after int) string {
	var parts []string
	if len(s.lists) > 3 {
		parts = append(parts, s.lists[:2]...)
		parts = append(parts, thousands(len(s.lists)-2)+" more lists end early")
	} else {
		parts = append(parts, s.lists...)
	}
	if s.texts > 0 {
		parts = append(parts, thousands(s.texts)+" long texts lost their middle")
	}
	if s.maps > 0 {
		parts = append(parts, thousands(s.maps)+" maps lost keys")
	}
	return fmt.Sprintf("%s (%s of %s bytes of JSON)", strings.Join(parts, ", "), thousands(after), thousands(before))
}
