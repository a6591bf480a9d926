package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

func (s *shellReader) escape() error {
	s.take(1)
	if s.rest == "" {
		return fmt.Errorf("the command line ends with a backslash, behind which nothing follows")
	}
	_, size := utf8.DecodeRuneInString(s.rest)
	if c := s.take(size); c != "\n" {
		s.add(c)
	}
	return nil
}

func (s *shellReader) single() error {
	end := strings.IndexByte(s.rest[1:], '\'')
	if end < 0 {
		return fmt.Errorf("a quote ' is not closed")
	}
	s.add(s.take(end + 2)[1 : end+1])
	return nil
}

// double reads to the closing ", in which $ and \ keep some of their meaning.
func (s *shellReader) double() error {
	s.add("")
	for s.rest != "" {
		switch s.rest[0] {
		case '"':
			s.take(1)
			return nil
		case '$':
			if err := s.dollar(true); err != nil {
				return err
			}
		case '`':
			return s.refuse('`')
		case '\\':
			if len(s.rest) > 1 && strings.IndexByte("$`\"\\\n", s.rest[1]) >= 0 {
				s.take(1)
				if s.rest[0] == '\n' {
					s.take(1)
					continue
				}
			}
			s.add(s.take(1))
		default:
			s.add(s.take(1))
		}
	}
	return fmt.Errorf("a quote \" is not closed")
}

// dollar reads what starts with $.
func (s *shellReader) dollar(quoted bool) error {
	if m := shellName.FindStringSubmatch(s.rest); m != nil {
		s.take(len(m[0]))
		s.addName(m[1] + m[2])
		return nil
	}
	next := strings.TrimPrefix(s.rest, "$")
	switch {
	case strings.HasPrefix(next, "("):
		return fmt.Errorf("a substitution with $(…): give what the command would print, or a placeholder such as NAME in its place")
	case strings.HasPrefix(next, "{"):
		return fmt.Errorf("of ${…} only a name is taken, as in ${NAME}: write a placeholder such as NAME")
	case strings.HasPrefix(next, "'") && !quoted:
		s.take(1)
		return s.escaped()
	case strings.HasPrefix(next, `"`) && !quoted:
		s.take(2)
		return s.double()
	case next != "" && strings.IndexByte("0123456789@*#?!$-", next[0]) >= 0:
		return fmt.Errorf("$%c belongs to a script: write a placeholder such as NAME", next[0])
	}
	s.add(s.take(1))
	return nil
}

var (
	ansiEscapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'a': "\a", 'b': "\b", 'e': "\x1b", 'E': "\x1b", 'f': "\f", 'v': "\v", '\\': `\`, '\'': "'", '"': `"`, '?': "?"}
	ansiCode    = regexp.MustCompile(`^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))`)
)

// escaped reads $'…', which browsers write for what they copy.
func (s *shellReader) escaped() error {
	s.take(1)
	s.add("")
	for s.rest != "" {
		c := s.take(1)
		switch {
		case c == "'":
			return nil
		case c != `\` || s.rest == "":
			s.add(c)
		default:
			if m := ansiCode.FindStringSubmatch(s.rest); m != nil {
				s.take(len(m[0]))
				r, ok := codePoint(m[1]+m[2]+m[3], m[4])
				if !ok {
					return fmt.Errorf(`\%s is no character`, m[0])
				}
				s.add(string(r))
			} else if text, known := ansiEscapes[s.rest[0]]; known {
				s.take(1)
				s.add(text)
			} else {
				s.add(c)
			}
		}
	}
	return fmt.Errorf("a quote $' is not closed")
}

// codePoint is a character by its number; that of bytes beyond ASCII would depend on their neighbours.
func codePoint(hex, octal string) (rune, bool) {
	var r rune
	if hex != "" {
		_, _ = fmt.Sscanf(hex, "%x", &r)
	} else {
		_, _ = fmt.Sscanf(octal, "%o", &r)
	}
	return r, r > 0 && utf8.ValidRune(r)
}
