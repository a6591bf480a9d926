package spec

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"
)

// Plain is a Go value as JSON has it: map[string]any, []any, string, [json.Number], bool or nil; except that []byte
// stays []byte. A time becomes RFC 3339; anything else is what encoding/json makes of it, with every digit of its
// numbers. What JSON has no form for (NaN, a channel) is an error, never null. What is plain already is not copied.
func Plain(v any) (any, error) { return plain(v, maxResultDepth) }

// maxResultDepth is how deep lists and maps of a result may hold each other; one that holds itself has no end.
const maxResultDepth = 1000

func plain(v any, depth int) (any, error) {
	switch typed := v.(type) {
	case nil, bool, string:
		return v, nil
	case json.Number:
		if !isJSONNumber(string(typed)) {
			return nil, NewError(CodeFailed, "%q is not a number that JSON has", string(typed))
		}
		return v, nil
	case []byte:
		if typed == nil {
			return nil, nil
		}
		return v, nil
	case time.Time:
		return typed.Format(time.RFC3339Nano), nil
	case int:
		return json.Number(strconv.Itoa(typed)), nil
	case float64:
		return plainFloat(typed)
	case map[string]any:
		return plainMap(typed, depth-1)
	case []any:
		return plainList(typed, depth-1)
	}
	return plainOther(v)
}

func plainFloat(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, NewError(CodeFailed, "the result holds %v, a number that JSON does not have", f)
	}
	text, err := json.Marshal(f)
	return json.Number(text), err
}

// plainMap copies only from the first value on that is not plain.
func plainMap(m map[string]any, depth int) (any, error) {
	if m == nil {
		return nil, nil
	}
	var out map[string]any
	for key, value := range m {
		p, err := plainInside(value, depth)
		if err != nil {
			return nil, err
		}
		if same(p, value) {
			continue
		}
		if out == nil {
			out = make(map[string]any, len(m))
		}
		out[key] = p
	}
	if out == nil {
		return m, nil
	}
	for key, value := range m {
		if _, done := out[key]; !done {
			out[key] = value
		}
	}
	return out, nil
}

func plainList(list []any, depth int) (any, error) {
	if list == nil {
		return nil, nil
	}
	var out []any
	for i, value := range list {
		p, err := plainInside(value, depth)
		if err != nil {
			return nil, err
		}
		if out == nil && !same(p, value) {
			out = append(make([]any, 0, len(list)), list[:i]...)
		}
		if out != nil {
			out = append(out, p)
		}
	}
	if out == nil {
		return list, nil
	}
	return out, nil
}

// plainInside is Plain for a value within another, where bytes have JSON's form only: base64.
func plainInside(v any, depth int) (any, error) {
	if b, ok := v.([]byte); ok {
		return plainOther(b)
	}
	if depth == 0 {
		return nil, NewError(CodeFailed, "the result is more than 1,000 levels deep, or holds itself")
	}
	return plain(v, depth)
}

// same tells whether Plain left a value as it was.
func same(plain, value any) bool {
	switch value := value.(type) {
	case nil, bool, string, json.Number:
		return true
	case map[string]any:
		p, ok := plain.(map[string]any)
		return ok && reflect.ValueOf(p).Pointer() == reflect.ValueOf(value).Pointer()
	case []any:
		p, ok := plain.([]any)
		return ok && len(p) == len(value) && (len(p) == 0 || &p[0] == &value[0])
	}
	return false
}

// plainOther goes through encoding/json, and through pointers and names that hide a time.
func plainOther(v any) (any, error) {
	if t, ok := v.(*time.Time); ok && t != nil {
		return Plain(*t)
	}
	text, err := encode(v)
	if err != nil {
		return nil, &Error{Code: CodeFailed, Message: "the result has no form in JSON: " + encodeFault(err), Err: err}
	}
	return decodePlain(text)
}

// decodePlain reads what encoding/json has written, or what has been looked at as it: its numbers are as large as they are.
func decodePlain(text []byte) (any, error) {
	r := valueReader{text: string(text), deepest: maxValueDepth, vast: true}
	return r.read()
}

func encodeFault(err error) string {
	const prefix = "json: "
	text := err.Error()
	if len(text) > len(prefix) && text[:len(prefix)] == prefix {
		return text[len(prefix):]
	}
	return text
}
