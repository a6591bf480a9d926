package spec

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// halfPair is the first escape of a text of JSON that is half of a surrogate pair; empty if there is none. encoding/json
// makes another character of it.
func halfPair(quoted string) string {
	for i := 0; i+1 < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		unit, next := escapedUnit(quoted[i:]), rune(-1)
		if i++; unit < 0xD800 || unit > 0xDFFF {
			continue
		}
		if i+5 < len(quoted) {
			next = escapedUnit(quoted[i+5:])
		}
		if utf16.DecodeRune(unit, next) == utf8.RuneError {
			return quoted[i-1 : i+5]
		}
		i += 10
	}
	return ""
}

// escapedUnit is what a text starts with as \uXXXX; negative if it starts with something else.
func escapedUnit(text string) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}
