package exec

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

var textFunctions = map[string]function{
	"upper":      mapsText(strings.ToUpper),
	"lower":      mapsText(strings.ToLower),
	"trim":       {args: []kinds{isText, isText}, least: 1, null: true, gives: gives(isText), run: trim},
	"trimPrefix": {args: []kinds{isText, isText}, least: 1, null: true, gives: gives(isText), run: cutsText(strings.TrimPrefix)},
	"trimSuffix": {args: []kinds{isText, isText}, least: 1, null: true, gives: gives(isText), run: cutsText(strings.TrimSuffix)},
	"split":      {args: []kinds{isText, isText, isNumber}, least: 2, null: true, gives: givesList(isText), run: splitter(strings.SplitN)},
	"splitAfter": {args: []kinds{isText, isText, isNumber}, least: 2, null: true, gives: givesList(isText), run: splitter(strings.SplitAfterN)},
	"replace":    {args: []kinds{isText, isText, isText, isNumber}, least: 3, null: true, gives: gives(isText), run: replace},
	"repeat":     {args: []kinds{isText, isNumber}, least: 2, null: true, gives: gives(isText), run: repeat},
	"join":       {args: []kinds{isList, isText}, least: 1, gives: gives(isText), run: join},
	"indexOf":    {args: []kinds{isText, isText}, least: 2, null: true, gives: gives(isInt), run: finds(strings.Index)},
	"lastIndexOf": {args: []kinds{isText, isText}, least: 2, null: true, gives: gives(isInt),
		run: finds(strings.LastIndex)},
	"hasPrefix":  {args: []kinds{isText | isNull, isText | isNull}, least: 2, gives: gives(isBool), run: asksText(strings.HasPrefix)},
	"hasSuffix":  {args: []kinds{isText | isNull, isText | isNull}, least: 2, gives: gives(isBool), run: asksText(strings.HasSuffix)},
	"match":      {args: []kinds{isText, isText | isPattern}, least: 2, null: true, gives: givesGroups, run: match},
	"string":     {args: []kinds{isAny &^ isNull}, least: 1, null: true, gives: gives(isText), run: toText},
	"toBase64":   {args: []kinds{isText | isBytes}, least: 1, null: true, gives: gives(isText), run: toBase64},
	"fromBase64": {args: []kinds{isText}, least: 1, null: true, gives: gives(isText | isBytes), run: fromBase64},
}

// mapsText is a function from text to text that grows it little.
func mapsText(f func(string) string) function {
	return function{args: []kinds{isText}, least: 1, null: true, gives: gives(isText), run: func(m *meter, args []any) (any, error) {
		text := args[0].(string)
		if err := m.grow(3 * len(text)); err != nil {
			return nil, err
		}
		return f(text), nil
	}}
}

// asksText is an operator on two texts; of null it does not hold.
func asksText(f func(a, b string) bool) func(*meter, []any) (any, error) {
	return func(m *meter, args []any) (any, error) {
		a, ok := args[0].(string)
		b, ok2 := args[1].(string)
		return ok && ok2 && f(a, b), m.spend(len(a) / 64)
	}
}

func trim(m *meter, args []any) (any, error) {
	text := args[0].(string)
	if len(args) == 1 {
		return strings.TrimSpace(text), nil
	}
	chars := args[1].(string)
	return strings.Trim(text, chars), m.spend(len(text) * (1 + len(chars)/64) / 8)
}

// cutsText is for trimPrefix and trimSuffix, which without a second argument cut one space.
func cutsText(f func(text, part string) string) func(*meter, []any) (any, error) {
	return func(_ *meter, args []any) (any, error) {
		part := " "
		if len(args) == 2 {
			part = args[1].(string)
		}
		return f(args[0].(string), part), nil
	}
}

