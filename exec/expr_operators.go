package exec

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"
)

// operandError is something wrong with one operand of an operator, which the expression can name.
type operandError struct {
	operand int
	reason  string
}

func (e *operandError) Error() string { return fmt.Sprintf("operand %d %s", e.operand+1, e.reason) }

var errOverflow = errors.New("a result that is larger than 64 bits hold")

// add is +, for numbers, texts, and dates with durations.
func add(m *meter, args []any) (any, error) {
	switch a := args[0].(type) {
	case string:
		if b, ok := args[1].(string); ok {
			return a + b, m.grow(len(a) + len(b))
		}
	case time.Time:
		if b, ok := args[1].(time.Duration); ok {
			return a.Add(b), nil
		}
	case time.Duration:
		switch b := args[1].(type) {
		case time.Time:
			return b.Add(a), nil
		case time.Duration:
			return arithmetic("+", int(a), int(b), func(n int) any { return time.Duration(n) })
		}
	}
	return compute("+", args)
}

func subtract(m *meter, args []any) (any, error) {
	switch a := args[0].(type) {
	case time.Time:
		switch b := args[1].(type) {
		case time.Time:
			return a.Sub(b), nil
		case time.Duration:
			return a.Add(-b), nil
		}
	case time.Duration:
		if b, ok := args[1].(time.Duration); ok {
			return arithmetic("-", int(a), int(b), func(n int) any { return time.Duration(n) })
		}
	}
	return compute("-", args)
}

func multiply(m *meter, args []any) (any, error) {
	d, times := args[0], args[1]
	if _, ok := times.(time.Duration); ok {
		d, times = times, d
	}
	if d, ok := d.(time.Duration); ok {
		switch n := number(times).(type) {
		case int:
			return arithmetic("*", int(d), n, func(n int) any { return time.Duration(n) })
		case float64:
			if r := float64(d) * n; math.Abs(r) < math.MaxInt64 {
				return time.Duration(r), nil
			}
			return nil, errOverflow
		}
	}
	return compute("*", args)
}

// compute is an operator on two numbers.
func compute(op string, args []any) (any, error) {
	var whole [2]int
	var broken [2]float64
	ints := true
	for i, arg := range args {
		switch n := number(arg).(type) {
		case int:
			whole[i], broken[i] = n, float64(n)
		case float64:
			broken[i], ints = n, false
		case time.Month:
			whole[i], broken[i] = int(n), float64(n)
		case time.Weekday:
			whole[i], broken[i] = int(n), float64(n)
		default:
			return nil, notANumber(op, i, args)
		}
	}
	switch op {
	case "/":
		return quotient(broken)
	case "%":
		return remainder(whole, broken, ints)
	case "**", "^":
		return finite(math.Pow(broken[0], broken[1]))
	}
	if ints {
		return arithmetic(op, whole[0], whole[1], func(n int) any { return n })
	}
	switch op {
	case "+":
		return finite(broken[0] + broken[1])
	case "-":
		return finite(broken[0] - broken[1])
	}
	return finite(broken[0] * broken[1])
}

// notANumber is why operand i cannot be computed with.
func notANumber(op string, i int, args []any) error {
	switch v := args[i].(type) {
	case nil:
		return &operandError{i, "is null; give it a value with ??"}
	case json.Number:
		return &operandError{i, "is " + shorten(v.String(), 40) + ", which is more than 64 bits hold; only a plain ${path} keeps its digits"}
	case string:
		if other := kindOf(args[1-i]); op == "+" && other == isNull {
			return notANumber(op, 1-i, args)
		} else if op == "+" {
			return &operandError{1 - i, "is " + other.String() + " and the other is a text; string(…) makes a text of a value"}
		}
	}
	if other := args[1-i]; op == "+" && kindOf(other) == isText {
		return &operandError{i, "is " + kindOf(args[i]).String() + " and the other is a text; string(…) makes a text of a value"}
	}
	if op == "+" && kindOf(args[i]) == isList {
		return &operandError{i, "is a list; concat(a, b) joins lists"}
	}
	return &operandError{i, fmt.Sprintf("is %s; %s wants numbers", kindOf(args[i]), op)}
}

// arithmetic is +, - or * on integers, checked.
func arithmetic(op string, a, b int, as func(int) any) (any, error) {
	var r int
	ok := true
	switch op {
	case "+":
		r = a + b
		ok = (r > a) == (b > 0)
	case "-":
		r = a - b
		ok = (r < a) == (b > 0)
	default:
		r = a * b
		ok = a == 0 || (r/a == b && !(a == -1 && b == math.MinInt))
	}
	if !ok {
		return nil, errOverflow
	}
	return as(r), nil
}

func quotient(n [2]float64) (any, error) {
	if n[1] == 0 {
		return nil, &operandError{1, "is 0; nothing can be divided by it"}
	}
	return finite(n[0] / n[1])
}

func remainder(n [2]int, broken [2]float64, ints bool) (any, error) {
	if !ints {
		for i := range n {
			if broken[i] != math.Trunc(broken[i]) || math.Abs(broken[i]) >= 1<<63 {
				return nil, &operandError{i, "is not a whole number; % wants integers"}
			}
			n[i] = int(broken[i])
		}
	}
	if n[1] == 0 {
		return nil, &operandError{1, "is 0; nothing can be divided by it"}
	}
	if n[1] == -1 {
		return 0, nil
	}
	return n[0] % n[1], nil
}

// finite refuses what JSON has no number for.
func finite(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, errors.New("the result is no number, or larger than numbers go")
	}
	return f, nil
}

func negate(m *meter, args []any) (any, error) {
	switch n := number(args[0]).(type) {
	case int:
		return arithmetic("-", 0, n, func(n int) any { return n })
	case float64:
		return -n, nil
	case time.Duration:
		return -n, nil
	case nil:
		return nil, &operandError{0, "is null; give it a value with ??"}
	}
	return nil, &operandError{0, fmt.Sprintf("is %s; - wants a number", kindOf(args[0]))}
}

func plus(m *meter, args []any) (any, error) {
	v := number(args[0])
	if kindOf(v)&(isNumber|isDuration) == 0 {
		return nil, &operandError{0, fmt.Sprintf("is %s; + wants a number", kindOf(v))}
	}
	return v, nil
}

// truth is a value where a boolean is wanted: null counts as false.
func truth(m *meter, args []any) (any, error) {
	switch v := args[0].(type) {
	case bool:
		return v, nil
	case nil:
		return false, nil
	}
	return nil, &operandError{0, "is " + kindOf(args[0]).String() + "; a boolean is wanted here"}
}

// shorten is a text of at most n characters or so, for messages.
func shorten(s string, n int) string {
	runes := []rune(s[:min(len(s), 4*n)])
	if len(runes) <= n && len(s) <= 4*n {
		return s
	}
	return string(runes[:min(len(runes), n)]) + "…"
}
