package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	maxDiffLines = 60  // of a diff that are shown
	aroundDiff   = 2   // lines around what differs
	maxDiffCells = 1e6 // beyond that many pairs of lines nothing is aligned
)

// got is a text of which nothing was expected, as the lines of a diff.
func got(have string) string { return clip(prefixed("+ ", strings.Split(have, "\n"))) }

// diff tells two texts apart, line by line: - what was expected, + what came, a few lines around that both have.
func diff(want, have string) string {
	a, b := strings.Split(want, "\n"), strings.Split(have, "\n")
	var lines []string
	for _, s := range align(a, b) {
		switch {
		case s.same:
			lines = append(lines, around(prefixed("  ", s.have), len(lines) == 0)...)
		default:
			lines = append(lines, prefixed("- ", s.want)...)
			lines = append(lines, prefixed("+ ", s.have)...)
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

// stretch is lines that both texts have, or those of each where they differ.
type stretch struct {
	same       bool
	want, have []string
}

// align finds a longest common subsequence of lines, after what is the same at both ends.
func align(a, b []string) []stretch {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var all []stretch
	if head > 0 {
		all = append(all, stretch{same: true, want: a[:head], have: b[:head]})
	}
	all = append(all, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	if tail > 0 {
		all = append(all, stretch{same: true, want: a[len(a)-tail:], have: b[len(b)-tail:]})
	}
	return all
}

func middle(a, b []string) (all []stretch) {
	if float64(len(a))*float64(len(b)) > maxDiffCells {
		return []stretch{{want: a, have: b}}
	}
	common := make([][]int, len(a)+1) // of what is left of both
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	add := func(same bool, want, have []string) {
		if n := len(all); n == 0 || all[n-1].same != same {
			all = append(all, stretch{same: same})
		}
		last := &all[len(all)-1]
		last.want, last.have = append(last.want, want...), append(last.have, have...)
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			add(true, a[i:i+1], b[j:j+1])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			add(false, a[i:i+1], nil)
			i++
		default:
			add(false, nil, b[j:j+1])
			j++
		}
	}
	return all
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// visible is a line in quotes, escaped, if it holds what nobody sees: a character that is not printed, white space at its end.
func visible(line string) string {
	if strings.TrimRightFunc(line, unicode.IsSpace) != line || strings.ContainsFunc(line, func(c rune) bool { return !unicode.IsPrint(c) && c != '\t' }) {
		return strconv.Quote(line)
	}
	return line
}
