package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// lineWord is one word of a command line: literal text, and the variables in it.
type lineWord []linePart

// linePart is a piece of a word: text, or the name of a placeholder that a shell would put a value for.
type linePart struct {
	text, name string
}

// text is the characters of a word without variables.
func (w lineWord) text() (text string, literal bool) {
	var b strings.Builder
	for _, p := range w {
		if p.name != "" {
			return "", false
		}
		b.WriteString(p.text)
	}
	return b.String(), true
}

// shellWords splits a command line as a shell does: quotes, backslashes, line continuations, comments. $NAME, ${NAME} and
// <name> become placeholders. What makes more of it than one command is an error that says what to do instead.
func shellWords(line string) ([]lineWord, error) {
	s := &shellReader{rest: strings.TrimSpace(strings.ReplaceAll(line, "\r\n", "\n"))}
	if prompt, ok := strings.CutPrefix(s.rest, "$ "); ok {
		s.rest = prompt
	}
	if !utf8.ValidString(line) || strings.ContainsRune(line, 0) {
		return nil, fmt.Errorf("the command line is not text in UTF-8")
	}
	for s.rest != "" {
		if err := s.step(); err != nil {
			return nil, err
		}
	}
	s.endWord()
	if len(s.words) == 0 {
		return nil, fmt.Errorf("the command line is empty")
	}
	return s.words, nil
}

// shellReader reads a command line from its start.
type shellReader struct {
	rest  string
	words []lineWord
	word  lineWord
	plain []byte // that of the word which is in no part yet
	open  bool   // a word is being read, be it empty as '' is
}

func (s *shellReader) add(text string) {
	s.open, s.plain = true, append(s.plain, text...)
}

// endPart makes the characters read so far a part of the word.
func (s *shellReader) endPart() {
	if len(s.plain) > 0 {
		s.word = append(s.word, linePart{text: string(s.plain)})
	}
	s.plain = nil
}

func (s *shellReader) addName(name string) {
	s.endPart()
	s.open, s.word = true, append(s.word, linePart{name: name})
}

func (s *shellReader) endWord() {
	s.endPart()
	if s.open {
		s.words = append(s.words, s.word)
	}
	s.word, s.open = nil, false
}

// take takes n bytes off the rest.
func (s *shellReader) take(n int) string {
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	return taken
}

var (
	angleName = regexp.MustCompile(`^<([A-Za-z][A-Za-z0-9_-]*)>([^A-Za-z0-9_./~-]|$)`)
	shellName = regexp.MustCompile(`^\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})`)
	braceList = regexp.MustCompile(`^\{[^{}\s]*(,|\.\.)[^{}\s]*\}`)
)

// step reads a character outside of quotes, or what starts with it.
func (s *shellReader) step() error {
	switch c := s.rest[0]; c {
	case ' ', '\t', '\n':
		if strings.HasPrefix(s.rest, "\n") && strings.TrimSpace(s.rest) != "" {
			return fmt.Errorf("a second command starts on a new line: give one command (a line that goes on ends with \\), or write the lines under executor: {command: {shell: …}}")
		}
		s.take(1)
		s.endWord()
		return nil
	case '\\':
		return s.escape()
	case '\'':
		return s.single()
	case '"':
		s.take(1)
		return s.double()
	case '$':
		return s.dollar(false)
	case '#':
		if !s.open {
			end := strings.IndexByte(s.rest+"\n", '\n')
			s.take(min(end, len(s.rest)))
			return nil
		}
	case '<':
		if m := angleName.FindStringSubmatch(s.rest); m != nil {
			s.take(len(m[1]) + 2)
			s.addName(m[1])
			return nil
		}
		return fmt.Errorf("a redirection with <: write what the program reads as stdin of the file, or name the file in an argument")
	default:
		if err := s.refuse(c); err != nil {
			return err
		}
	}
	_, size := utf8.DecodeRuneInString(s.rest)
	s.add(s.take(size))
	return nil
}

// refuse says what to do instead of what only a shell can do.
func (s *shellReader) refuse(c byte) error {
	switch {
	case c == '|':
		return fmt.Errorf("a pipe with |: a tool runs one program. Write the whole line under executor: {command: {shell: …}} (toolspec new NAME --kind shell), or a pipeline of tools")
	case c == '>':
		return fmt.Errorf("a redirection with >: what the program writes becomes the tool's value; leave it out")
	case c == '&':
		return fmt.Errorf("& runs a command in the background, or after another: give one command, and put an address that holds & in quotes")
	case c == ';':
		return fmt.Errorf("several commands with ;: give one command, or write the line under executor: {command: {shell: …}} (toolspec new NAME --kind shell)")
	case c == '`':
		return fmt.Errorf("a substitution with `: give what the command would print, or a placeholder such as NAME in its place")
	case c == '(' || c == ')':
		return fmt.Errorf("parentheses make a shell of their own: give one command, or put them in quotes")
	case c == '~' && !s.open && (len(s.rest) == 1 || s.rest[1] == '/'):
		return fmt.Errorf("~ is the shell's word for a home directory: write the directory itself")
	case c == '*' || c == '?' && !s.inAddress():
		return fmt.Errorf("no shell looks for the files that %c stands for: put it in quotes if it is meant as it stands, or write a placeholder such as FILE", c)
	case c == '{' && braceList.MatchString(s.rest):
		return fmt.Errorf("no shell repeats what stands in {…,…}: write each word, or put it in quotes")
	}
	return nil
}

// inAddress tells whether the word so far is a URL, in which ? is no pattern.
func (s *shellReader) inAddress() bool {
	for _, p := range append(s.word, linePart{text: string(s.plain)}) {
		if strings.Contains(p.text, "://") || strings.Contains(p.text, "/") && strings.Contains(p.text, ".") {
			return true
		}
	}
	return false
}
