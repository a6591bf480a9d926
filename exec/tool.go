package exec

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Tool is a spec bound to its executor. It is immutable and safe for concurrent calls.
type Tool struct {
	Spec   *spec.Spec // Input is never nil here
	Digest string     // over contract, executor and the scripts it names

	env      *Env
	missing  string
	executor Executor // as its kind made it
	chain    Executor // everything a call goes through, wrapped once
	result   *result
	level    Level    // how far its programs are confined; empty if it starts none
	secrets  []string // names of those that its file asks for
	envNames []string // of the server's variables that its expressions may read
	reads    []*Expr  // those of its executor
	guarded  bool     // it, or a tool it calls, may read secrets
	dir      string   // dir.tool
	claim    claim    // of what bounds the calls of all tools
	scratch  bool     // each call has a directory of its own
	scripts  []Script
	tests    []*Test
}

// Unavailable is why the tool cannot work on this machine now; empty if it can.
func (t *Tool) Unavailable() string { return t.missing }

// Call accepts the input, executes, and shapes the result. Whatever goes wrong is a result of status error.
//
// It answers when the executor has: a Go function that does not heed its context holds its call beyond the deadline.
func (t *Tool) Call(ctx context.Context, call Call) (r spec.ToolResult) {
	start := time.Now()
	call.lossy, call.cut = false, &call.lossy
	defer func() { t.complete(&r, &call, start) }()
	defer func() {
		if p := recover(); p != nil { // in a middleware, or here: the executor's are dealt with nearer to it
			call.log().Error("call crashed", "tool", t.Spec.Name, "panic", p, "stack", string(debug.Stack()))
			r = spec.Failure(call.Use.ID, spec.NewError(spec.CodeInternal, "the tool crashed: %v", p))
		}
	}()
	out, err := t.do(ctx, &call)
	if err != nil {
		return t.result.failure(ctx, &call, err)
	}
	return t.result.present(&call, out)
}

// complete fills what every result has, whatever became of the call.
func (t *Tool) complete(r *spec.ToolResult, call *Call, start time.Time) {
	t.seal(r, call)
	took, code := time.Since(start), spec.Code("")
	if r.Metadata.Error != nil {
		code = r.Metadata.Error.Code
	}
	if withheld := t.observe(call, code, took); withheld != nil {
		*r = spec.Failure(call.Use.ID, withheld)
	}
	r.ID = call.Use.ID
	if r.Content == nil {
		r.Content = []spec.Content{}
	}
	r.Metadata.Generation = call.Generation
	r.Metadata.Digest = t.Digest
	r.Metadata.DurationMS = float64(took.Microseconds()) / 1000
	r.Metadata.Repaired = call.repaired
	r.Metadata.Retries = call.again
	r.Metadata.Truncated = r.Metadata.Truncated || call.lossy
}

// seal takes out of a result what must not leave in it. A result on which that goes wrong is none.
func (t *Tool) seal(r *spec.ToolResult, call *Call) {
	defer func() {
		if p := recover(); p != nil {
			*r = spec.Failure(call.Use.ID, spec.AsError(crash(call, p)))
		}
	}()
	call.vault.maskResult(r)
	t.result.limit.apply(r) // after masking: what is cut is no secret any more
}

// maxDepth is how deep tools may call tools.
const maxDepth = 16

// value calls the tool for another tool, which wants its value and no content.
func (t *Tool) value(ctx context.Context, call Call) (value any, err error) {
	start := time.Now()
	defer func() {
		code := spec.Code("")
		if err != nil {
			code = spec.AsError(err).Code
		}
		if withheld := t.observe(&call, code, time.Since(start)); withheld != nil {
			value, err = nil, withheld
		}
	}()
	out, err := t.do(ctx, &call)
	if err != nil {
		return nil, err
	}
	if out.failed != nil {
		return nil, out.failed
	}
	return out.value, nil
}

// do takes a call through the chain.
func (t *Tool) do(ctx context.Context, call *Call) (*outcome, error) {
	call.tool, call.vars, call.shown, call.dry = t, nil, false, nil
	call.Use.Name = t.Spec.Name
	if call.retries == nil {
		call.retries = &call.again
	}
	if call.Stub != nil {
		call.State, call.Self = call.Stub.State, call.Stub.Self
	}
	call.guardSecrets()
	if err := t.admit(call); err != nil {
		return nil, err
	}
	if t.missing != "" && call.Stub == nil {
		return nil, spec.NewError(spec.CodeUnavailable, "the tool %s is unavailable: %s", t.Spec.Name, t.missing)
	}
	out, err := t.chain.Execute(ctx, call)
	if err != nil {
		return nil, err
	}
	return out.(*outcome), nil
}

// accepted is the executor behind the gate: it sees only inputs that the schema accepts, and its value becomes the
// tool's.
func (t *Tool) accepted(next Executor) Executor {
	return ExecutorFunc(func(ctx context.Context, call *Call) (any, error) {
		in, err := t.Spec.Input.Accept(call.Use.Input)
		if err != nil {
			return nil, err
		}
		call.Args, call.repaired = in.Args, in.Repaired
		ctx, place, err := t.admitted(ctx, call)
		if err != nil {
			call.refused = RefusedQueue
			return nil, err
		}
		defer t.env.places.leave(place)
		if t.scratch || call.Stub.writesFiles() {
			remove, err := call.openScratch()
			if err != nil {
				return nil, err
			}
			defer remove()
		}
		if ctx.Err() != nil { // nobody waits any more: nothing is begun
			return nil, ctx.Err()
		}
		if err := t.checkExact(call); err != nil {
			return nil, err
		}
		call.begun = true
		value, err := next.Execute(ctx, call)
		if err != nil && t.Spec.Kind != "pipeline" && spec.AsError(err).Code == spec.CodeDenied {
			call.refused = RefusedPolicy
		}
		if ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), err)
		}
		return t.result.shape(ctx, call, value, err)
	})
}
