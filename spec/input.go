package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// decodeInput reads JSON that comes from outside, within the limits for inputs; plain when no number in it has a
// point or an exponent. A field given twice is refused: which one was meant, nobody knows.
func decodeInput(text []byte) (v any, plain bool, err error) {
	if len(text) > MaxInputBytes {
		return nil, false, NewError(CodeInvalidInput, "the input must be at most 1 MiB, was %d bytes", len(text))
	}
	if !utf8.Valid(text) {
		return nil, false, NewError(CodeInvalidInput, "the input must be JSON in UTF-8, but holds bytes that are not")
	}
	s := scan{text: text, plain: true}
	if fault := s.run(); fault != "" {
		return nil, false, NewError(CodeInvalidInput, "%s", fault)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, false, NewError(CodeInvalidInput, "the input must be JSON: %s", jsonFault(err))
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return nil, false, NewError(CodeInvalidInput, "the input must be one JSON value, but %s follows it", shownValue(string(rest)))
	}
	if countFields(v) != s.fields {
		return nil, false, NewError(CodeInvalidInput, "%s", twiceGiven(text))
	}
	return v, s.plain, nil
}

func jsonFault(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// scan looks over JSON before it is decoded, for what decoding does not limit. It need not find syntax errors.
type scan struct {
	text   []byte
	depth  int
	fields int // how many there are, the twice given counted twice
	plain  bool
}

// run says what is wrong; empty if nothing is.
func (s *scan) run() string {
	for i := 0; i < len(s.text); i++ {
		switch c := s.text[i]; c {
		case '"':
			i = s.stringEnd(i)
		case '{', '[':
			if s.depth++; s.depth > MaxInputDepth {
				return "the input must not be nested more than 500 deep"
			}
		case '}', ']':
			s.depth--
		case ':':
			s.fields++
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			end := s.numberEnd(i)
			if fault := s.number(string(s.text[i:end])); fault != "" {
				return fault
			}
			i = end - 1
		}
	}
	return ""
}

func (s *scan) stringEnd(i int) int {
	for i++; i < len(s.text) && s.text[i] != '"'; i++ {
		if s.text[i] == '\\' {
			i++
		}
	}
	return i
}

func (s *scan) numberEnd(i int) int {
	for ; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c >= '0' && c <= '9', c == '-', c == '+':
		case c == '.', c == 'e', c == 'E':
			s.plain = false
		default:
			return i
		}
	}
	return i
}

// number says why a number is refused; empty if it is not.
func (s *scan) number(text string) string {
	if text == "-0" {
		s.plain = false
	}
	if len(text) < 4 {
		return ""
	}
	if s.plain && len(text) <= MaxDigits {
		return ""
	}
	if fault := numberFault(text); fault != "" {
		return "the number " + shownValue(json.Number(text)) + " is refused: " + fault
	}
	return ""
}

// countFields counts the fields of all objects in a value.
func countFields(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		n = len(v)
		for _, inner := range v {
			n += countFields(inner)
		}
	case []any:
		for _, inner := range v {
			n += countFields(inner)
		}
	}
	return n
}

// twiceGiven names the first field that is given twice.
func twiceGiven(text []byte) string {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if name, ok := twiceIn(d); ok {
		return "field `" + name + "` is given twice; give it once"
	}
	return "a field is given twice; give it once"
}

func twiceIn(d *json.Decoder) (string, bool) {
	token, _ := d.Token()
	open, ok := token.(json.Delim)
	if !ok {
		return "", false
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			key, _ := d.Token()
			name, _ := key.(string)
			if seen[name] {
				return name, true
			}
			seen[name] = true
		}
		if name, ok := twiceIn(d); ok {
			return name, true
		}
	}
	_, _ = d.Token()
	return "", false
}
