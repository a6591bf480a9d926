package exec

import "fmt"

// field is what stands under a key of a map, or at a place of a list or a text; negative places count from the end.
// There is nothing in null, and null where there is nothing.
func field(from, key any) (any, error) {
	switch from := jsonValue(from).(type) {
	case nil:
		return nil, nil
	case map[string]any:
		k, err := keyText(key)
		return number(from[k]), err
	case []any:
		if name, ok := key.(string); ok {
			return nil, &operandError{0, fmt.Sprintf("is a list and has no field %s; take an item, as in [0], or map(…, .%s)", shorten(name, 40), shorten(name, 40))}
		}
		i, err := place(key, len(from))
		if err != nil || i < 0 {
			return nil, err
		}
		return number(from[i]), nil
	case string:
		if _, ok := key.(string); ok {
			break
		}
		runes := []rune(from)
		i, err := place(key, len(runes))
		if err != nil || i < 0 {
			return nil, err
		}
		return string(runes[i]), nil
	}
	return nil, &operandError{0, fmt.Sprintf("is %s and has no fields", kindOf(from))}
}

// keyText is a key of a map; a number stands for its digits.
func keyText(key any) (string, error) {
	switch k := key.(type) {
	case string:
		return k, nil
	case bool, int, float64:
		return renderText(k), nil
	}
	return "", &operandError{1, fmt.Sprintf("is %s; a key is a text", kindOf(key))}
}

// place is an index into n things; negative when it is outside.
func place(key any, n int) (int, error) {
	if kindOf(key)&isNumber == 0 {
		return 0, &operandError{1, fmt.Sprintf("is %s; a list is indexed by whole numbers", describe(key))}
	}
	i, err := wholeNumber([]any{nil, key}, 1)
	if i < 0 {
		i += n
	}
	if err != nil || i < 0 || i >= n {
		return -1, err
	}
	return i, nil
}

// slice is from[a:b]; ends outside are moved inside, null ends are the ends.
func slice(m *meter, args []any) (any, error) {
	from := jsonValue(args[0])
	var runes []rune
	n := 0
	switch v := from.(type) {
	case nil:
		return nil, nil
	case string:
		if err := m.grow(4 * len(v)); err != nil {
			return nil, err
		}
		runes = []rune(v)
		n = len(runes)
	case []any:
		n = len(v)
	default:
		return nil, &operandError{0, fmt.Sprintf("is %s; only lists and texts have slices", kindOf(from))}
	}
	ends := [2]int{0, n}
	for i := range ends {
		if args[1+i] == nil {
			continue
		}
		at, err := wholeNumber(args, 1+i)
		if err != nil {
			return nil, err
		}
		if at < 0 {
			at += n
		}
		ends[i] = max(0, min(at, n))
	}
	a, b := min(ends[0], ends[1]), ends[1]
	if list, ok := from.([]any); ok {
		return list[a:b:b], nil
	}
	return string(runes[a:b]), nil
}
