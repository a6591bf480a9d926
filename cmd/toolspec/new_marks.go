package main

import (
	"strings"
)

// marks let a word with placeholders be split and decoded as text: each placeholder is one character that no text has.
type marks struct{ names []string }

const firstMark = 0xF0000 // the first of the characters of plane 15, which mean nothing to anybody

// text is the word with marks for its placeholders.
func (m *marks) text(word lineWord) string {
	var b strings.Builder
	for _, part := range word {
		if part.name != "" {
			b.WriteRune(rune(firstMark + len(m.names))) // #nosec G115 -- plane 15 has room for 65,536 of a word
			m.names = append(m.names, part.name)
			continue
		}
		b.WriteString(strings.Map(func(c rune) rune {
			if c >= firstMark {
				return -1
			}
			return c
		}, part.text))
	}
	return b.String()
}

// word is text with marks as a word again.
func (m *marks) word(text string) (word lineWord) {
	start := 0
	for i, c := range text {
		if c < firstMark {
			continue
		}
		if i > start {
			word = append(word, linePart{text: text[start:i]})
		}
		word, start = append(word, linePart{name: m.names[c-firstMark]}), i+len(string(c))
	}
	if start < len(text) {
		word = append(word, linePart{text: text[start:]})
	}
	return word
}

// marked tells whether a text has marks.
func marked(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return c >= firstMark })
}
