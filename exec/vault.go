package exec

import (
	"errors"
	"slices"
	"strings"
	"sync"
)

// vault holds the secrets that a call has read, and takes them out of what it says.
type vault struct {
	all *allSecrets // those of the whole program; nil: none

	mu       sync.Mutex
	values   map[string]string // by name
	forms    []form            // the longest first
	replacer *strings.Replacer // nil: to be made
}

// form is one way in which a secret may be written, and what is written instead.
type form struct{ text, instead string }

// What is shorter than leastMasked is not masked, since it would be found in everything; nor is a piece of a secret at a cut that
// is shorter than leastPiece, nor a line of one that is shorter than leastLine.
const (
	leastMasked = 6
	leastPiece  = 8
	leastLine   = 16 // of a secret of several lines
)

func (v *vault) value(name string) (string, bool) {
	if v == nil {
		return "", false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	value, ok := v.values[name]
	return value, ok
}

func (v *vault) keep(name, value string) {
	if v == nil {
		return
	}
	v.all.keep(name, value)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.values == nil {
		v.values = map[string]string{}
	}
	v.values[name] = value
	for _, part := range maskedParts(value) {
		v.cover(part, stubSecret(name))
	}
}

// maskedParts are a secret and what of it is as good: of a key, which programs write back line by line, or indented, its lines.
func maskedParts(value string) []string {
	parts := []string{value, strings.TrimSpace(value)}
	if !strings.ContainsAny(value, "\r\n") {
		return parts
	}
	for line := range strings.FieldsFuncSeq(value, func(c rune) bool { return c == '\r' || c == '\n' }) {
		if line = strings.TrimSpace(line); len(line) >= leastLine {
			parts = append(parts, line)
		}
	}
	return parts
}

// hide covers what was made of a secret and is as good as it.
func (v *vault) hide(text, instead string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.cover(text, instead)
}

func (v *vault) cover(text, instead string) {
	if len(text) < leastMasked {
		return
	}
	for _, t := range WrittenForms(text) {
		if len(t) >= leastMasked && !slices.ContainsFunc(v.forms, func(f form) bool { return f.text == t }) {
			v.forms = append(v.forms, form{t, instead})
		}
	}
	slices.SortStableFunc(v.forms, func(a, b form) int { return len(b.text) - len(a.text) })
	v.replacer = nil
}

// longest is how long the longest text is that is looked for.
func (v *vault) longest() int {
	if v == nil {
		return 0
	}
	longest := v.all.longest()
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.forms) > 0 {
		longest = max(longest, len(v.forms[0].text))
	}
	return longest
}

// isEmpty tells whether no secret is known: then nothing has to be looked through.
func (v *vault) isEmpty() bool {
	if v == nil {
		return true
	}
	if !v.all.isEmpty() {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.forms) == 0
}

// mask is a text without the secrets that the call has read, nor those that the program knows.
func (v *vault) mask(text string) string {
	if v == nil || text == "" {
		return text
	}
	return v.all.mask(v.maskRead(text))
}

// maskRead is a text without the secrets that the call has read.
func (v *vault) maskRead(text string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.forms) == 0 {
		return text
	}
	if v.replacer == nil {
		var pairs []string
		for _, f := range v.forms {
			pairs = append(pairs, f.text, f.instead)
		}
		v.replacer = strings.NewReplacer(pairs...)
	}
	return replaced(v.replacer, text)
}

// replaced copies a text only where there is something to replace: a text may be as large as an output.
func replaced(r *strings.Replacer, text string) string {
	same := sameText{rest: text}
	if _, err := r.WriteString(&same, text); err == nil && same.rest == "" {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	_, _ = r.WriteString(&b, text) // it fails for no builder
	return b.String()
}

// sameText fails as soon as what is written to it differs from a text.
type sameText struct{ rest string }

var errOther = errors.New("another text")

// WriteString takes what the text goes on with.
func (s *sameText) WriteString(part string) (int, error) {
	rest, ok := strings.CutPrefix(s.rest, part)
	if !ok {
		return 0, errOther
	}
	s.rest = rest
	return len(part), nil
}

// Write takes what the text goes on with.
func (s *sameText) Write(part []byte) (int, error) { return s.WriteString(string(part)) }

// beforeCut is what was kept before something that nobody kept, without the start of a secret at its end. Pieces are looked for
// nowhere else: who could have any text looked through for them would find a secret, character by character.
func (v *vault) beforeCut(b []byte) []byte {
	at := max(0, len(b)-v.longest())
	end := string(b[at:])
	if masked := v.maskEnd(end); masked != end {
		return append(b[:at:at], masked...)
	}
	return b
}

// afterCut is what was kept after something that nobody kept, without the end of a secret at its start.
func (v *vault) afterCut(b []byte) []byte {
	to := min(len(b), v.longest())
	start := string(b[:to])
	if masked := v.maskStart(start); masked != start {
		return append([]byte(masked), b[to:]...)
	}
	return b
}

// maskEnd takes out the start of a secret at the end of a text.
func (v *vault) maskEnd(text string) string {
	if v == nil {
		return text
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, f := range v.forms {
		for n := len(f.text) - 1; n >= leastPiece; n-- {
			if rest, found := strings.CutSuffix(text, f.text[:n]); found {
				return rest + f.instead
			}
		}
	}
	return text
}

// maskStart takes out the end of a secret at the start of a text.
func (v *vault) maskStart(text string) string {
	if v == nil {
		return text
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, f := range v.forms {
		for n := len(f.text) - 1; n >= leastPiece; n-- {
			if rest, found := strings.CutPrefix(text, f.text[len(f.text)-n:]); found {
				return f.instead + rest
			}
		}
	}
	return text
}

// holds tells whether a text has a secret in it.
func (v *vault) holds(text string) bool { return v.mask(text) != text }
