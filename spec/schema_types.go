package spec

import (
	"encoding/json"
	"math/bits"
	"strconv"
	"strings"
)

// typeNames are the types of JSON Schema.
var typeNames = []string{"object", "array", "string", "integer", "number", "boolean", "null"}

// typeSet is a set of JSON types. A number is an integer or a fraction.
type typeSet uint8

const (
	typeObject typeSet = 1 << iota
	typeArray
	typeString
	typeInteger
	typeFraction
	typeBoolean
	typeNull
	typeNumber = typeInteger | typeFraction
	typeAny    = 1<<iota - 1
)

var typesByName = map[string]typeSet{
	"object": typeObject, "array": typeArray, "string": typeString, "integer": typeInteger,
	"number": typeNumber, "boolean": typeBoolean, "null": typeNull,
}

// one is the name of the only type in the set; empty if there are several, or none.
func (t typeSet) one() string {
	if t == typeNumber {
		return "number"
	}
	if bits.OnesCount8(uint8(t)) != 1 {
		return ""
	}
	return t.names()[0]
}

// names are the types' names; a fraction goes by the name of number.
func (t typeSet) names() []string {
	var names []string
	for _, name := range typeNames {
		switch set := typesByName[name]; {
		case name == "integer" && t&typeNumber == typeInteger, name == "number" && t&typeFraction != 0:
			names = append(names, name)
		case set != typeInteger && set != typeNumber && t&set != 0:
			names = append(names, name)
		}
	}
	return names
}

// typeOf is the type of a JSON value.
func typeOf(v any) typeSet {
	switch v := v.(type) {
	case nil:
		return typeNull
	case bool:
		return typeBoolean
	case string:
		return typeString
	case []any:
		return typeArray
	case map[string]any:
		return typeObject
	case json.Number:
		if _, whole := wholeNumber(v); whole {
			return typeInteger
		}
	}
	return typeFraction
}

// wholeNumber writes a number that is an integer without point and exponent: 1.0 and 1e3 are 1 and 1000.
func wholeNumber(v any) (json.Number, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return "", false
	}
	text := string(n)
	if !strings.ContainsAny(text, ".eE") {
		if text == "-0" {
			return "0", true
		}
		return n, true
	}
	mantissa, exponent := splitExponent(text)
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	point := len(whole) + exponent // where the point stands among the digits
	if point < len(digits) {
		if strings.Trim(digits[max(point, 0):], "0") != "" {
			return "", false
		}
		digits = digits[:max(point, 0)]
	} else {
		digits += strings.Repeat("0", point-len(digits))
	}
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return "0", true
	}
	return json.Number(sign + digits), true
}

// splitExponent splits a number that is within the limits.
func splitExponent(number string) (mantissa string, exponent int) {
	i := strings.IndexAny(number, "eE")
	if i < 0 {
		return number, 0
	}
	exponent, _ = strconv.Atoi(number[i+1:]) // within ±400
	return number[:i], exponent
}
