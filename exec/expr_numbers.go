package exec

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

var numberFunctions = map[string]function{
	"int":     {args: []kinds{isNumber | isText}, least: 1, null: true, gives: gives(isInt), run: toInt},
	"float":   {args: []kinds{isNumber | isText}, least: 1, null: true, gives: gives(isFloat), run: toFloat},
	"abs":     {args: []kinds{isNumber}, least: 1, null: true, gives: givesNumber, run: absolute},
	"ceil":    rounds(math.Ceil),
	"floor":   rounds(math.Floor),
	"round":   rounds(math.Round),
	"max":     {args: []kinds{isAny}, least: 1, rest: true, run: extreme(func(c int) bool { return c > 0 })},
	"min":     {args: []kinds{isAny}, least: 1, rest: true, run: extreme(func(c int) bool { return c < 0 })},
	"mean":    {args: []kinds{isList | isNumber}, least: 1, rest: true, gives: gives(isFloat), run: mean},
	"median":  {args: []kinds{isList | isNumber}, least: 1, rest: true, gives: gives(isFloat), run: median},
	"bitand":  bits(func(x, y int) int { return x & y }),
	"bitor":   bits(func(x, y int) int { return x | y }),
	"bitxor":  bits(func(x, y int) int { return x ^ y }),
	"bitnand": bits(func(x, y int) int { return x &^ y }),
	"bitshl":  shifts(func(x int, by uint) int { return x << by }),
	"bitshr":  shifts(func(x int, by uint) int { return x >> by }),
	"bitushr": shifts(func(x int, by uint) int { return int(uint(x) >> by) }),
	"bitnot": {args: []kinds{isNumber}, least: 1, gives: gives(isInt), run: func(_ *meter, args []any) (any, error) {
		x, err := wholeNumber(args, 0)
		return ^x, err
	}},
}

func givesNumber(args []*spec.Shape) *spec.Shape {
	if k := kindsOf(args[0]) & isNumber; k != 0 {
		return shapeOf(k)
	}
	return shapeOf(isNumber)
}

func toInt(_ *meter, args []any) (any, error) {
	switch v := number(args[0]).(type) {
	case string:
		n, err := strconv.Atoi(strings.TrimSpace(v))
		if err != nil {
			return nil, &operandError{0, fmt.Sprintf("is %s, which is no whole number of at most 64 bits", describe(v))}
		}
		return n, nil
	case float64:
		if math.Abs(v) >= 1<<63 {
			return nil, errOverflow
		}
		return int(v), nil
	}
	return wholeNumber(args, 0)
}

func toFloat(_ *meter, args []any) (any, error) {
	if text, ok := args[0].(string); ok {
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, &operandError{0, fmt.Sprintf("is %s, which is no number", describe(text))}
		}
		return f, nil
	}
	return asFloat(args, 0)
}

// asFloat is argument i as a float64.
func asFloat(args []any, i int) (float64, error) {
	switch n := number(args[i]).(type) {
	case float64:
		return n, nil
	case int:
		return float64(n), nil
	}
	return 0, notANumber("float", i, append(args[:i+1:i+1], nil))
}

func absolute(_ *meter, args []any) (any, error) {
	switch n := number(args[0]).(type) {
	case float64:
		return math.Abs(n), nil
	case int:
		if n < 0 {
			return arithmetic("-", 0, n, func(n int) any { return n })
		}
		return n, nil
	}
	return asFloat(args, 0)
}

func rounds(f func(float64) float64) function {
	return function{args: []kinds{isNumber}, least: 1, null: true, gives: gives(isFloat), run: func(_ *meter, args []any) (any, error) {
		n, err := asFloat(args, 0)
		return f(n), err
	}}
}

// extreme is max and min: of its arguments, and of what is in those that are lists. Null is passed over; of nothing
// it is null.
func extreme(better func(c int) bool) func(*meter, []any) (any, error) {
	return func(m *meter, args []any) (any, error) {
		var best any
		err := m.each(args, func(v any) error {
			if v == nil {
				return nil
			}
			if best == nil {
				best = number(v)
				return nil
			}
			c, err := order(m, v, best)
			if err == nil && better(c) {
				best = number(v)
			}
			return err
		})
		return best, err
	}
}

// each visits the arguments, and what is in those that are lists, however deep.
func (m *meter) each(args []any, visit func(any) error) error {
	for _, arg := range args {
		list, ok := arg.([]any)
		if !ok {
			if err := visit(arg); err != nil {
				return err
			}
			continue
		}
		if err := m.enter(); err != nil {
			return err
		}
		err := m.each(list, visit)
		m.leave()
		if err != nil {
			return err
		}
	}
	return m.spend(len(args))
}

// floats are all the numbers among the arguments.
func (m *meter) floats(args []any) ([]float64, error) {
	var all []float64
	err := m.each(args, func(v any) error {
		f, err := asFloat([]any{v}, 0)
		all = append(all, f)
		if err != nil {
			return fmt.Errorf("among the numbers is %s", describe(v))
		}
		return m.grow(itemBytes)
	})
	return all, err
}

func mean(m *meter, args []any) (any, error) {
	all, err := m.floats(args)
	if err != nil || len(all) == 0 {
		return 0.0, err
	}
	var sum float64
	for _, f := range all {
		sum += f
	}
	return finite(sum / float64(len(all)))
}

func median(m *meter, args []any) (any, error) {
	all, err := m.floats(args)
	if err != nil || len(all) == 0 {
		return 0.0, err
	}
	slices.Sort(all)
	if half := len(all) / 2; len(all)%2 == 0 {
		return finite((all[half-1] + all[half]) / 2)
	}
	return all[len(all)/2], nil
}

func bits(f func(x, y int) int) function {
	return wholes(func(x, y int) (any, error) { return f(x, y), nil })
}

func shifts(f func(x int, by uint) int) function {
	return wholes(func(x, y int) (any, error) {
		if y < 0 {
			return nil, &operandError{1, "is negative; a shift cannot be"}
		}
		return f(x, uint(y)), nil
	})
}

// wholes is a function of two integers.
func wholes(f func(x, y int) (any, error)) function {
	return function{args: []kinds{isNumber, isNumber}, least: 2, gives: gives(isInt), run: func(_ *meter, args []any) (any, error) {
		x, err := wholeNumber(args, 0)
		if err != nil {
			return nil, err
		}
		y, err := wholeNumber(args, 1)
		if err != nil {
			return nil, err
		}
		return f(x, y)
	}}
}
