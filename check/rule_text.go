package check

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/toolspec/toolspec/spec"
)

// textRules are about what a reader cannot see.
func textRules() []Rule {
	return []Rule{{
		Name: "invisible", Severity: spec.SeverityWarning,
		Doc: "A character that nobody sees but a model reads: zero width, one that turns the direction of writing, a tag character, a filler, a control " +
			"character, in any text or key of the file but its tests. It hides instructions, or makes two names of one. It is named by its code point. Joiners in emoji, and in " +
			"scripts that are written with them, are fine.",
		Bad:   `description: "Daily\u200b forecast"`,
		Good:  "description: Daily forecast",
		Check: invisible,
	}}
}

// unseen are the characters that show nothing; the names of the most usual.
var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00AD, Hi: 0x00AD, Stride: 1}, {Lo: 0x034F, Hi: 0x034F, Stride: 1}, {Lo: 0x061C, Hi: 0x061C, Stride: 1}, {Lo: 0x115F, Hi: 0x1160, Stride: 1},
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, {Lo: 0x180B, Hi: 0x180F, Stride: 1}, {Lo: 0x200B, Hi: 0x200F, Stride: 1}, {Lo: 0x2028, Hi: 0x202E, Stride: 1},
		{Lo: 0x2060, Hi: 0x206F, Stride: 1}, {Lo: 0x2800, Hi: 0x2800, Stride: 1}, {Lo: 0x3164, Hi: 0x3164, Stride: 1}, {Lo: 0xFE00, Hi: 0xFE0F, Stride: 1},
		{Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1}, {Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1}, {Lo: 0xFFF0, Hi: 0xFFFB, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1BCA0, Hi: 0x1BCA3, Stride: 1}, {Lo: 0x1D173, Hi: 0x1D17A, Stride: 1}, {Lo: 0xE0000, Hi: 0xE0FFF, Stride: 1}},
}

// joining are the scripts that joiners belong to.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Mongolian, unicode.Hebrew,
}

func invisible(f *File, report Report) {
	eachText(f.Spec.Root(), func(text spec.Text, path string, _ bool) {
		if strings.HasPrefix(path, "tests[") { // no model reads it, and what a program prints may well be hard to see
			return
		}
		said := map[rune]bool{}
		before := rune(0)
		for i, c := range text.Value {
			if isUnseen(c) && !belongs(c, before) && !said[c] {
				said[c] = true
				report(text.At(i), "%s: the character U+%04X (%s) stands here: nobody sees it and a model reads it; take it out", seen(path), c, unseenName(c))
			}
			before = c
		}
	})
}

// seen is a path in which nothing is unseen.
func seen(path string) string {
	var b strings.Builder
	for _, c := range path {
		if isUnseen(c) {
			fmt.Fprintf(&b, "<U+%04X>", c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func isUnseen(c rune) bool {
	return unicode.Is(unseen, c) || c < ' ' && !strings.ContainsRune("\t\n\r", c) || c >= 0x7F && c < 0xA0
}

// belongs tells whether an unseen character has a place behind the one before it.
func belongs(c, before rune) bool {
	switch {
	case c == 0x200C || c == 0x200D:
		return unicode.In(before, joining...) || unicode.IsSymbol(before) || before == 0xFE0F
	case c >= 0xFE00 && c <= 0xFE0F:
		return unicode.IsSymbol(before) || unicode.Is(unicode.Han, before) || before == '#' || before == '*' || unicode.IsDigit(before) || unicode.IsPunct(before)
	case c >= 0x180B && c <= 0x180F:
		return unicode.Is(unicode.Mongolian, before)
	}
	return false
}

func unseenName(c rune) string {
	for _, named := range []struct {
		lo, hi rune
		name   string
	}{
		{0x00AD, 0x00AD, "soft hyphen"}, {0x200B, 0x200B, "zero width space"}, {0x200C, 0x200C, "zero width non-joiner"}, {0x200D, 0x200D, "zero width joiner"},
		{0x200E, 0x200F, "mark of direction"}, {0x061C, 0x061C, "mark of direction"}, {0x2028, 0x2029, "line separator"}, {0x202A, 0x202E, "turns the direction of writing"},
		{0x2066, 0x2069, "turns the direction of writing"}, {0x2060, 0x2060, "word joiner"}, {0xFEFF, 0xFEFF, "zero width no-break space"},
		{0xE0000, 0xE007F, "tag character"}, {0xE0100, 0xE01EF, "variation selector"}, {0xFE00, 0xFE0F, "variation selector"}, {0, 0x9F, "control character"},
	} {
		if named.lo <= c && c <= named.hi {
			return named.name
		}
	}
	return "invisible"
}
