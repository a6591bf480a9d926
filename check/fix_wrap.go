package check

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

// maxLine is how many characters a line with a description has before it is put into a folded block, whose lines have no more.
const maxLine = 120

var (
	beforeDescription = regexp.MustCompile(`^([ ]*(?:-[ ]+)*)description:[ ]+$`)
	afterValue        = regexp.MustCompile(`^[ \t]*(#.*)?\r?\n?$`)
)

// wrapDescriptions puts descriptions that make their line too long into folded blocks.
func wrapDescriptions(s *spec.Spec, lines []string) []edit {
	var edits []edit
	seen := map[spec.Pos]bool{}
	eachDescription(s.Root(), func(text spec.Text) {
		if !seen[text.Pos] {
			seen[text.Pos] = true
			if e, ok := wrap(text, lines); ok {
				edits = append(edits, e)
			}
		}
	})
	return edits
}

func eachDescription(s spec.Section, visit func(spec.Text)) {
	for _, f := range s.Fields() {
		if text, ok := f.Value.Text(); ok && f.Key.Value == "description" {
			visit(text)
		}
		eachDescription(f.Value, visit)
	}
	for _, item := range s.Items() {
		eachDescription(item, visit)
	}
}

func wrap(text spec.Text, lines []string) (edit, bool) {
	from := startOf(lines, text.Pos)
	if from < 0 || !foldable(text.Value) {
		return edit{}, false
	}
	line := lines[text.Pos.Line-1]
	end := strings.TrimRight(line, "\r\n")
	before := beforeDescription.FindStringSubmatch(line[:from])
	to := from + scalarLength(line[from:], text.Value)
	if before == nil || to == from || utf8.RuneCountInString(end) <= maxLine || !afterValue.MatchString(line[to:]) {
		return edit{}, false
	}
	indent := strings.Repeat(" ", len(before[1])+2)
	folded := fold(text.Value, maxLine-len(indent))
	if len(folded) < 2 {
		return edit{}, false
	}
	ending := "\n"
	if strings.HasSuffix(line, "\r\n") {
		ending = "\r\n"
	}
	var b strings.Builder
	b.WriteString(">-" + strings.TrimRight(line[to:], "\r\n")) // a comment behind the value stays there
	for _, part := range folded {
		b.WriteString(ending + indent + part)
	}
	b.WriteString(line[len(end):])
	return edit{text.Pos, text.Pos.Line - 1, from, len(line), b.String(), "put the description into a folded block"}, true
}

// foldable tells whether a text reads the same in a folded block, and as well.
func foldable(text string) bool {
	return strings.TrimSpace(text) == text && !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) || c != ' ' && unicode.IsSpace(c) })
}

// scalarLength is how long a scalar is that starts a piece of a line and ends in it; 0 if it does not.
func scalarLength(rest, value string) int {
	switch quote := rest[0]; quote {
	case '\'', '"':
		for i := 1; i < len(rest); i++ {
			switch {
			case quote == '"' && rest[i] == '\\':
				i++
			case quote == '\'' && strings.HasPrefix(rest[i:], "''"):
				i++
			case rest[i] == quote:
				return i + 1
			}
		}
		return 0
	}
	if strings.HasPrefix(rest, value) {
		return len(value)
	}
	return 0
}

// fold breaks a text at single spaces into lines of at most that many characters, where it can.
func fold(text string, width int) []string {
	var lines []string
	line := ""
	for i, word := range strings.SplitAfter(text, " ") {
		if i > 0 && breakable(line, word) && utf8.RuneCountInString(line)+utf8.RuneCountInString(strings.TrimRight(word, " ")) > width {
			lines, line = append(lines, strings.TrimSuffix(line, " ")), ""
		}
		line += word
	}
	return append(lines, line)
}

// breakable tells whether exactly one space stands between what a line has and the next word.
func breakable(line, word string) bool {
	return strings.HasSuffix(line, " ") && !strings.HasSuffix(line, "  ") && strings.TrimSpace(word) != "" && strings.TrimSpace(line) != ""
}
