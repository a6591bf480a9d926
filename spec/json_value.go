package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// ReadValue reads one JSON value from outside, such as a server's answer: map[string]any, []any, string, [json.Number],
// bool or nil. Of a field that is given twice the last counts. Its error says in a few words what is wrong.
func ReadValue(text []byte) (any, error) {
	r := valueReader{text: string(text), deepest: maxValueDepth}
	return r.read()
}

// ErrNoRoom tells that a value would take more memory than there is room for.
var ErrNoRoom = errors.New("its values take more memory than there is room for")

// ReadValueWithin is [ReadValue] for what may be large: of room, in bytes, it takes what its value takes in memory, about, beside the text, which
// the value's texts are parts of.
func ReadValueWithin(text string, room *int) (any, error) {
	r := valueReader{text: text, deepest: maxValueDepth, room: room}
	return r.read()
}

// What values take in memory, about. A map makes room for eight fields at once.
const (
	roomOfValue = 40
	roomOfList  = 32
	roomOfEntry = 40 // what lists leave behind when they grow included
	roomOfMap   = 64
	roomOfEight = 8 * 40
)

// spend takes of the room, if it is limited.
func (r *valueReader) spend(bytes int) bool {
	if r.room == nil {
		return true
	}
	if *r.room -= bytes; *r.room < 0 {
		r.refused = ErrNoRoom
		return false
	}
	return true
}

// valueReader reads JSON into values in one pass, within limits that encoding/json does not have, and in a third of its
// time: no call can do without. What is wrong with the syntax encoding/json says.
type valueReader struct {
	text    string
	at      int
	depth   int
	deepest int
	room    *int  // nil: as much as it takes
	once    bool  // a field given twice is refused: which one was meant, nobody knows
	vast    bool  // numbers may be of any size
	exact   bool  // some number has a point or an exponent, or is -0
	refused error // what is wrong beside the syntax
}

var errDeep = errors.New("it is nested too deep")

// syntaxError is what is wrong with text that is not JSON, followedError what stands behind its first value.
type (
	syntaxError   string
	followedError string
)

func (e syntaxError) Error() string   { return string(e) }
func (e followedError) Error() string { return "something follows the first value" }

func (r *valueReader) read() (any, error) {
	v, ok := r.value()
	switch r.space(); {
	case r.refused != nil:
		return nil, r.refused
	case !ok:
		return nil, syntaxFault(r.text)
	case r.at < len(r.text):
		return nil, followedError(r.text[r.at:])
	}
	return v, nil
}

// syntaxFault is what encoding/json says of text that is not JSON, in words from which it can be mended.
func syntaxFault(text string) error {
	var v any
	err := json.NewDecoder(strings.NewReader(text)).Decode(&v)
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return syntaxError("it ends too early")
	}
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return syntaxError(strings.TrimPrefix(err.Error(), "json: "))
	}
	at := min(max(0, int(syntax.Offset)-1), len(text))
	c, _ := utf8.DecodeRuneInString(text[at:])
	return syntaxError(fmt.Sprintf("at character %d, %s", 1+utf8.RuneCountInString(text[:at]), explainJSON(err.Error(), c)))
}

