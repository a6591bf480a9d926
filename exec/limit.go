package exec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// limitConfig is result.limit.
type limitConfig struct {
	Bytes spec.Bytes `spec:"bytes" doc:"How much text and JSON the result may hold, such as 64KiB."`
	Items int        `spec:"items" doc:"How many entries each of its lists may hold."`
}

// Grammars says how few the items may be.
func (limitConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"items": {"minimum": 1}}
}

// limit is how large a result may be: so much text and JSON in all, so many entries in a list. Pictures, documents,
// sounds and other bytes cannot be shortened and do not count.
type limit struct {
	bytes  int
	items  int // 0: as many as there is room for
	rest   string
	output *spec.Schema
}

func (s *Site) compileLimit(c limitConfig) (limit, spec.Diagnostics) {
	l := limit{bytes: int(s.Env.Policy.Defaults.Output), items: c.Items, rest: howToGetTheRest(s.Spec.Input), output: s.Spec.Output}
	if c.Bytes != 0 {
		l.bytes = int(c.Bytes)
	}
	var ds spec.Diagnostics
	if most := s.Env.Policy.Limits.Output; c.Bytes > most {
		ds = append(ds, s.Spec.Result.Get("limit").Get("bytes").Errorf("limit", "want at most %d bytes, which is the operator's limit, have %d%s", most, c.Bytes,
			s.Env.Policy.toAllow("write limits: {output: %d}", c.Bytes)))
	}
	items := s.Spec.Result.Get("limit").Get("items")
	text, _ := items.Text()
	if n, err := strconv.Atoi(text.Value); err == nil && n < 1 {
		ds = append(ds, items.Want("a number from 1 on"))
	}
	return l, ds
}

// pagers are names that parameters for a part of a result go by.
var pagers = []string{
	"limit", "offset", "page", "page_size", "pageSize", "per_page", "cursor", "after", "before", "start", "end", "from", "to",
	"since", "until", "first", "last", "count", "max", "max_results", "maxResults", "head", "tail", "lines", "skip", "top", "filter", "query", "fields",
}

func howToGetTheRest(input *spec.Schema) string {
	shape := input.Shape()
	var names []string
	for _, name := range pagers {
		if _, ok := shape.Fields[name]; ok {
			names = append(names, "`"+name+"`")
		}
	}
	switch {
	case len(names) > 0:
		return "ask for the rest, or for less, with " + strings.Join(names, ", ")
	case len(shape.Fields) > 0 || shape.Open:
		return "to see the rest, ask for less at a time with a narrower input"
	}
	return "the tool has no parameter to ask for the rest"
}

// noteRoom is what is kept free of a result's bytes for saying what was left out.
const noteRoom = 400

// apply shortens what is too large, and says so.
func (l limit) apply(r *spec.ToolResult) {
	total, most := 0, l.bytes
	for _, c := range r.Content {
		total += sizeOf(c)
	}
	switch {
	case total > l.bytes:
		most = share(r.Content, max(l.bytes-noteRoom, l.bytes/2))
	case l.items == 0:
		return
	}
	var notes []string
	for i := range r.Content {
		if note := l.shorten(r, i, most); note != "" {
			notes = append(notes, note)
		}
	}
	if len(notes) > 0 {
		note := strings.Join(notes, "; ")
		if len(note) > noteRoom-len(l.rest)-20 {
			note = note[:runeStart(note, max(0, noteRoom-len(l.rest)-20))] + "…"
		}
		r.Content = append(r.Content, spec.TextBlock("[Shortened: "+note+"; "+l.rest+"]"))
	}
}

// sizeOf is how much of a block counts.
func sizeOf(c spec.Content) int {
	switch {
	case c.Text != nil:
		return len(*c.Text)
	case c.Resource != nil:
		return len(c.Resource.Text)
	}
	return len(c.JSON)
}

// share is how large each block may be so that all together are at most so many bytes: the small ones stay whole, the
// large ones get what is left, in equal parts.
func share(blocks []spec.Content, most int) int {
	sizes := make([]int, len(blocks))
	for i, c := range blocks {
		sizes[i] = sizeOf(c)
	}
	slices.Sort(sizes)
	for i, size := range sizes {
		if part := most / (len(sizes) - i); size > part {
			return part
		}
		most -= size
	}
	return most
}

// shorten shortens one block to so many bytes; the note says what is missing, unless the block itself does.
func (l limit) shorten(r *spec.ToolResult, i, most int) (note string) {
	c := r.Content[i]
	switch {
	case c.Text != nil && len(*c.Text) > most:
		r.Content[i] = spec.TextBlock(l.shortText(*c.Text, most))
		r.Metadata.Truncated = true
	case c.Resource != nil && len(c.Resource.Text) > most:
		resource := *c.Resource
		resource.Text = l.shortText(resource.Text, most)
		r.Content[i] = spec.Content{Resource: &resource}
		r.Metadata.Truncated = true
	case c.JSON != nil && (len(c.JSON) > most || l.items > 0):
		return l.shortenJSON(r, i, most)
	}
	return ""
}

func (l limit) shortenJSON(r *spec.ToolResult, i, most int) (note string) {
	whole, err := spec.Plain(r.Content[i].JSON)
	if err != nil {
		return ""
	}
	s := shortJSON(whole, l.items, most)
	if s.nothing() {
		return ""
	}
	block, err := spec.JSONBlock(s.value)
	if err != nil {
		return ""
	}
	note = s.note(len(r.Content[i].JSON), len(block.JSON))
	r.Metadata.Truncated = true
	r.Content[i] = block
	if len(r.Content) == 1 && r.Value != nil && (l.output == nil || l.output.Validate(s.value) == nil) {
		r.Value = s.value
	}
	return note
}

// shortText keeps the beginning and the end of a text, whole lines where it has them, and says what is missing where it
// is missing.
func (l limit) shortText(text string, most int) string {
	const about = 40 // for the figures
	keep := max(0, most-len(l.rest)-about-noteRoom/10)
	head := text[:runeStart(text, keep/2)]
	tail := text[runeStart(text, len(text)-keep/2):]
	if end := strings.LastIndexByte(head, '\n'); end > len(head)*3/4 {
		head = head[:end+1]
	}
	if start := strings.IndexByte(tail, '\n'); start >= 0 && start < len(tail)/4 {
		tail = tail[start+1:]
	}
	left := len(text) - len(head) - len(tail)
	return fmt.Sprintf("%s\n[… %s of %s bytes left out here; %s …]\n%s", head, thousands(left), thousands(len(text)), l.rest, tail)
}

// runeStart is the nearest offset at or before i at which a character starts.
func runeStart(text string, i int) int {
	for i > 0 && i < len(text) && text[i]&0xC0 == 0x80 {
		i--
	}
	return i
}

// thousands is a number with commas.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
