package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// chunk is an outermost key with its value, and the comments above it.
type chunk struct {
	rank  int
	lines []string
}

// orderKeys puts the outermost keys into the format's order, each with what belongs to it; not ok where they are, or where it would
// not be safe. What stands above the first key stays there, and what stands below the last.
func orderKeys(file, text string, original *spec.Spec) (string, bool) {
	s := fixable(file, text)
	if s == nil {
		return "", false
	}
	head, chunks, tail := chunksOf(s, lineUp(text))
	byRank := func(a, b chunk) int { return cmp.Compare(a.rank, b.rank) }
	if len(chunks) == 0 || slices.IsSortedFunc(chunks, byRank) {
		return "", false
	}
	first := &chunks[0].lines[0]
	slices.SortStableFunc(chunks, byRank)
	if &chunks[0].lines[0] != first && strings.Contains(strings.Join(chunks[0].lines, ""), "toolspec:allow") {
		return "", false // it would come to stand above the first key, and speak of the whole file
	}
	var b strings.Builder
	b.WriteString(strings.Join(head, ""))
	for _, c := range chunks {
		b.WriteString(strings.Join(c.lines, ""))
	}
	b.WriteString(strings.Join(tail, ""))
	return b.String(), says(file, b.String(), original)
}

// chunksOf takes a file apart; there are no chunks where its outermost map is not a key a line, from the first column on.
func chunksOf(s *spec.Spec, lines []string) (head []string, chunks []chunk, tail []string) {
	order := spec.FileKeys()
	fields := s.Root().Fields()
	starts := make([]int, len(fields))
	for i, f := range fields {
		starts[i] = f.Key.Pos.Line - 1
		if f.Key.Pos.Column != 1 || i > 0 && starts[i] <= starts[i-1] {
			return nil, nil, nil
		}
		for i > 0 && starts[i]-1 > fields[i-1].Key.Pos.Line-1 && isAside(lines[starts[i]-1]) {
			starts[i]--
		}
	}
	end := len(lines)
	for end > 0 && end > fields[len(fields)-1].Key.Pos.Line && isAside(lines[end-1]) {
		end--
	}
	for i, f := range fields {
		next := end
		if i+1 < len(fields) {
			next = starts[i+1]
		}
		own := slices.Clone(lines[starts[i]:next])
		if last := &own[len(own)-1]; !strings.HasSuffix(*last, "\n") {
			*last += lineEnd(lines)
		}
		chunks = append(chunks, chunk{slices.Index(order, f.Key.Value), own})
	}
	return lines[:starts[0]], chunks, lines[end:]
}

// isAside tells whether a line is empty, or a comment from its first column on.
func isAside(line string) bool { return strings.TrimSpace(line) == "" || line[0] == '#' }

// lineEnd is how the lines of a file end.
func lineEnd(lines []string) string {
	if strings.HasSuffix(lines[0], "\r\n") {
		return "\r\n"
	}
	return "\n"
}
