package exec

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// kinds is a set of kinds of values: those that a value may be, or that a place takes.
type kinds uint16

const (
	isNull kinds = 1 << iota
	isBool
	isInt
	isFloat
	isText
	isList
	isMap
	isTime
	isDuration
	isZone
	isBytes
	isPattern // a regular expression that stands in the file, compiled

	isNumber = isInt | isFloat
	isScalar = isBool | isNumber | isText
	isAny    = isBytes<<1 - 1 // a pattern is no value
)

// kindWords are the kinds in words, by bit, and the names that a shape has for them: those of JSON, and ours.
var kindWords = [...]struct{ typ, words string }{
	{"null", "null"}, {"boolean", "a boolean"}, {"integer", "an integer"}, {"number", "a number"}, {"string", "a text"},
	{"array", "a list"}, {"object", "an object"}, {"time", "a date"}, {"duration", "a duration"}, {"timezone", "a time zone"},
	{"bytes", "bytes"}, {"", ""},
}

// String is the set in words: "a text or null".
func (k kinds) String() string {
	if k == isAny || k == 0 {
		return "anything"
	}
	if k&isNumber == isNumber {
		k &^= isInt
	}
	var words []string
	for i := len(kindWords) - 1; i >= 0; i-- {
		if k&(1<<i) != 0 && kindWords[i].words != "" {
			words = append(words, kindWords[i].words)
		}
	}
	return strings.Join(words, " or ")
}

// zone is a time zone; not a bare pointer, which the library's machine would look behind.
type zone struct{ *time.Location }

// kindOf is the kind of a value; 0 for what is not a value of expressions.
func kindOf(v any) kinds {
	switch v := v.(type) {
	case nil:
		return isNull
	case bool:
		return isBool
	case int, time.Month, time.Weekday:
		return isInt
	case float64:
		return isFloat
	case json.Number:
		if isWhole(v) {
			return isInt
		}
		return isFloat
	case string:
		return isText
	case []any:
		return isList
	case map[string]any:
		return isMap
	case time.Time:
		return isTime
	case time.Duration:
		return isDuration
	case zone:
		return isZone
	case []byte:
		return isBytes
	case *regexp.Regexp:
		return isPattern
	}
	return 0
}

func isWhole(n json.Number) bool { return !strings.ContainsAny(n.String(), ".eE") }

// number is a JSON number as expressions compute with it: an int where it fits, else a float64. What neither holds
// stays as it is, and only computing with it is an error.
func number(v any) any {
	n, ok := v.(json.Number)
	if !ok {
		return v
	}
	if isWhole(n) {
		if i, err := strconv.Atoi(n.String()); err == nil {
			return i
		}
		return n
	}
	if f, err := n.Float64(); err == nil {
		return f
	}
	return n
}

// fits tells whether a value that is one of k can be one of want; of a value that may be null the rest decides.
func (k kinds) fits(want kinds) bool { return k == isNull || k&^isNull&want != 0 }

// kindsOf is what a value of a shape may be.
func kindsOf(s *spec.Shape) kinds {
	if s == nil || len(s.Types) == 0 {
		return isAny
	}
	var k kinds
	for _, typ := range s.Types {
		for i, word := range kindWords {
			if word.typ == typ {
				k |= 1 << i
			}
		}
	}
	if k&isFloat != 0 {
		k |= isInt
	}
	return k
}

// shapeOf is the shape of a value that is one of these and of which no more is known.
func shapeOf(k kinds) *spec.Shape {
	if k == isAny {
		return nil
	}
	s := &spec.Shape{Open: k&isMap != 0}
	for i, word := range kindWords {
		if k&(1<<i) != 0 {
			s.Types = append(s.Types, word.typ)
		}
	}
	return s
}

// listOf is the shape of a list of such items.
func listOf(items *spec.Shape) *spec.Shape {
	return &spec.Shape{Types: []string{"array"}, Items: items}
}

// with is the shape of a value that may be k too; without, of one that is not k.
func with(s *spec.Shape, k kinds) *spec.Shape { return narrowed(s, kindsOf(s)|k) }

func without(s *spec.Shape, k kinds) *spec.Shape { return narrowed(s, kindsOf(s)&^k) }

func narrowed(s *spec.Shape, k kinds) *spec.Shape {
	if k == kindsOf(s) || s == nil || k == 0 {
		return s
	}
	n := *s
	n.Types = nil
	if k != isAny {
		n.Types = shapeOf(k).Types
	}
	return &n
}

// either is the shape of a value that has one of two shapes.
func either(a, b *spec.Shape) *spec.Shape {
	ka, kb := kindsOf(a), kindsOf(b)
	switch {
	case ka == isNull && kb != isNull:
		return with(b, isNull)
	case kb == isNull && ka != isNull:
		return with(a, isNull)
	case a == b:
		return a
	case ka == isAny || kb == isAny:
		return nil
	}
	s := shapeOf(ka | kb)
	if s == nil {
		return nil
	}
	s.Listed = a.Listed && b.Listed
	switch { // of two objects, or two lists, no more is known than that
	case ka&isMap == 0:
		s.Fields, s.Sure, s.Open = b.Fields, b.Sure, b.Open
	case kb&isMap == 0:
		s.Fields, s.Sure, s.Open = a.Fields, a.Sure, a.Open
	}
	switch {
	case ka&isList == 0:
		s.Items = b.Items
	case kb&isList == 0:
		s.Items = a.Items
	}
	return s
}
