package main

import (
	"context"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

type calculatorInput struct {
	Expression string `json:"expression" jsonschema:"the expression, such as (12.5 + 3) * 4 / 7"`
}

type calculatorOutput struct {
	Value string `json:"value" jsonschema:"the value, exact where it has at most 30 digits"`
	Exact bool   `json:"exact" jsonschema:"whether the value is exact, or rounded"`
}

// calculation is one sum on its way.
type calculation struct {
	rounded bool // a function gave a value that may not be exact
}

// calculate computes with Go's exact constants; functions such as sqrt are floating point.
func calculate(_ context.Context, in calculatorInput) (calculatorOutput, error) {
	tree, err := parser.ParseExpr(in.Expression)
	if err != nil {
		return calculatorOutput{}, badSum("cannot be read: want something such as (12.5 + 3) * 4")
	}
	var c calculation
	v, err := c.evaluate(tree)
	if err != nil {
		return calculatorOutput{}, err
	}
	if v.Kind() == constant.Unknown {
		return calculatorOutput{}, badSum("the value is too large")
	}
	text, exact := decimal(v)
	return calculatorOutput{text, exact && !c.rounded}, nil
}

func badSum(format string, args ...any) error {
	return spec.NewError(spec.CodeInvalidInput, "Field `expression`: "+format, args...)
}

func (c *calculation) evaluate(e ast.Expr) (constant.Value, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.evaluate(e.X)
	case *ast.BasicLit:
		return literal(e)
	case *ast.Ident:
		if known, ok := constants[strings.ToLower(e.Name)]; ok {
			c.rounded = true
			return constant.MakeFloat64(known), nil
		}
		return nil, badSum("unknown name %s; known are pi and e", e.Name)
	case *ast.UnaryExpr:
		v, err := c.evaluate(e.X)
		if err != nil || e.Op != token.SUB && e.Op != token.ADD {
			return nil, orElse(err, "the operator %s is not known", e.Op)
		}
		return constant.UnaryOp(e.Op, v, 0), nil
	case *ast.BinaryExpr:
		return c.binary(e)
	case *ast.CallExpr:
		return c.apply(e)
	}
	return nil, badSum("only numbers, + - * / %%, parentheses and functions are known")
}

func orElse(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	return badSum(format, args...)
}

func literal(e *ast.BasicLit) (constant.Value, error) {
	if e.Kind != token.INT && e.Kind != token.FLOAT {
		return nil, badSum("%s is not a number", e.Value)
	}
	text := e.Value
	if e.Kind == token.INT && len(text) > 1 && text[0] == '0' && !strings.ContainsAny(text, "xXbBoO") {
		text = strings.TrimLeft(text, "0") // 010 is ten here, not Go's octal eight
		if text == "" {
			text = "0"
		}
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 && e.Kind == token.FLOAT {
		if exponent, err := strconv.Atoi(text[i+1:]); err != nil || exponent > 1000 || exponent < -1000 {
			return nil, badSum("%s is too large or too small", text)
		}
	}
	return constant.ToFloat(constant.MakeFromLiteral(text, e.Kind, 0)), nil
}

func (c *calculation) binary(e *ast.BinaryExpr) (constant.Value, error) {
	x, err := c.evaluate(e.X)
	if err != nil {
		return nil, err
	}
	y, err := c.evaluate(e.Y)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case token.ADD, token.SUB, token.MUL:
		return constant.ToFloat(constant.BinaryOp(x, e.Op, y)), nil
	case token.QUO, token.REM:
		if constant.Sign(y) == 0 {
			return nil, badSum("division by zero")
		}
		if e.Op == token.QUO {
			return constant.ToFloat(constant.BinaryOp(x, e.Op, y)), nil
		}
		xi, yi := constant.ToInt(x), constant.ToInt(y)
		if xi.Kind() != constant.Int || yi.Kind() != constant.Int {
			return nil, badSum("%% wants whole numbers on both sides")
		}
		return constant.ToFloat(constant.BinaryOp(xi, token.REM, yi)), nil
	case token.XOR:
		return nil, badSum("for powers write pow(x, y) instead of x ^ y")
	}
	return nil, badSum("the operator %s is not known", e.Op)
}

var constants = map[string]float64{"pi": math.Pi, "e": math.E}