// space passes over white space and tells what stands behind it; 0 at the end.
func (r *valueReader) space() byte {
	for ; r.at < len(r.text); r.at++ {
		if c := r.text[r.at]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

// take passes over white space and one character, if it is this one.
func (r *valueReader) take(c byte) bool {
	if r.space() != c {
		return false
	}
	r.at++
	return true
}

func (r *valueReader) value() (v any, ok bool) {
	if !r.spend(roomOfValue) {
		return nil, false
	}
	switch c := r.space(); c {
	case '{', '[':
		if r.depth++; r.depth > r.deepest {
			r.refused = errDeep
			return nil, false
		}
		r.at++
		if c == '{' {
			v, ok = r.object()
		} else {
			v, ok = r.array()
		}
		r.depth--
		return v, ok
	case '"':
		return r.string()
	case 't':
		return true, r.word("true")
	case 'f':
		return false, r.word("false")
	case 'n':
		return nil, r.word("null")
	}
	return r.number()
}

func (r *valueReader) word(word string) bool {
	if !strings.HasPrefix(r.text[r.at:], word) {
		return false
	}
	r.at += len(word)
	return true
}

// object reads what follows an opening brace.
func (r *valueReader) object() (any, bool) {
	m := map[string]any{}
	if r.take('}') {
		return m, r.spend(roomOfMap)
	}
	for {
		if len(m)%8 == 0 && !r.spend(roomOfMap+roomOfEight) {
			return nil, false
		}
		if r.space() != '"' {
			return nil, false
		}
		name, ok := r.string()
		if !ok || !r.take(':') {
			return nil, false
		}
		v, ok := r.value()
		if !ok {
			return nil, false
		}
		before := len(m)
		if m[name] = v; r.once && len(m) == before {
			r.refused = errors.New("field `" + name + "` is given twice; give it once")
			return nil, false
		}
		if !r.take(',') {
			return m, r.take('}')
		}
	}
}

// array reads what follows an opening bracket.
func (r *valueReader) array() (any, bool) {
	list := []any{}
	if r.take(']') {
		return list, r.spend(roomOfList)
	}
	for {
		v, ok := r.value()
		if !ok || !r.spend(roomOfEntry) {
			return nil, false
		}
		list = append(list, v)
		if !r.take(',') {
			return list, r.take(']')
		}
	}
}

// string reads a text. One without escapes is a part of the whole; the others encoding/json reads.
func (r *valueReader) string() (text string, ok bool) {
	start, plain := r.at, true
	for r.at++; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			quoted := r.text[start:r.at]
			if plain && utf8.ValidString(quoted) {
				return quoted[1 : len(quoted)-1], true
			}
			if half := halfPair(quoted); half != "" && r.once {
				r.refused = errors.New("the input holds " + half + ", half of a surrogate pair, which is no character")
				return "", false
			}
			err := json.Unmarshal([]byte(quoted), &text)
			return text, err == nil
		case c == '\\':
			plain = false
			r.at++
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// number reads a number, and looks closer at one that may be beyond the limits.
func (r *valueReader) number() (any, bool) {
	end, exact := numberEnd(r.text[r.at:])
	text := r.text[r.at : r.at+end]
	r.exact = r.exact || exact
	if (exact || end > MaxDigits) && !r.vast {
		if fault := numberFault(text); fault != "" {
			r.refused = errors.New("the number " + shownValue(json.Number(text)) + " is refused: " + fault)
			return nil, false
		}
	}
	r.at += end
	return json.Number(text), end > 0
}

// numberEnd is the offset behind the number that a text starts with, 0 if it starts with none; exact tells whether it
// has a point or an exponent, or is -0.
func numberEnd(text string) (end int, exact bool) {
	if end < len(text) && text[end] == '-' {
		end++
	}
	switch whole := digitsEnd(text, end); {
	case whole == end:
		return 0, false
	case text[end] == '0': // nothing but a point or an exponent follows it
		exact = end > 0
		end++
	default:
		end = whole
	}
	if end < len(text) && text[end] == '.' {
		fraction := digitsEnd(text, end+1)
		if fraction == end+1 {
			return 0, false
		}
		end, exact = fraction, true
	}
	if end < len(text) && (text[end] == 'e' || text[end] == 'E') {
		start := end + 1
		if start < len(text) && (text[start] == '+' || text[start] == '-') {
			start++
		}
		exponent := digitsEnd(text, start)
		if exponent == start {
			return 0, false
		}
		end, exact = exponent, true
	}
	return end, exact
}

func digitsEnd(text string, at int) int {
	for at < len(text) && text[at] >= '0' && text[at] <= '9' {
		at++
	}
	return at
}
