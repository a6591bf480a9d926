package exec

import (
	"context"

	"github.com/toolspec/toolspec/spec"
)

// newExpr is the kind expr: its section is one expression, whose value is the tool's.
func newExpr(site *Site, config spec.Section) (Executor, spec.Diagnostics) {
	text, ok := config.Text()
	if !ok {
		return nil, spec.Diagnostics{config.Errorf("type", "want an expression such as 'input.a + input.b', have %s", config.Form())}
	}
	e, ds := site.withoutSecrets().Expr(text)
	if ds.HasErrors() {
		return nil, ds
	}
	return &exprExecutor{e}, ds
}

// exprExecutor evaluates one expression.
type exprExecutor struct{ expr *Expr }

// Execute evaluates it.
func (x *exprExecutor) Execute(ctx context.Context, call *Call) (any, error) {
	call.tell(func() Plan { return Plan{Expr: x.expr.source} })
	return x.expr.Eval(ctx, call.Vars())
}
