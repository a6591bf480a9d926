package exec

import (
	"fmt"
	"strings"

	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
)

// library is all that a rewritten expression calls, as expr-lang takes it. Never changed once made.
var library = newLibrary()

func newLibrary() conf.FunctionsTable {
	table := conf.FunctionsTable{}
	add := func(name string, run func(m *meter, args []any) (any, error)) {
		table[name] = &builtin.Function{Name: name, Func: func(params ...any) (any, error) {
			return run(params[0].(*meter), params[1:])
		}}
	}
	for name, f := range functions {
		add(name, func(m *meter, args []any) (any, error) { return f.call(name, m, args) })
	}
	for name, run := range operators {
		add(name, run)
	}
	return table
}

// operators are the functions that only rewriting calls.
var operators = map[string]func(m *meter, args []any) (any, error){
	"+":  add,
	"-":  subtract,
	"*":  multiply,
	"/":  func(_ *meter, args []any) (any, error) { return compute("/", args) },
	"%":  func(_ *meter, args []any) (any, error) { return compute("%", args) },
	"**": func(_ *meter, args []any) (any, error) { return compute("**", args) },
	"^":  func(_ *meter, args []any) (any, error) { return compute("**", args) },
	"==": func(m *meter, args []any) (any, error) { return equal(m, args[0], args[1]) },
	"!=": func(m *meter, args []any) (any, error) {
		same, err := equal(m, args[0], args[1])
		return !same, err
	},
	"<":          comparison(func(c int) bool { return c < 0 }),
	">":          comparison(func(c int) bool { return c > 0 }),
	"<=":         comparison(func(c int) bool { return c <= 0 }),
	">=":         comparison(func(c int) bool { return c >= 0 }),
	"in":         in,
	"matches":    matches,
	"contains":   onTexts("contains", strings.Contains),
	"startsWith": onTexts("startsWith", strings.HasPrefix),
	"endsWith":   onTexts("endsWith", strings.HasSuffix),
	"..":         rangeOf,
	fnName:       name,
	fnField:      func(_ *meter, args []any) (any, error) { return field(args[0], args[1]) },
	fnSlice:      slice,
	fnMethod:     callMethod,
	fnItem:       func(_ *meter, args []any) (any, error) { return number(args[0]), nil },
	fnList:       list,
	fnTick:       func(m *meter, args []any) (any, error) { return args[0], m.turn(itemBytes) },
	fnMade:       func(m *meter, args []any) (any, error) { return args[0], m.growBy(args[1].(int), itemBytes) },
	fnTest:       test,
	fnTruth:      truth,
	fnKey:        func(_ *meter, args []any) (any, error) { return keyText(number(args[0])) },
	fnSum:        sum,
	fnSortBy:     func(m *meter, args []any) (any, error) { return sorted(m, args[0].([]any), args[1].([]any), args[2:]) },
	fnGroup:      groupBy,
	fnNegate:     negate,
	fnPlus:       plus,
	fnSecret:     secretValue,
	fnIfKept:     secretOrNull,
}

// name is the value of a name in scope.
func name(m *meter, args []any) (any, error) {
	v, _ := m.vars.Get(args[0].(string))
	return number(jsonValue(v)), nil
}

// turn counts one turn of a predicate, and the room its result takes.
func (m *meter) turn(bytes int) error {
	m.bytes -= bytes
	if m.bytes < 0 {
		return m.grow(-1)
	}
	return m.spend(stepsPerItem)
}

func test(m *meter, args []any) (any, error) {
	if err := m.turn(0); err != nil {
		return nil, err
	}
	return truth(m, args)
}

// list is what a predicate goes through; null is an empty list.
func list(_ *meter, args []any) (any, error) {
	switch v := jsonValue(args[0]).(type) {
	case nil:
		return []any{}, nil
	case []any:
		return v, nil
	case map[string]any:
		return nil, &operandError{0, "is an object; a list is wanted: toPairs(…), keys(…) or values(…) make one"}
	default:
		return nil, &operandError{0, "is " + kindOf(v).String() + "; a list is wanted"}
	}
}

// in asks whether a list holds a value, or an object a key; null holds nothing.
func in(m *meter, args []any) (any, error) {
	switch within := jsonValue(args[1]).(type) {
	case nil:
		return false, nil
	case []any:
		for _, item := range within {
			if same, err := equal(m, args[0], item); same || err != nil {
				return same, err
			}
		}
		return false, nil
	case map[string]any:
		if args[0] == nil {
			return false, nil
		}
		k, err := keyText(args[0])
		_, ok := within[k]
		return ok, err
	case string:
		return nil, &operandError{1, `is a text; write text contains "part"`}
	}
	return nil, &operandError{1, "is " + kindOf(args[1]).String() + "; in wants a list or an object"}
}

// onTexts is an operator on two texts; of null it does not hold.
func onTexts(op string, holds func(a, b string) bool) func(*meter, []any) (any, error) {
	ask := asksText(holds)
	return func(m *meter, args []any) (any, error) {
		for i, arg := range args {
			if kindOf(arg)&(isText|isNull) != 0 {
				continue
			}
			if _, ok := arg.([]any); ok && op == "contains" && i == 0 {
				return nil, &operandError{i, "is a list; write value in list"}
			}
			return nil, &operandError{i, fmt.Sprintf("is %s; %s wants texts", kindOf(arg), op)}
		}
		return ask(m, args)
	}
}

func rangeOf(m *meter, args []any) (any, error) {
	from, err := wholeNumber(args, 0)
	if err != nil {
		return nil, err
	}
	to, err := wholeNumber(args, 1)
	if err != nil {
		return nil, err
	}
	if to < from {
		return []any{}, nil
	}
	n := to - from + 1
	if n <= 0 {
		return nil, m.grow(-1)
	}
	if err := m.growBy(n, itemBytes); err != nil {
		return nil, err
	}
	all := make([]any, n)
	for i := range all {
		all[i] = from + i
	}
	return all, nil
}

// sum of nothing is 0; null is passed over.
func sum(m *meter, args []any) (any, error) {
	within, err := list(m, args)
	if err != nil {
		return nil, err
	}
	var total any = 0
	for _, item := range within.([]any) {
		if err := m.spend(1); err != nil {
			return nil, err
		}
		if item == nil {
			continue
		}
		if k := kindOf(item); k&(isNumber|isDuration) == 0 {
			return nil, &operandError{0, "holds " + k.String() + "; sum wants numbers"}
		}
		if _, first := total.(int); first && total == 0 {
			total = number(item)
			continue
		}
		if total, err = add(m, []any{total, item}); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// groupBy gives an object: under each key, as a text, the items that have it.
func groupBy(m *meter, args []any) (any, error) {
	items, keys := args[0].([]any), args[1].([]any)
	groups := map[string]any{}
	for i, item := range items {
		if err := m.grow(2 * itemBytes); err != nil {
			return nil, err
		}
		k, err := m.text(keys[i])
		if err != nil {
			return nil, err
		}
		group, _ := groups[k].([]any)
		groups[k] = append(group, item)
	}
	return groups, nil
}
