package exec

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// recovered is an executor whose panics are errors of code internal; their stacks go to the log.
func recovered(next Executor) Executor {
	return ExecutorFunc(func(ctx context.Context, call *Call) (value any, err error) {
		defer func() {
			if p := recover(); p != nil {
				value, err = nil, crash(call, p)
			}
		}()
		return next.Execute(ctx, call)
	})
}

func crash(call *Call, p any) error {
	call.log().Error("tool crashed", "tool", call.Use.Name, "id", call.Use.ID, "panic", p, "stack", string(debug.Stack()))
	e := spec.NewError(spec.CodeInternal, "the tool crashed: %v", p)
	e.Err, _ = p.(error)
	return e
}

// timed is an executor with a deadline. It waits for an executor that does not heed its context: abandoning one
// would leave it running, unseen, with all it holds. Once the deadline has passed, or the caller has gone, whatever the
// executor still answers is that.
func timed(d time.Duration, next Executor) Executor {
	return ExecutorFunc(func(ctx context.Context, call *Call) (any, error) {
		within, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		value, err := next.Execute(within, call)
		switch caller := ctx.Err(); {
		case within.Err() != nil && interrupted(err) != nil:
			return value, interrupted(err)
		case errors.Is(caller, context.Canceled):
			return value, &spec.Error{Code: spec.CodeCanceled, Message: "the call was canceled by its caller", Err: err}
		case caller != nil:
			return value, &spec.Error{Code: spec.CodeTimeout, Message: "the caller's time for this call is over", Retryable: true, Err: err}
		case within.Err() != nil:
			return value, &spec.Error{Code: spec.CodeTimeout, Message: "no answer within " + d.String(), Retryable: true, Err: err}
		}
		return value, err
	})
}

// interrupted is what an executor has itself said of being cut short, such as what a program had printed so far, or that
// it was never asked; nil if it said nothing.
func interrupted(err error) error {
	var said *spec.Error
	if errors.As(err, &said) && (said.Code == spec.CodeTimeout || said.Code == spec.CodeCanceled || errors.Is(err, errNotBegun)) {
		return said
	}
	return nil
}

// logged is an executor whose calls leave a line each in the log: which tool, how long, what came of it; never what
// went in or came out.
func logged(next Executor) Executor {
	return ExecutorFunc(func(ctx context.Context, call *Call) (any, error) {
		log := call.log()
		if !log.Enabled(ctx, slog.LevelInfo) {
			return next.Execute(ctx, call)
		}
		start := time.Now()
		value, err := next.Execute(ctx, call)
		code := "ok"
		if err != nil {
			code = string(spec.AsError(err).Code)
		}
		log.Info("call", "tool", call.Use.Name, "id", call.Use.ID, "duration", time.Since(start), "code", code)
		return value, err
	})
}
