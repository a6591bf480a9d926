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

// calculate computes with Go's exact constants; functions such as sqrt are floating point.
func calculate(_ context.Context, in calculatorInput) (calculatorOutput, error) {
	tree, err := parser.ParseExpr(in.Expression)
	if err != nil {
		return calculatorOutput{}, badSum("cannot be read: want something such as (12.5 + 3) * 4")
	}
	v, err := evaluate(tree)
	if err != nil {
		return calculatorOutput{}, err
	}
	if v.Kind() == constant.Unknown {
		return calculatorOutput{}, badSum("the value is too large")
	}
	text, exact := decimal(v)
	return calculatorOutput{text, exact}, nil
}

func badSum(format string, args ...any) error {
	return spec.NewError(spec.CodeInvalidInput, "Field `expression`: "+format, args...)
}

func evaluate(e ast.Expr) (constant.Value, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return evaluate(e.X)
	case *ast.BasicLit:
		return literal(e)
	case *ast.Ident:
		if c, ok := constants[strings.ToLower(e.Name)]; ok {
			return constant.MakeFloat64(c), nil
		}
		return nil, badSum("unknown name %s; known are pi and e", e.Name)
	case *ast.UnaryExpr:
		v, err := evaluate(e.X)
		if err != nil || e.Op != token.SUB && e.Op != token.ADD {
			return nil, orElse(err, "the operator %s is not known", e.Op)
		}
		return constant.UnaryOp(e.Op, v, 0), nil
	case *ast.BinaryExpr:
		return binary(e)
	case *ast.CallExpr:
		return apply(e)
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

func binary(e *ast.BinaryExpr) (constant.Value, error) {
	x, err := evaluate(e.X)
	if err != nil {
		return nil, err
	}
	y, err := evaluate(e.Y)
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
	"sqrt": math.Sqrt, "abs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "round": math.Round, "ln": math.Log,
	"log10": math.Log10, "exp": math.Exp, "sin": math.Sin, "cos": math.Cos, "tan": math.Tan,
}

var functionsOfTwo = map[string]func(x, y float64) float64{"pow": math.Pow, "min": math.Min, "max": math.Max}

func apply(e *ast.CallExpr) (constant.Value, error) {
	name, ok := e.Fun.(*ast.Ident)
	if !ok {
		return nil, badSum("for a product write 2 * (3 + 4) with the sign")
	}
	args := make([]float64, len(e.Args))
	for i, arg := range e.Args {
		v, err := evaluate(arg)
		if err != nil {
			return nil, err
		}
		args[i], _ = constant.Float64Val(v)
	}
	one, two := functionsOfOne[name.Name], functionsOfTwo[name.Name]
	var result float64
	switch {
	case one != nil && len(args) == 1:
		result = one(args[0])
	case two != nil && len(args) == 2:
		result = two(args[0], args[1])
	case one == nil && two == nil:
		return nil, badSum("unknown function %s", name.Name)
	default:
		return nil, badSum("%s has the wrong number of arguments", name.Name)
	}
	if math.IsNaN(result) || math.IsInf(result, 0) {
		return nil, badSum("%s has no finite value here", name.Name)
	}
	return constant.MakeFloat64(result), nil
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
