package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/toolspec/toolspec/spec"
)

const (
	maxDiffLines = 60 // of a diff that are shown
	aroundDiff   = 2  // lines around what differs
)

// got is a text of which nothing was expected, as the lines of a diff.
func got(have string) string { return clip(prefixed("+ ", strings.Split(have, "\n"))) }

// diff tells two texts apart, line by line: - what was expected, + what came, a few lines around that both have.
func diff(want, have string) string {
	a, b := strings.Split(want, "\n"), strings.Split(have, "\n")
	var lines []string
	for _, s := range spec.Align(a, b) {
		switch {
		case s.Same:
			lines = append(lines, around(prefixed("  ", s.New), len(lines) == 0)...)
		default:
			lines = append(lines, prefixed("- ", s.Old)...)
			lines = append(lines, prefixed("+ ", s.New)...)
		}
	}
	return clip(lines)
}

func prefixed(mark string, lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = mark + line
	}
	return out
}

// around leaves out the middle of lines that both texts have; at the start all but the last.
func around(lines []string, start bool) []string {
	if start && len(lines) > aroundDiff {
		return append([]string{"  …"}, lines[len(lines)-aroundDiff:]...)
	}
	if len(lines) > 2*aroundDiff+1 {
		return slices.Concat(lines[:aroundDiff], []string{"  …"}, lines[len(lines)-aroundDiff:])
	}
	return lines
}

func clip(lines []string) string {
	if len(lines) > maxDiffLines {
		lines = append(lines[:maxDiffLines:maxDiffLines], "  …")
	}
	return strings.Join(lines, "\n")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// visible is a line in quotes, escaped, if it holds what nobody sees: a character that is not printed, white space at its end.
func visible(line string) string {
	if strings.TrimRightFunc(line, unicode.IsSpace) != line || strings.ContainsFunc(line, func(c rune) bool { return !unicode.IsPrint(c) && c != '\t' }) {
		return strconv.Quote(line)
	}
	return line
}
