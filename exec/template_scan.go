package exec

import (
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// slot is one ${ … } of a text: the offsets of its first character, of what stands in it, and of what follows it.
type slot struct {
	start, from, to, end int
}

// piece is literal text, or one slot.
type piece struct {
	literal string
	slot    *slot
}

// scanTemplate finds the slots of a text; $${ is a literal ${. Where a slot ends only the expression's own rules of
// quotes, comments and braces can tell, and the library's reader does not say.
func scanTemplate(t spec.Text) ([]piece, spec.Diagnostics) {
	var pieces []piece
	var ds spec.Diagnostics
	var literal strings.Builder
	text := t.Value
	flush := func() {
		if literal.Len() > 0 {
			pieces = append(pieces, piece{literal: literal.String()})
			literal.Reset()
		}
	}
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], "$${"):
			literal.WriteString("${")
			i += 3
		case strings.HasPrefix(text[i:], "${"):
			s, fault := scanSlot(text, i)
			if fault != "" {
				ds.Add(t.At(i), ruleTemplate, "%s", fault)
				return nil, ds
			}
			flush()
			pieces = append(pieces, piece{slot: s})
			i = s.end
		default:
			next := strings.IndexByte(text[i+1:], '$')
			if next < 0 {
				next = len(text) - i - 1
			}
			literal.WriteString(text[i : i+1+next])
			i += 1 + next
		}
	}
	flush()
	return pieces, ds
}

// scanSlot finds the end of the slot that starts at offset start; fault says why there is none.
func scanSlot(text string, start int) (s *slot, fault string) {
	depth, i := 0, start+2
	for i < len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\'' || c == '`':
			end := quoteEnd(text, i)
			if end < 0 {
				return nil, "${ is not closed: a quote " + string(c) + " within it is still open; write $${ for a literal ${"
			}
			i = end
			continue
		case strings.HasPrefix(text[i:], "//"):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return nil, "${ is not closed: everything after // is a comment, to the end of the line"
			}
			i += end
			continue
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return nil, "${ is not closed: a comment /* within it is still open"
			}
			i += 2 + end + 2
			continue
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == '}':
			return &slot{start: start, from: start + 2, to: i, end: i + 1}, ""
		}
		i++
	}
	return nil, "${ is not closed: its } is missing; write $${ for a literal ${"
}

// quoteEnd is the offset behind the quote that opens at i; negative if it is not closed. A back-quote within
// back-quotes is written twice, which reads as two quotes in a row here; a backslash escapes within the others.
func quoteEnd(text string, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote != '`':
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return -1
}
