package spec

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Pos is a place in a tool file. Line and Column count from 1; a column counts characters, not bytes, as editors do.
// The zero Pos is no place.
type Pos struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// IsValid tells whether p is a place at all.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String gives file:line:column, the form that terminals and editors make a link of, on one line.
func (p Pos) String() string {
	if !p.IsValid() {
		return Visible(p.File)
	}
	return Visible(p.File) + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// Text is a text that remembers where it stood.
type Text struct {
	Value string
	Pos   Pos
	exact layout
}

// layout says how offsets in a text's value follow the characters of the file.
type layout struct {
	kind   layoutKind
	indent int32  // of the line, or of a literal block's lines, in characters
	raw    string // what stands between the quotes, where it differs from the value
}

type layoutKind uint8

const (
	layoutUnknown layoutKind = iota // folded, or quoted over several lines: only the start is known
	layoutLine                      // one line, character for character, from Pos + indent
	layoutBlock                     // a literal block: line for line, each after indent characters, from the line after Pos
	layoutSingle                    // one line in single quotes, raw
	layoutDouble                    // one line in double quotes, raw, with the escapes of YAML and JSON
)

// IsZero tells whether the text is absent from the file (an empty text that stands there is not zero).
func (t Text) IsZero() bool { return !t.Pos.IsValid() && t.Value == "" }

// At is the place of the byte at offset in the value: exact where the scalar stands on one line, quoted or not, or is
// a literal block; else the start of the scalar.
func (t Text) At(offset int) Pos {
	if offset < 0 || offset > len(t.Value) {
		return t.Pos
	}
	for offset > 0 && offset < len(t.Value) && !utf8.RuneStart(t.Value[offset]) {
		offset-- // a character is at one place
	}
	p := t.Pos
	before := t.Value[:offset]
	if offset == len(t.Value) {
		before = strings.TrimRight(before, "\n") // the end is where its last line ends
	}
	switch t.exact.kind {
	case layoutLine:
		p.Column += int(t.exact.indent) + utf8.RuneCountInString(before)
	case layoutBlock:
		p.Line += 1 + strings.Count(before, "\n")
		p.Column = 1 // a line of the block that is empty need not be indented
		if from := strings.LastIndexByte(before, '\n') + 1; !strings.HasPrefix(t.Value[from:], "\n") {
			p.Column += int(t.exact.indent) + utf8.RuneCountInString(before[from:])
		}
	case layoutSingle:
		p.Column += 1 + rawColumns(t.exact.raw, offset, singleQuoted)
	case layoutDouble:
		p.Column += 1 + rawColumns(t.exact.raw, offset, doubleQuoted)
	}
	return p
}
