package exec

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

func TestADeadlineAndACancellationAreToldApart(t *testing.T) {
	started := make(chan struct{}, 1)
	waits := ExecutorFunc(func(ctx context.Context, _ *Call) (any, error) {
		started <- struct{}{}
		<-ctx.Done()
		return nil, errors.New("signal: killed")
	})
	tool := compile(t, "timeout: 1m\nexecutor: {func: f}\n", waits)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-started; cancel() }()
	if r := tool.Call(ctx, use(`{}`)); r.Metadata.Error.Code != spec.CodeCanceled {
		t.Errorf("have %s", text(r))
	}
	tool = compile(t, "timeout: 10ms\nexecutor: {func: f}\n", waits)
	if r := tool.Call(t.Context(), use(`{}`)); r.Metadata.Error.Code != spec.CodeTimeout || text(r) != "Error: no answer within 10ms" {
		t.Errorf("have %s", text(r))
	}
	<-started
	tool = compile(t, "timeout: 1m\nexecutor: {func: f}\n", waits)
	ctx, cancel = context.WithTimeout(t.Context(), 1)
	defer cancel()
	if r := tool.Call(ctx, use(`{}`)); r.Metadata.Error.Code != spec.CodeTimeout || !strings.Contains(text(r), "the caller's time") {
		t.Errorf("have %s", text(r))
	}
}

func TestAnAnswerAfterTheDeadlineIsNone(t *testing.T) {
	late := ExecutorFunc(func(ctx context.Context, _ *Call) (any, error) { <-ctx.Done(); return "too late", nil })
	if r := compile(t, "timeout: 10ms\nexecutor: {func: f}\n", late).Call(t.Context(), use(`{}`)); r.Metadata.Error == nil || r.Metadata.Error.Code != spec.CodeTimeout {
		t.Errorf("have %s", text(r))
	}
}

func TestTheLogTellsOfCallsAndNotOfWhatIsInThem(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, nil))
	tool := compile(t, city+"executor: {func: f}\n", give("Oslo-out"), func(e *Env) { e.Log = log })
	tool.Call(t.Context(), use(`{"city": "Oslo-in"}`))
	tool.Call(t.Context(), use(`{"citty": "Oslo-in"}`))
	have := b.String()
	for _, want := range []string{"tool=t", "id=u1", "code=ok", "code=invalid_input", "duration="} {
		if !strings.Contains(have, want) {
			t.Errorf("want %s in %s", want, have)
		}
	}
	if strings.Contains(have, "Oslo") {
		t.Errorf("the log tells too much: %s", have)
	}
}

func TestACrashLeavesItsStackInTheLog(t *testing.T) {
	var b bytes.Buffer
	crash := ExecutorFunc(func(context.Context, *Call) (any, error) { panic("a nil map in the executor") })
	tool := compile(t, "executor: {func: f}\n", crash)
	call := use(`{}`)
	call.Log = slog.New(slog.NewTextHandler(&b, nil))
	r := tool.Call(t.Context(), call)
	if r.Metadata.Error.Code != spec.CodeInternal || !strings.Contains(text(r), "nil map") || strings.Contains(text(r), "goroutine") {
		t.Errorf("have %s", text(r))
	}
	if !strings.Contains(b.String(), "middleware_test.go") {
		t.Errorf("no stack in %s", b.String())
	}
}

func TestMiddlewareSurroundsTheExecutor(t *testing.T) {
	var order []string
	note := func(name string) Middleware {
		return func(s *spec.Spec, next Executor) Executor {
			return ExecutorFunc(func(ctx context.Context, call *Call) (any, error) {
				order = append(order, name+" of "+s.Name)
				value, err := next.Execute(ctx, call)
				order = append(order, name)
				return value, err
			})
		}
	}
	tool := compile(t, city+"executor: {func: f}\n", give(1), func(e *Env) { e.Middleware = []Middleware{note("outer"), note("inner")} })
	tool.Call(t.Context(), use(`{"city": 1.5, "no": 2}`))
	if order != nil {
		t.Errorf("a refused input reached the middleware: %v", order)
	}
	tool.Call(t.Context(), use(`{}`))
	if have := strings.Join(order, ", "); have != "outer of t, inner of t, inner, outer" {
		t.Errorf("have %s", have)
	}
	crashes := func(*spec.Spec, Executor) Executor {
		return ExecutorFunc(func(context.Context, *Call) (any, error) { panic("in the middle") })
	}
	tool = compile(t, "executor: {func: f}\n", give(1), func(e *Env) { e.Middleware = []Middleware{crashes} })
	if r := tool.Call(t.Context(), use(`{}`)); r.Metadata.Error.Code != spec.CodeInternal {
		t.Errorf("have %s", text(r))
	}
}

// Every call gets its own answer, however many there are at once.
func TestCallsDoNotMix(t *testing.T) {
	tool := compile(t, city+"executor: {expr: input.city}\nresult: {content: [{text: '${call.id} ${output}'}]}\n", nil)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for range 50 {
				name := strings.Repeat("x", i+1)
				r := tool.Call(t.Context(), Call{Use: spec.ToolUse{ID: name, Input: []byte(`{"city": "` + name + `"}`)}})
				if r.ID != name || text(r) != name+" "+name {
					t.Errorf("have %s for %s", text(r), name)
				}
			}
		})
	}
	all.Wait()
}

func TestTheMetadataTellsOfTheCall(t *testing.T) {
	tool := compile(t, "inputSchema: {type: object, properties: {n: {type: integer}}}\nexecutor: {expr: input.n}\n", nil)
	call := use(`{"n": "5"}`)
	call.Generation = 7
	r := tool.Call(t.Context(), call)
	m := r.Metadata
	if m.Generation != 7 || m.Digest != tool.Digest || m.DurationMS < 0 || len(m.Repaired) != 1 || m.Repaired[0] != "/n" || m.Error != nil || m.Truncated {
		t.Errorf("have %+v", m)
	}
	if text(r) != "5" {
		t.Errorf("have %s", text(r))
	}
}

func TestACallThatIsCanceledAlreadyBeginsNothing(t *testing.T) {
	ran := false
	tool := compile(t, "executor: {func: f}\n", func(context.Context, *Call) (any, error) { ran = true; return nil, nil })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := tool.Call(ctx, use(`{}`)); ran || r.Metadata.Error.Code != spec.CodeCanceled {
		t.Errorf("have %s, ran %v", text(r), ran)
	}
}
