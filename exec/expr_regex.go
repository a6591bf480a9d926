package exec

import (
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

// maxPattern is the longest regular expression: so no pattern from an input becomes a program of unreasonable size.
const maxPattern = 1_000

// What is searched without looking at the clock: no pattern so short takes long over a text so short.
const (
	shortText    = 1 << 10
	shortPattern = 100
)

// runesPerLook is how many characters a regular expression reads between two looks at the clock.
const runesPerLook = 64

// patternOf is the second argument as a regular expression; one that stands in the file is compiled already.
func patternOf(m *meter, arg any) (*regexp.Regexp, error) {
	if re, ok := arg.(*regexp.Regexp); ok {
		return re, nil
	}
	pattern := arg.(string)
	if len(pattern) > maxPattern {
		return nil, &operandError{1, "is too long for a regular expression, more than 1,000 bytes"}
	}
	if err := m.spend(10 * len(pattern)); err != nil {
		return nil, err
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, &operandError{1, "is no regular expression: " + strings.TrimPrefix(err.Error(), "error parsing regexp: ")}
	}
	return re, nil
}

// matches is the operator; of null it does not hold.
func matches(m *meter, args []any) (any, error) {
	if args[0] == nil || args[1] == nil {
		return false, nil
	}
	at, err := findPattern(m, args)
	return at != nil, err
}

// match gives the groups of the first match, the whole match first; a group that took no part is null. No match: null.
func match(m *meter, args []any) (any, error) {
	at, err := findPattern(m, args)
	if err != nil || at == nil {
		return nil, err
	}
	text := args[0].(string)
	groups := make([]any, len(at)/2)
	for i := range groups {
		if from, to := at[2*i], at[2*i+1]; from >= 0 {
			groups[i] = text[from:to]
		}
	}
	return groups, nil
}

// findPattern gives where the first match and its groups are. A short text is searched at once, which is faster; a
// longer one under the clock.
func findPattern(m *meter, args []any) ([]int, error) {
	for i, arg := range args {
		if _, compiled := arg.(*regexp.Regexp); !compiled && kindOf(arg) != isText {
			return nil, &operandError{i, "is " + kindOf(arg).String() + "; a text is wanted"}
		}
	}
	text := args[0].(string)
	re, err := patternOf(m, args[1])
	if err != nil {
		return nil, err
	}
	if len(text) <= shortText && len(re.String()) <= shortPattern {
		return re.FindStringSubmatchIndex(text), m.spend(1 + len(text))
	}
	r := &clockedText{m: m, text: text}
	at := re.FindReaderSubmatchIndex(r)
	if r.err != nil {
		return nil, r.err
	}
	return at, nil
}

func givesGroups([]*spec.Shape) *spec.Shape {
	return with(listOf(shapeOf(isText|isNull)), isNull)
}

// clockedText gives a text to a regular expression, which takes no context, rune by rune, and ends when the time is
// up.
type clockedText struct {
	m    *meter
	text string
	at   int
	read int
	err  error
}

func (r *clockedText) ReadRune() (c rune, size int, err error) {
	if r.read++; r.read%runesPerLook == 0 {
		if r.m.ctx.Err() != nil {
			r.err = exprTimeError(r.m.ctx)
		} else {
			r.err = r.m.spend(runesPerLook)
		}
	}
	if r.err != nil || r.at == len(r.text) {
		return 0, 0, io.EOF
	}
	if b := r.text[r.at]; b < utf8.RuneSelf {
		r.at++
		return rune(b), 1, nil
	}
	c, size = utf8.DecodeRuneInString(r.text[r.at:])
	r.at += size
	return c, size, nil
}
