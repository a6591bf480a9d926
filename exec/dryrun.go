package exec

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// DryRun is what a call would do, as far as that can be known without doing any of it.
type DryRun struct {
	Tool        string         `json:"tool"`
	Digest      string         `json:"digest"`
	Unavailable string         `json:"unavailable,omitempty"` // why the call would fail at once
	Input       map[string]any `json:"input"`                 // as the executor sees it
	Defaulted   []string       `json:"defaulted,omitempty"`   // JSON pointers of what the schema's defaults gave
	Repaired    []string       `json:"repaired,omitempty"`    // JSON pointers of what was repaired
	Plans       []Plan         `json:"plans"`                 // in the order in which it would be done
}

// planner is an executor that can say what it would do; known tells whether the value it would give is known by that
// alone.
type planner interface {
	Executor
	plan(ctx context.Context, call *Call) (value any, known bool, err error)
}

// Plan does nothing but say what [Tool.Call] would do: no process is started, no connection made, no directory left, no secret read. A call
// that would be refused, or would fail before it has done anything that cannot be foreseen, is a result of status error, as it is in a call; the dry
// run is then nil.
//
// An expression is evaluated. What depends on the value of a step that was not run is told by its templates, see
// [Plan.Waits].
func (t *Tool) Plan(ctx context.Context, call Call) (dry *DryRun, r spec.ToolResult) {
	start := time.Now()
	dry = &DryRun{}
	call.Planned = func(p Plan) { dry.Plans = append(dry.Plans, p) }
	call.tool, call.vars, call.shown, call.dry = t, nil, false, &dryCall{}
	var err error
	_, crash := recovered(ExecutorFunc(func(ctx context.Context, call *Call) (any, error) {
		err = t.foresee(ctx, call, dry)
		return nil, err
	})).Execute(ctx, &call)
	if crash != nil {
		dry, r = nil, t.result.failure(ctx, &call, crash)
	}
	t.complete(&r, &call, start)
	return dry, r
}

// foresee fills the dry run of a call.
func (t *Tool) foresee(ctx context.Context, call *Call, dry *DryRun) error {
	ctx, cancel := context.WithTimeout(ctx, t.timeout())
	defer cancel()
	if err := t.enterDry(call); err != nil {
		return err
	}
	*dry = DryRun{
		Tool: t.Spec.Name, Digest: t.Digest, Unavailable: t.missing, Input: call.Args, Plans: []Plan{},
		Defaulted: call.dry.defaulted, Repaired: call.repaired,
	}
	_, _, err := planOf(ctx, call, t.executor, t.Spec.Kind)
	return err
}

// enterDry accepts the input of a call that is not to be done.
func (t *Tool) enterDry(call *Call) error {
	call.tool, call.vars, call.Use.Name = t, nil, t.Spec.Name
	if call.Stub != nil {
		call.State, call.Self = call.Stub.State, call.Stub.Self
	}
	in, err := t.Spec.Input.Accept(call.Use.Input)
	if err != nil {
		return err
	}
	call.Args, call.repaired = in.Args, in.Repaired
	call.dry = &dryCall{args: in.Args, defaulted: in.Defaulted(call.Use.Input), repaired: in.Repaired, reads: t.reads}
	if t.scratch {
		call.scratch = filepath.Join(os.TempDir(), "toolspec-XXXXXX") // each call has one of another name
	}
	return nil
}

// planOf has an executor say what it would do.
func planOf(ctx context.Context, call *Call, executor Executor, kind string) (value any, known bool, err error) {
	if p, ok := executor.(planner); ok {
		return p.plan(ctx, call)
	}
	call.tell(func() Plan { return Plan{Kind: kind} })
	return nil, false, nil
}

// plan tells of the process.
func (x *commandExecutor) plan(ctx context.Context, call *Call) (any, bool, error) {
	_, err := x.ready(ctx, call)
	return nil, false, err
}

// plan tells of the request, unless it is one that would be refused.
func (h *httpRequest) plan(ctx context.Context, call *Call) (any, bool, error) {
	out, err := h.build(ctx, call)
	if err == nil {
		err = h.env.reach.checkHost(out.url.Hostname(), out.foreign)
	}
	if err == nil {
		call.tell(h.planOf(out))
	}
	return nil, false, err
}

// plan evaluates the expression, which touches nothing.
func (x *exprExecutor) plan(ctx context.Context, call *Call) (any, bool, error) {
	value, err := x.expr.Eval(ctx, call.Vars())
	if err != nil {
		return nil, false, err
	}
	call.tell(func() Plan { return Plan{Expr: x.expr.source, Value: json.RawMessage(renderJSON(value))} })
	return value, true, nil
}

// plan tells of the function and its arguments.
func (f *goFunc) plan(_ context.Context, call *Call) (any, bool, error) {
	call.tell(f.told(call))
	return nil, false, nil
}
