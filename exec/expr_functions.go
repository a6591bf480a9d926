package exec

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/toolspec/toolspec/spec"
)

// function is a function of expressions. All of them are ours, those that the library has too: ours take null as the
// format says, keep digits, and are metered.
type function struct {
	args  []kinds // what each argument may be; null where a list is wanted is an empty one
	least int     // so many must be given
	rest  bool    // the last may be given again and again
	null  bool    // a first argument of null is the result
	gives func(args []*spec.Shape) *spec.Shape
	run   func(m *meter, args []any) (any, error)
}

// arg is what argument i may be.
func (f function) arg(i int) kinds { return f.args[min(i, len(f.args)-1)] }

// call checks the arguments and runs the function.
func (f function) call(name string, m *meter, args []any) (any, error) {
	for i, arg := range args {
		arg = number(jsonValue(arg))
		k, want := kindOf(arg), f.arg(i)
		switch {
		case k&want != 0:
		case k == isNull && i == 0 && f.null:
			return nil, nil
		case k == isNull && want&isList != 0:
			arg = []any{}
		case k == isNull:
			return nil, &operandError{i, fmt.Sprintf("is null; %s wants %s", name, want)}
		default:
			return nil, &operandError{i, fmt.Sprintf("is %s; %s wants %s", k, name, want)}
		}
		args[i] = arg
	}
	if err := m.spend(stepsPerItem); err != nil {
		return nil, err
	}
	return f.run(m, args)
}

// gives is the usual answer to what a function gives.
func gives(k kinds) func([]*spec.Shape) *spec.Shape {
	s := shapeOf(k)
	return func([]*spec.Shape) *spec.Shape { return s }
}

func givesList(items kinds) func([]*spec.Shape) *spec.Shape {
	s := listOf(shapeOf(items))
	return func([]*spec.Shape) *spec.Shape { return s }
}

// givesFirst is for what gives a list like the one it is given.
func givesFirst(args []*spec.Shape) *spec.Shape {
	if kindsOf(args[0]) == isAny {
		return listOf(nil)
	}
	return without(args[0], isNull)
}

// functions are those that expressions may call, beside the predicates (map, filter, …), which the library runs.
var functions = joined(textFunctions, numberFunctions, listFunctions, dateFunctions, jsonFunctions)

func joined(tables ...map[string]function) map[string]function {
	all := map[string]function{}
	for _, table := range tables {
		maps.Copy(all, table)
	}
	return all
}

// jsonValue is a value as JSON has it; what a Go function may give besides goes through JSON once.
func jsonValue(v any) any {
	if v == nil || kindOf(v) != 0 {
		return v
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	decoded, err := spec.ReadValue(text)
	if err != nil {
		return nil
	}
	return decoded
}
