package spec

import (
	"errors"
	"unicode/utf8"
)

// decodeInput reads JSON that comes from a model, within the limits for inputs; plain when no number in it has a point
// or an exponent. A field given twice is refused: which one was meant, nobody knows.
func decodeInput(text string) (v any, plain bool, err error) {
	if len(text) > MaxInputBytes {
		return nil, false, NewError(CodeInvalidInput, "the input must be at most 1 MiB, was %d bytes", len(text))
	}
	if !utf8.ValidString(text) {
		return nil, false, NewError(CodeInvalidInput, "the input must be JSON in UTF-8, but holds bytes that are not")
	}
	r := valueReader{text: text, deepest: MaxInputDepth, once: true}
	if v, err = r.read(); err != nil {
		return nil, false, NewError(CodeInvalidInput, "%s", inputFault(err))
	}
	return v, !r.exact, nil
}

func inputFault(err error) string {
	var syntax syntaxError
	var followed followedError
	switch {
	case errors.As(err, &syntax):
		return "the input must be JSON: " + err.Error()
	case errors.As(err, &followed):
		return "the input must be one JSON value, but " + shownValue(string(followed)) + " follows it"
	case errors.Is(err, errDeep):
		return "the input must not be nested more than 500 deep"
	}
	return err.Error()
}