func splitter(f func(text, sep string, n int) []string) func(*meter, []any) (any, error) {
	return func(m *meter, args []any) (any, error) {
		text, sep, n := args[0].(string), args[1].(string), -1
		if len(args) == 3 {
			var err error
			if n, err = wholeNumber(args, 2); err != nil {
				return nil, err
			}
		}
		parts := 1 + strings.Count(text, sep)
		if n >= 0 {
			parts = min(parts, n)
		}
		if err := m.grow(len(text)/8 + parts*2*itemBytes); err != nil {
			return nil, err
		}
		found := f(text, sep, n)
		list := make([]any, len(found))
		for i, part := range found {
			list[i] = part
		}
		return list, nil
	}
}

func replace(m *meter, args []any) (any, error) {
	text, old, by, n := args[0].(string), args[1].(string), args[2].(string), -1
	if len(args) == 4 {
		var err error
		if n, err = wholeNumber(args, 3); err != nil {
			return nil, err
		}
	}
	times := strings.Count(text, old)
	if n >= 0 {
		times = min(times, n)
	}
	if err := m.growBy(times, len(by)); err != nil {
		return nil, err
	}
	if err := m.grow(len(text)); err != nil {
		return nil, err
	}
	return strings.Replace(text, old, by, n), nil
}

func repeat(m *meter, args []any) (any, error) {
	n, err := wholeNumber(args, 1)
	switch {
	case err != nil:
		return nil, err
	case n < 0:
		return nil, &operandError{1, "is negative; nothing can be repeated so often"}
	}
	text := args[0].(string)
	if err := m.growBy(n, len(text)); err != nil {
		return nil, err
	}
	return strings.Repeat(text, n), nil
}

func join(m *meter, args []any) (any, error) {
	var glue string
	if len(args) == 2 {
		glue = args[1].(string)
	}
	var b strings.Builder
	first := true
	for _, item := range args[0].([]any) {
		if item == nil {
			continue
		}
		text, err := m.text(item)
		if err != nil {
			return nil, err
		}
		if !first {
			text = glue + text
		}
		first = false
		if err := m.grow(len(text) + itemBytes); err != nil {
			return nil, err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// finds gives places in characters, as slices count them.
func finds(f func(text, part string) int) func(*meter, []any) (any, error) {
	return func(m *meter, args []any) (any, error) {
		text := args[0].(string)
		i := f(text, args[1].(string))
		if i > 0 {
			i = utf8.RuneCountInString(text[:i])
		}
		return i, m.spend(len(text) / 16)
	}
}

func toText(m *meter, args []any) (any, error) {
	switch v := args[0].(type) {
	case string:
		return v, nil
	case []byte:
		if !utf8.Valid(v) {
			return nil, errors.New("the bytes are not UTF-8 and so no text; toBase64(…) makes one")
		}
		return string(v), m.grow(len(v))
	case time.Month:
		return v.String(), nil
	case time.Weekday:
		return v.String(), nil
	}
	return m.text(args[0])
}

func toBase64(m *meter, args []any) (any, error) {
	data, ok := args[0].([]byte)
	if !ok {
		data = []byte(args[0].(string))
	}
	if err := m.grow(len(data)*4/3 + 4); err != nil {
		return nil, err
	}
	return base64.StdEncoding.EncodeToString(data), nil
}

// fromBase64 gives a text where the bytes are one.
func fromBase64(m *meter, args []any) (any, error) {
	text := args[0].(string)
	if err := m.grow(2 * len(text)); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(text)
	switch {
	case err != nil:
		return nil, &operandError{0, "is not base64"}
	case utf8.Valid(data):
		return string(data), nil
	}
	return data, nil
}

// wholeNumber is argument i as an int.
func wholeNumber(args []any, i int) (int, error) {
	switch n := number(args[i]).(type) {
	case int:
		return n, nil
	case float64:
		if n == float64(int(n)) {
			return int(n), nil
		}
	case time.Month:
		return int(n), nil
	case time.Weekday:
		return int(n), nil
	}
	return 0, &operandError{i, fmt.Sprintf("is %s; a whole number is wanted", describe(args[i]))}
}
