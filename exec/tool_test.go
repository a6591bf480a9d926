package exec

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// compile makes a tool of a file around one Go function called f.
func compile(t testing.TB, file string, f ExecutorFunc, change ...func(*Env)) *Tool {
	t.Helper()
	env := &Env{Policy: DefaultPolicy(), Funcs: map[string]Executor{"f": f}}
	for _, c := range change {
		c(env)
	}
	s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\n"+file))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tool, ds := StandardKinds().Compile(env, s)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return tool
}

func give(v any) ExecutorFunc {
	return func(context.Context, *Call) (any, error) { return v, nil }
}

// text is all that a result says, its blocks as JSON where they are not text.
func text(r spec.ToolResult) string {
	var parts []string
	for _, c := range r.Content {
		if c.Text != nil {
			parts = append(parts, *c.Text)
			continue
		}
		b, _ := json.Marshal(c)
		parts = append(parts, string(b))
	}
	return strings.Join(parts, "|")
}

func use(input string) Call {
	return Call{Use: spec.ToolUse{ID: "u1", Name: "t", Input: json.RawMessage(input)}}
}

func TestCallGivesTheFunctionsValue(t *testing.T) {
	tool := compile(t, "executor: {func: f}\n", give(map[string]any{"n": 1}))
	r := tool.Call(t.Context(), use(`{}`))
	if r.Status != spec.StatusSuccess || r.ID != "u1" || text(r) != `{"json":{"n":1}}` {
		t.Errorf("have %+v: %s", r, text(r))
	}
}

func TestCallTurnsEveryFailureIntoAResult(t *testing.T) {
	for name, c := range map[string]struct {
		f    ExecutorFunc
		code spec.Code
		text string
	}{
		"error":  {func(context.Context, *Call) (any, error) { return nil, errors.New("no such city") }, spec.CodeFailed, "Error: no such city"},
		"coded":  {func(context.Context, *Call) (any, error) { return nil, spec.NewError(spec.CodeDenied, "no") }, spec.CodeDenied, "Error: no"},
		"panic":  {func(context.Context, *Call) (any, error) { panic("boom") }, spec.CodeInternal, "Error: the tool crashed: boom"},
		"answer": {give(errors.New("as a value")), spec.CodeFailed, "Error: as a value"},
		"late":   {func(ctx context.Context, _ *Call) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, spec.CodeTimeout, "Error: no answer within 20ms"},
	} {
		t.Run(name, func(t *testing.T) {
			r := compile(t, "timeout: 20ms\nexecutor: {func: f}\n", c.f).Call(t.Context(), use(`{}`))
			if r.Status != spec.StatusError || r.Metadata.Error == nil || r.Metadata.Error.Code != c.code || text(r) != c.text {
				t.Errorf("have %+v: %s", r, text(r))
			}
		})
	}
}
