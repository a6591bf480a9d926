package spec

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible is a name, for people to read: on one line, and with an escape for what a terminal would obey and not show.
func Visible(name string) string {
	if strings.IndexFunc(name, isObeyed) < 0 && utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, name[i])
		case isObeyed(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(name[i : i+size])
		}
		i += size
	}
	return b.String()
}

// isObeyed tells of a character that ends a line, that terminals act on, or that turns the direction of writing.
func isObeyed(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}
