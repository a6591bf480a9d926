package exec

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

var listFunctions = map[string]function{
	"len":       {args: []kinds{isList | isMap | isText | isBytes}, least: 1, gives: gives(isInt), run: length},
	"type":      {args: []kinds{isAny}, least: 1, gives: gives(isText), run: func(_ *meter, args []any) (any, error) { return typeName(args[0]), nil }},
	"first":     {args: []kinds{isList}, least: 1, gives: givesItem, run: func(m *meter, args []any) (any, error) { return field(args[0], 0) }},
	"last":      {args: []kinds{isList}, least: 1, gives: givesItem, run: func(m *meter, args []any) (any, error) { return field(args[0], -1) }},
	"get":       {args: []kinds{isList | isMap | isText, isScalar}, least: 2, null: true, run: func(m *meter, args []any) (any, error) { return field(args[0], args[1]) }},
	"take":      {args: []kinds{isList, isNumber}, least: 2, gives: givesFirst, run: take},
	"keys":      {args: []kinds{isMap | isList}, least: 1, gives: givesList(isText), run: entries(func(k string, _ any) any { return k })},
	"values":    {args: []kinds{isMap | isList}, least: 1, gives: givesList(isAny), run: entries(func(_ string, v any) any { return v })},
	"toPairs":   {args: []kinds{isMap | isList}, least: 1, gives: givesList(isList), run: entries(func(k string, v any) any { return []any{k, v} })},
	"fromPairs": {args: []kinds{isList}, least: 1, gives: gives(isMap), run: fromPairs},
	"reverse":   {args: []kinds{isList}, least: 1, gives: givesFirst, run: reverse},
	"uniq":      {args: []kinds{isList}, least: 1, gives: givesFirst, run: uniq},
	"concat":    {args: []kinds{isList}, least: 1, rest: true, gives: givesAllItems, run: concat},
	"flatten":   {args: []kinds{isList}, least: 1, gives: givesList(isAny), run: flatten},
	"sort":      {args: []kinds{isList, isText}, least: 1, gives: givesFirst, run: func(m *meter, args []any) (any, error) { return sorted(m, args[0].([]any), args[0].([]any), args[1:]) }},
}

func givesItem(args []*spec.Shape) *spec.Shape {
	if args[0] == nil {
		return nil
	}
	return with(args[0].Items, isNull)
}

func givesAllItems(args []*spec.Shape) *spec.Shape {
	all := givesFirst(args)
	for i := range args {
		all = listOf(either(all.Items, givesFirst(args[i:]).Items))
	}
	return all
}

// length of null is 0.
func length(_ *meter, args []any) (any, error) {
	switch v := args[0].(type) {
	case []any:
		return len(v), nil
	case map[string]any:
		return len(v), nil
	case []byte:
		return len(v), nil
	}
	return utf8.RuneCountInString(args[0].(string)), nil
}

func typeName(v any) string {
	switch k := kindOf(v); k {
	case isNull:
		return "nil"
	case isBool:
		return "bool"
	case isInt:
		return "int"
	case isFloat:
		return "float"
	case isText:
		return "string"
	case isList:
		return "array"
	case isMap:
		return "map"
	}
	return fmt.Sprintf("%T", v)
}

func take(_ *meter, args []any) (any, error) {
	n, err := wholeNumber(args, 1)
	list := args[0].([]any)
	n = max(0, min(n, len(list)))
	return list[:n:n], err
}

// entries is for keys, values and toPairs, in the order of the keys.
func entries(of func(key string, value any) any) func(*meter, []any) (any, error) {
	return func(m *meter, args []any) (any, error) {
		object, ok := args[0].(map[string]any)
		if list, _ := args[0].([]any); !ok && len(list) > 0 {
			return nil, &operandError{0, "is a list; an object is wanted"}
		}
		if err := m.growBy(len(object), 3*itemBytes); err != nil {
			return nil, err
		}
		list := make([]any, 0, len(object))
		for _, k := range slices.Sorted(maps.Keys(object)) {
			list = append(list, of(k, object[k]))
		}
		return list, nil
	}
}

func fromPairs(m *meter, args []any) (any, error) {
	list := args[0].([]any)
	if err := m.growBy(len(list), 2*itemBytes); err != nil {
		return nil, err
	}
	object := make(map[string]any, len(list))
	for i, item := range list {
		pair, ok := item.([]any)
		if !ok || len(pair) != 2 {
			return nil, &operandError{0, fmt.Sprintf("has at %d %s; a list of two, key and value, is wanted", i, kindOf(item))}
		}
		k, err := keyText(number(pair[0]))
		if err != nil {
			return nil, &operandError{0, "has a key that is " + kindOf(pair[0]).String()}
		}
		object[k] = pair[1]
	}
	return object, nil
}

func reverse(m *meter, args []any) (any, error) {
	list := slices.Clone(args[0].([]any))
	slices.Reverse(list)
	return list, m.growBy(len(list), itemBytes)
}

// uniq keeps the first of those that are the same JSON.
func uniq(m *meter, args []any) (any, error) {
	seen := map[string]bool{}
	list := []any{}
	for _, item := range args[0].([]any) {
		text, err := m.text(number(item))
		if err != nil {
			return nil, err
		}
		if err := m.grow(len(text) + 2*itemBytes); err != nil {
			return nil, err
		}
		key := text
		if kindOf(item) == isText {
			key = "text " + text
		}
		if !seen[key] {
			seen[key] = true
			list = append(list, item)
		}
	}
	return list, nil
}

func concat(m *meter, args []any) (any, error) {
	all := []any{}
	for _, arg := range args {
		list := arg.([]any)
		if err := m.growBy(len(list), itemBytes); err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func flatten(m *meter, args []any) (any, error) {
	all := []any{}
	err := m.each(args, func(v any) error {
		all = append(all, v)
		return m.grow(itemBytes)
	})
	return all, err
}

// sorted is a list in the order of its keys, one for each item.
func sorted(m *meter, list, keys []any, options []any) (any, error) {
	descending, err := isDescending(options)
	if err != nil {
		return nil, err
	}
	if err := m.growBy(len(list), 2*itemBytes); err != nil {
		return nil, err
	}
	places := make([]int, len(list))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		if err != nil {
			return 0
		}
		var c int
		if c, err = order(m, keys[a], keys[b]); descending {
			c = -c
		}
		return c
	})
	if err != nil {
		return nil, fmt.Errorf("the items have no order: %w", err)
	}
	all := make([]any, len(list))
	for i, at := range places {
		all[i] = list[at]
	}
	return all, nil
}

func isDescending(options []any) (bool, error) {
	if len(options) == 0 {
		return false, nil
	}
	switch options[0] {
	case "asc":
		return false, nil
	case "desc":
		return true, nil
	}
	return false, fmt.Errorf(`the order is %s; want "asc" or "desc"`, describe(options[0]))
}
