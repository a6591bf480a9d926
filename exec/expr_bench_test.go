package exec

import (
	"context"
	"testing"

	"github.com/expr-lang/expr"

	"github.com/toolspec/toolspec/spec"
)

// The expressions that are measured: what ordinary tool files hold.
var benchExprs = map[string]string{
	"path":    `input.city`,
	"ternary": `input.yes ? "--all" : "--some"`,
	"join":    `"No city named " + input.city + ", " + upper(input.city)`,
	"sum":     `input.n * 2 + len(input.tags)`,
	"map":     `map(filter(input.places, .max > 3), .name)`,
}

// BenchmarkExpr evaluates ordinary expressions; BenchmarkExprFloor does so with the library alone, unchecked,
// unmetered, over values that suit it.
func BenchmarkExpr(b *testing.B) {
	v := exprVars(b)
	for name, source := range benchExprs {
		e, ds := testSite(b, spec.Section{}).Expr(spec.Text{Value: source})
		if ds.HasErrors() {
			b.Fatal(ds)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Eval(context.Background(), v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkExprFloor(b *testing.B) {
	env := map[string]any{"input": map[string]any{
		"city": "Ålesund", "yes": true, "n": 3, "tags": []any{"b", "a", "b"},
		"places": []any{map[string]any{"name": "x", "max": 3}, map[string]any{"name": "y", "max": 5}},
	}}
	for name, source := range benchExprs {
		program, err := expr.Compile(source, expr.Env(env))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := expr.Run(program, env); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkExprCompile(b *testing.B) {
	site := testSite(b, spec.Section{})
	for b.Loop() {
		if _, ds := site.Expr(spec.Text{Value: benchExprs["map"]}); ds.HasErrors() {
			b.Fatal(ds)
		}
	}
}

func BenchmarkExprCompileFloor(b *testing.B) {
	env := map[string]any{"input": map[string]any{}}
	for b.Loop() {
		if _, err := expr.Compile(benchExprs["map"], expr.Env(env), expr.AllowUndefinedVariables()); err != nil {
			b.Fatal(err)
		}
	}
}