var functionsOfOne = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "floor": math.Floor, "ceil": math.Ceil, "round": math.Round, "ln": math.Log,
	"log10": math.Log10, "exp": math.Exp, "sin": math.Sin, "cos": math.Cos, "tan": math.Tan,
}

// exactFunctions need no floating point, or only sometimes; a nil value says that they do.
var exactFunctions = map[string]struct {
	arguments int // -1: one or more
	apply     func(args []constant.Value) constant.Value
}{
	"abs": {1, func(args []constant.Value) constant.Value {
		if constant.Sign(args[0]) < 0 {
			return constant.UnaryOp(token.SUB, args[0], 0)
		}
		return args[0]
	}},
	"min": {-1, func(args []constant.Value) constant.Value { return outermost(args, token.LSS) }},
	"max": {-1, func(args []constant.Value) constant.Value { return outermost(args, token.GTR) }},
	"pow": {2, func(args []constant.Value) constant.Value { return power(args[0], args[1]) }},
}

func outermost(args []constant.Value, op token.Token) constant.Value {
	best := args[0]
	for _, v := range args[1:] {
		if constant.Compare(v, op, best) {
			best = v
		}
	}
	return best
}

// maxPowerDigits is how long a power may become that is computed exactly.
const maxPowerDigits = 2000

// power is x to a whole power, nil where that is not what is asked for, or too long.
func power(x, y constant.Value) constant.Value {
	n, whole := constant.Int64Val(constant.ToInt(y))
	if !whole || n < 0 || n > maxPowerDigits || int64(len(x.ExactString()))*n > maxPowerDigits {
		return nil
	}
	product := constant.MakeInt64(1)
	for range n {
		product = constant.BinaryOp(product, token.MUL, x)
	}
	return constant.ToFloat(product)
}

func (c *calculation) apply(e *ast.CallExpr) (constant.Value, error) {
	name, ok := e.Fun.(*ast.Ident)
	if !ok {
		return nil, badSum("for a product write 2 * (3 + 4) with the sign")
	}
	args := make([]constant.Value, len(e.Args))
	for i, arg := range e.Args {
		v, err := c.evaluate(arg)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	exact, isExact := exactFunctions[name.Name]
	one := functionsOfOne[name.Name]
	switch {
	case !isExact && one == nil:
		return nil, badSum("unknown function %s", name.Name)
	case isExact && exact.arguments < 0 && len(args) == 0:
		return nil, badSum("%s wants one argument or more", name.Name)
	case isExact && exact.arguments > 0 && len(args) != exact.arguments:
		return nil, badSum("%s has %d arguments; it takes %d", name.Name, len(args), exact.arguments)
	case !isExact && len(args) != 1:
		return nil, badSum("%s has %d arguments; it takes 1", name.Name, len(args))
	case isExact:
		if v := exact.apply(args); v != nil {
			return v, nil
		}
		x, _ := constant.Float64Val(args[0])
		y, _ := constant.Float64Val(args[1])
		return c.float(name.Name, math.Pow(x, y))
	}
	x, _ := constant.Float64Val(args[0])
	return c.float(name.Name, one(x))
}

// maxExactFloat is where floating point numbers begin to lie further apart than whole numbers.
const maxExactFloat = 1 << 53

// float is what a function gave that computes in floating point: only a small whole number is taken for exact.
func (c *calculation) float(name string, v float64) (constant.Value, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, badSum("%s has no finite value here", name)
	}
	c.rounded = c.rounded || v != math.Trunc(v) || math.Abs(v) > maxExactFloat
	return constant.MakeFloat64(v), nil
}

// decimal writes a value in plain digits where it has at most 30, else rounded to 17.
func decimal(v constant.Value) (text string, exact bool) {
	if i := constant.ToInt(v); i.Kind() == constant.Int && len(i.ExactString()) <= 30 {
		return i.ExactString(), true
	}
	rounded := floatText(v)
	back := constant.MakeFromLiteral(strings.TrimPrefix(rounded, "-"), token.FLOAT, 0)
	if constant.Sign(v) < 0 {
		back = constant.UnaryOp(token.SUB, back, 0)
	}
	return rounded, back.Kind() != constant.Unknown && constant.Compare(v, token.EQL, back)
}

func floatText(v constant.Value) string {
	if f, _ := constant.Float64Val(v); !math.IsInf(f, 0) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return v.String()
}
