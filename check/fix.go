package check

import (
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// Change is one thing that Fix did: where the file had it, and what was done.
type Change struct {
	Pos  spec.Pos
	What string
}

// Fix mends what is mechanical in a YAML tool file, and says what it did: it quotes yes, no, on and off that are texts, puts long descriptions
// into folded blocks, and the outermost keys into the format's order. All else stays as it is, byte for byte, comments too; the file has the same
// digest, and another Fix finds nothing to do. A file with errors, and JSON, stay as they are.
func Fix(file string, source []byte) ([]byte, []Change) {
	mark, text := "", string(source)
	if strings.HasPrefix(text, "\uFEFF") {
		mark, text = text[:len("\uFEFF")], text[len("\uFEFF"):]
	}
	first := fixable(file, text)
	if first == nil {
		return source, nil
	}
	var changes []Change
	for _, step := range []func(*spec.Spec, []string) []edit{quoteWords, wrapDescriptions} {
		if now := fixable(file, text); now != nil {
			var done []Change
			text, done = applyAll(file, text, now, step(now, lineUp(text)))
			changes = append(changes, done...)
		}
	}
	if ordered, ok := orderKeys(file, text, first); ok {
		text = ordered
		changes = append(changes, Change{first.Root().Pos(), "put the keys into the format's order"})
	}
	if len(changes) == 0 {
		return source, nil
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return a.Pos.Line - b.Pos.Line })
	return []byte(mark + text), changes
}

// fixable is the spec of a text that may be mended; nil if it may not.
func fixable(file, text string) *spec.Spec {
	if strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") || strings.HasPrefix(strings.TrimSpace(text), "{") {
		return nil
	}
	s, _ := spec.Parse(file, []byte(text))
	if s == nil || s.Draft() {
		return nil
	}
	return s
}

// lineUp are the lines of a text, each with its end.
func lineUp(text string) []string { return strings.SplitAfter(text, "\n") }

// edit puts other text in the place of a part of a line.
type edit struct {
	at       spec.Pos
	line     int // from 0
	from, to int // bytes of the line
	with     string
	what     string
}

// applyAll makes the edits, if the file still says the same; else those after which it does, one by one.
func applyAll(file, text string, s *spec.Spec, edits []edit) (string, []Change) {
	if len(edits) == 0 {
		return text, nil
	}
	if done := apply(text, edits); says(file, done, s) {
		return done, changesOf(edits)
	}
	var good []edit
	for _, e := range edits[:min(len(edits), maxSingleEdits)] {
		if says(file, apply(text, append(slices.Clone(good), e)), s) {
			good = append(good, e)
		}
	}
	return apply(text, good), changesOf(good)
}

// maxSingleEdits is how many edits are tried one by one.
const maxSingleEdits = 100

// says tells whether a text is a file that says what s does.
func says(file, text string, s *spec.Spec) bool {
	now, _ := spec.Parse(file, []byte(text))
	return now != nil && now.Digest == s.Digest && len(text) <= spec.MaxFileBytes
}

// apply makes edits of different parts of the text.
func apply(text string, edits []edit) string {
	lines := lineUp(text)
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from }) // the last of a line first: the others stay where they are
	for _, e := range edits {
		lines[e.line] = lines[e.line][:e.from] + e.with + lines[e.line][e.to:]
	}
	return strings.Join(lines, "")
}

func changesOf(edits []edit) []Change {
	var all []Change
	for _, e := range edits {
		all = append(all, Change{e.at, e.what})
	}
	return all
}

// startOf is where a place is in its line, in bytes; negative if the text has no such place.
func startOf(lines []string, at spec.Pos) int {
	if at.Line < 1 || at.Line > len(lines) {
		return -1
	}
	column := 1
	for i := range lines[at.Line-1] {
		if column == at.Column {
			return i
		}
		column++
	}
	return -1
}

// quoteWords quotes the words that are texts here and booleans to other readers of YAML.
func quoteWords(s *spec.Spec, lines []string) []edit {
	var edits []edit
	seen := map[spec.Pos]bool{} // what an alias brings in stands at its anchor
	eachPlain(s.Root(), func(at spec.Pos, word string) {
		from := startOf(lines, at)
		if seen[at] || !yesNo.MatchString(word) || from < 0 || !strings.HasPrefix(lines[at.Line-1][from:], word) {
			return
		}
		seen[at] = true
		edits = append(edits, edit{at, at.Line - 1, from, from + len(word), "'" + word + "'", "quoted " + word})
	})
	return edits
}

// eachPlain visits the texts of a section that stand there without quotes.
func eachPlain(s spec.Section, visit func(at spec.Pos, word string)) {
	for _, f := range s.Fields() {
		eachPlain(f.Value, visit)
	}
	for _, item := range s.Items() {
		eachPlain(item, visit)
	}
	if text, ok := s.Text(); ok && s.Plain() && s.Form() == spec.FormText {
		visit(text.Pos, text.Value)
	}
}
