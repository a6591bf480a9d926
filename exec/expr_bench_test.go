package exec

import (
	"context"
	"testing"

	"github.com/expr-lang/expr"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/testdata/versus"
)

// The expressions that are measured: what ordinary tool files hold.
var benchExprs = map[string]string{
	"path":    `input.city`,
	"ternary": `input.yes ? "--all" : "--some"`,
	"join":    `"No city named " + input.city + ", " + upper(input.city)`,
	"sum":     `input.n * 2 + len(input.tags)`,
	"map":     `map(filter(input.places, .max > 3), .name)`,
}

// BenchmarkExpr evaluates ordinary expressions, against the library alone, unchecked, unmetered, over values that suit it.
func BenchmarkExpr(b *testing.B) {
	v := exprVars(b)
	env := map[string]any{"input": map[string]any{
		"city": "Ålesund", "yes": true, "n": 3, "tags": []any{"b", "a", "b"},
		"places": []any{map[string]any{"name": "x", "max": 3}, map[string]any{"name": "y", "max": 5}},
	}}
	for name, source := range benchExprs {
		e, ds := testSite(b, spec.Section{}).Expr(spec.Text{Value: source})
		if ds.HasErrors() {
			b.Fatal(ds)
		}
		program, err := expr.Compile(source, expr.Env(env))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			versus.Floor(b, func() error {
				_, err := e.Eval(context.Background(), v)
				return err
			}, func() error {
				_, err := expr.Run(program, env)
				return err
			})
		})
	}
}

func BenchmarkExprCompile(b *testing.B) {
	site := testSite(b, spec.Section{})
	env := map[string]any{"input": map[string]any{}}
	for _, name := range []string{"path", "map"} {
		b.Run(name, func(b *testing.B) {
			versus.Floor(b, func() error {
				_, ds := site.Expr(spec.Text{Value: benchExprs[name]})
				return ds.Err()
			}, func() error {
				_, err := expr.Compile(benchExprs[name], expr.Env(env), expr.AllowUndefinedVariables())
				return err
			})
		})
	}
}
