package spec

import (
	"sort"
	"unicode/utf8"
)

// lines finds places in a text by line and column, and lines and columns of places. A line ends with LF, CR LF or CR.
type lines struct {
	src    string
	starts []int // offset of each line's first byte
	ascii  bool
	wide   map[int][]int // of the lines asked for: what offsets gives
}

func linesOf(src string) *lines {
	l := &lines{src: src, starts: []int{0}, ascii: true, wide: map[int][]int{}}
	for i := 0; i < len(src); i++ {
		l.ascii = l.ascii && src[i] < utf8.RuneSelf
		if src[i] == '\n' || src[i] == '\r' && (i+1 == len(src) || src[i+1] != '\n') {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// text is a line without its break; empty for a line that is not there.
func (l *lines) text(line int) string {
	if line < 1 || line > len(l.starts) {
		return ""
	}
	end := len(l.src)
	if line < len(l.starts) {
		end = l.starts[line]
	}
	text := l.src[l.starts[line-1]:end]
	for len(text) > 0 && (text[len(text)-1] == '\n' || text[len(text)-1] == '\r') {
		text = text[:len(text)-1]
	}
	return text
}

// offsets of the characters of a line that is not ASCII; nil for one that is.
func (l *lines) offsets(line int) []int {
	if l.ascii {
		return nil
	}
	offsets, seen := l.wide[line]
	if !seen {
		offsets = characterOffsets(l.text(line))
		l.wide[line] = offsets
	}
	return offsets
}

func characterOffsets(text string) []int {
	count := utf8.RuneCountInString(text)
	if len(text) == count {
		return nil
	}
	offsets := make([]int, 0, count)
	for i := range text {
		offsets = append(offsets, i)
	}
	return offsets
}

// from is what stands in a line from a column on.
func (l *lines) from(line, column int) string {
	text, at := l.text(line), column-1
	if offsets := l.offsets(line); offsets != nil && at >= 0 {
		if at >= len(offsets) {
			return ""
		}
		at = offsets[at]
	}
	if at < 0 || at > len(text) {
		return ""
	}
	return text[at:]
}

// place is the place of a byte offset.
func (l *lines) place(file string, offset int) Pos {
	offset = min(offset, len(l.src))
	line := sort.SearchInts(l.starts, offset+1)
	return Pos{File: file, Line: line, Column: 1 + utf8.RuneCountInString(l.src[l.starts[line-1]:offset])}
}

// within is the place nearest to line and column that the text has.
func (l *lines) within(file string, line, column int) Pos {
	if line > len(l.starts) {
		return l.place(file, len(l.src))
	}
	line = max(1, line)
	count := len(l.text(line))
	if offsets := l.offsets(line); offsets != nil {
		count = len(offsets)
	}
	return Pos{File: file, Line: line, Column: max(1, min(column, 1+count))}
}
