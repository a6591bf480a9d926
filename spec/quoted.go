package spec

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// rawColumns counts the characters in the raw text of a quoted scalar that stand before the byte at offset in its
// value; next tells how many bytes of raw make the next character of the value, and how many bytes that has.
func rawColumns(raw string, offset int, next func(raw string) (read, made int)) (columns int) {
	for raw != "" {
		read, made := next(raw)
		if made > offset {
			break
		}
		offset -= made
		columns += utf8.RuneCountInString(raw[:read])
		raw = raw[read:]
		if offset == 0 {
			break
		}
	}
	return columns
}

func singleQuoted(raw string) (read, made int) {
	if strings.HasPrefix(raw, "''") {
		return 2, 1
	}
	_, size := utf8.DecodeRuneInString(raw)
	return size, size
}

// doubleQuoted knows the escapes of YAML and, among them, JSON's.
func doubleQuoted(raw string) (read, made int) {
	if raw[0] != '\\' || len(raw) == 1 {
		_, size := utf8.DecodeRuneInString(raw)
		return size, size
	}
	switch raw[1] {
	case 'x':
		return escapedRune(raw, 2)
	case 'u':
		return escapedRune(raw, 4)
	case 'U':
		return escapedRune(raw, 8)
	case 'N', '_':
		return 2, 2
	case 'L', 'P':
		return 2, 3
	}
	return 2, 1
}

func escapedRune(raw string, digits int) (read, made int) {
	read = min(2+digits, len(raw))
	code, _ := strconv.ParseInt(raw[2:read], 16, 32)
	if code >= 0xD800 && code < 0xDC00 && strings.HasPrefix(raw[read:], `\u`) {
		return min(read+6, len(raw)), 4 // a surrogate pair
	}
	if made = utf8.RuneLen(rune(code)); made < 0 {
		made = len("\uFFFD")
	}
	return read, made
}
