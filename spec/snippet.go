package spec

import (
	"fmt"
	"strings"
	"unicode"
)

// snippetWidth is how many columns of a line a snippet shows at most.
const snippetWidth = 100

// Snippet is the line of a diagnostic with a caret under its column, for people at a terminal:
//
//	2 | description: Price: of one unit.
//	  |                   ^
//
// A tab is shown as an arrow four columns wide, what a terminal would obey as a replacement character; a long line is
// cut around the caret. Empty if the source has no such line.
func Snippet(src []byte, d Diagnostic) string {
	if wideEncoding(src) != "" {
		return ""
	}
	l := linesOf(strings.TrimPrefix(string(src), "\uFEFF"))
	if d.Pos.Line < 1 || d.Pos.Line > len(l.starts) {
		return ""
	}
	line, caret := cutLine([]rune(l.text(d.Pos.Line)), max(0, d.Pos.Column-1))
	number := fmt.Sprintf("%4d", d.Pos.Line)
	return fmt.Sprintf("%s | %s\n%s | %s^\n", number, line, strings.Repeat(" ", len(number)), strings.Repeat(" ", caret))
}

// cutLine shows the part of a line around the character at index, and tells in which column of it that is.
func cutLine(line []rune, index int) (text string, caret int) {
	index = min(index, len(line))
	from, width := index, 0
	for from > 0 && width < snippetWidth/2 {
		from--
		width += columns(line[from])
	}
	to := from
	for width = 0; to < len(line) && width < snippetWidth; to++ {
		width += columns(line[to])
	}
	var b strings.Builder
	if from > 0 {
		b.WriteRune('…')
		caret++
	}
	for i, c := range line[from:to] {
		b.WriteString(visible(c))
		if from+i < index {
			caret += columns(c)
		}
	}
	if to < len(line) {
		b.WriteRune('…')
	}
	return strings.TrimRight(b.String(), " "), caret
}

func visible(c rune) string {
	switch {
	case c == '\t':
		return "→   "
	case !unicode.IsPrint(c):
		return "\uFFFD"
	}
	return string(c)
}

// wide are the blocks whose characters take two columns of a terminal.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115F, Stride: 1}, {Lo: 0x2E80, Hi: 0xA4CF, Stride: 1}, {Lo: 0xAC00, Hi: 0xD7A3, Stride: 1},
		{Lo: 0xF900, Hi: 0xFAFF, Stride: 1}, {Lo: 0xFE30, Hi: 0xFE6F, Stride: 1}, {Lo: 0xFF00, Hi: 0xFF60, Stride: 1}, {Lo: 0xFFE0, Hi: 0xFFE6, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1F300, Hi: 0x1FAFF, Stride: 1}, {Lo: 0x20000, Hi: 0x3FFFD, Stride: 1}},
}

// columns is how many columns of a terminal a character takes.
func columns(c rune) int {
	switch {
	case c == '\t':
		return 4
	case unicode.Is(unicode.Mn, c):
		return 0
	case unicode.Is(wide, c):
		return 2
	}
	return 1
}
