package spec

import (
	"fmt"
	"strings"
)

// Stretch is lines that two texts have in common, or those of each where they differ.
type Stretch struct {
	Same     bool
	Old, New []string
}

// maxDiffCells is the number of pairs of lines beyond which nothing is aligned.
const maxDiffCells = 1e6

// Align finds what two texts have in common, by a longest common subsequence of their lines.
func Align(a, b []string) []Stretch {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var all []Stretch
	if head > 0 {
		all = append(all, Stretch{Same: true, Old: a[:head], New: b[:head]})
	}
	all = append(all, alignMiddle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	if tail > 0 {
		all = append(all, Stretch{Same: true, Old: a[len(a)-tail:], New: b[len(b)-tail:]})
	}
	return all
}

func alignMiddle(a, b []string) (all []Stretch) {
	if len(a)+len(b) == 0 {
		return nil
	}
	if float64(len(a))*float64(len(b)) > maxDiffCells {
		return []Stretch{{Old: a, New: b}}
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
	add := func(same bool, old, now []string) {
		if n := len(all); n == 0 || all[n-1].Same != same {
			all = append(all, Stretch{Same: same})
		}
		last := &all[len(all)-1]
		last.Old, last.New = append(last.Old, old...), append(last.New, now...)
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

// aroundDiff is how many lines around what differs a unified diff shows.
const aroundDiff = 3

// UnifiedDiff is how one text became another, as programs that apply patches read it; empty if they are the same. Nothing
// that differs is left out.
func UnifiedDiff(oldName, newName, before, after string) string {
	if before == after {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", oldName, newName)
	h := hunk{oldLine: 1, newLine: 1}
	all := Align(textLines(before), textLines(after))
	for i, s := range all {
		switch {
		case !s.Same:
			h.add("-", s.Old)
			h.add("+", s.New)
			h.differs = true
		case i > 0 && i < len(all)-1 && len(s.Old) <= 2*aroundDiff:
			h.add(" ", s.Old)
		default:
			if h.differs {
				h.add(" ", s.Old[:min(aroundDiff, len(s.Old))])
				s.Old = s.Old[min(aroundDiff, len(s.Old)):]
			}
			h.write(&b)
			lead := min(aroundDiff, len(s.Old))
			h.oldLine, h.newLine = h.oldLine+len(s.Old)-lead, h.newLine+len(s.Old)-lead
			h.add(" ", s.Old[len(s.Old)-lead:])
		}
	}
	h.write(&b)
	return b.String()
}

// textLines are the lines of a text, the last one whether or not it ends; none of an empty one.
func textLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// hunk is a part of a diff that has not been written yet.
type hunk struct {
	oldLine, newLine int // where it begins
	olds, news       int // how many lines of each
	lines            []string
	differs          bool
}

func (h *hunk) add(mark string, lines []string) {
	for _, line := range lines {
		h.lines = append(h.lines, mark+line)
	}
	if mark != "+" {
		h.olds += len(lines)
	}
	if mark != "-" {
		h.news += len(lines)
	}
}

// write writes a hunk in which something differs, and begins the next behind it.
func (h *hunk) write(b *strings.Builder) {
	if h.differs {
		fmt.Fprintf(b, "@@ -%s +%s @@\n%s\n", span(h.oldLine, h.olds), span(h.newLine, h.news), strings.Join(h.lines, "\n"))
	}
	*h = hunk{oldLine: h.oldLine + h.olds, newLine: h.newLine + h.news}
}

// span is where lines of one side are: those of none stand behind the line before.
func span(line, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", line-1)
	case 1:
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, count)
}
