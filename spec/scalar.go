package spec

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

var (
	coreFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	coreRadix = regexp.MustCompile(`^0(o[0-7]+|x[0-9a-fA-F]+)$`)
	coreNaN   = regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// plainForm is the form of an unquoted scalar by YAML 1.2's core schema.
func plainForm(text string) Form {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return FormNull
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return FormBool
	}
	if c := text[0]; c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') {
		return FormText
	}
	if coreFloat.MatchString(text) || coreRadix.MatchString(text) || coreNaN.MatchString(text) {
		return FormNumber
	}
	return FormText
}

// jsonNumber is a number of YAML's core schema as JSON writes it, its digits kept: no plus, no leading zeros, a digit
// on both sides of the point, base ten.
func jsonNumber(text string) string {
	if coreRadix.MatchString(text) {
		n, _ := new(big.Int).SetString(text, 0)
		return n.String()
	}
	sign := ""
	if text[0] == '-' || text[0] == '+' {
		sign, text = strings.TrimPrefix(text[:1], "+"), text[1:]
	}
	whole, rest := text, ""
	if i := strings.IndexAny(text, ".eE"); i >= 0 {
		whole, rest = text[:i], text[i:]
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if len(rest) > 0 && rest[0] == '.' && (len(rest) == 1 || rest[1] < '0' || rest[1] > '9') {
		rest = ".0" + rest[1:]
	}
	return sign + whole + rest
}

// numberFault says why a number is refused; empty if it is not.
func numberFault(text string) string {
	if coreNaN.MatchString(text) {
		return "JSON has no such number"
	}
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 && !coreRadix.MatchString(text) {
		mantissa, exponent = text[:i], text[i+1:]
	}
	if digits := strings.TrimLeft(mantissa, "+-"); len(digits)-strings.Count(digits, ".") > MaxDigits {
		return "more than 1,000 digits"
	}
	if exponent != "" {
		if e, err := strconv.Atoi(exponent); err != nil || e > MaxExponent || e < -MaxExponent {
			return "an exponent beyond ±400"
		}
	}
	return ""
}
