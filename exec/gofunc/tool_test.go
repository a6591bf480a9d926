package gofunc_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/gofunc"
	"github.com/toolspec/toolspec/spec"
)

// What the options say is what the tool's contract, its deadline and its calls have.
func TestToolOptions(t *testing.T) {
	var wrapped []string
	var seen []exec.Event
	env := &exec.Env{Observe: func(e exec.Event) error { seen = append(seen, e); return nil }, Middleware: []exec.Middleware{func(s *spec.Spec, next exec.Executor) exec.Executor {
		wrapped = append(wrapped, s.Name)
		return next
	}}}
	yes := true
	wait := func(ctx context.Context, _ struct{}) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	tool, err := gofunc.Tool("wait", "Waits.", wait,
		gofunc.WithTitle("Wait a while"), gofunc.WithTags("time", "idle"), gofunc.WithAnnotations(spec.Annotations{ReadOnly: &yes}),
		gofunc.WithTimeout(time.Millisecond), gofunc.WithEnv(env))
	if err != nil {
		t.Fatal(err)
	}
	s := tool.Spec
	if s.Title != "Wait a while" || !slices.Equal(s.Tags, []string{"time", "idle"}) || s.Annotations.ReadOnly == nil || !*s.Annotations.ReadOnly {
		t.Errorf("have title %q, tags %q, annotations %+v", s.Title, s.Tags, s.Annotations)
	}
	if !slices.Equal(wrapped, []string{"wait"}) {
		t.Errorf("the middleware wrapped %q", wrapped)
	}
	if r := call(t, tool, `{}`); r.Metadata.Error == nil || r.Metadata.Error.Code != spec.CodeTimeout {
		t.Errorf("want a timeout after 1 ms, have %+v", r)
	}
	if len(seen) != 1 || seen[0].Tool != "wait" || seen[0].Code != spec.CodeTimeout || seen[0].Duration < time.Millisecond {
		t.Errorf("its call was observed as %+v", seen)
	}
}
