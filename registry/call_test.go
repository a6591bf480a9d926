package registry

import (
	"context"
	"fmt"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// A call finishes on the version it was admitted with, and calls other tools of that version; calls after the change
// get the new one.
func TestCallAcrossAChange(t *testing.T) {
	started, finish := make(chan bool), make(chan bool)
	version := func(v string, wait bool) []*exec.Tool {
		slow := func(ctx context.Context, call *exec.Call) (any, error) {
			if wait {
				started <- true
				<-finish
			}
			beside, _ := call.Tools.Tool("beside")
			return fmt.Sprintf("%s, beside %s, generation %d", v, beside.Spec.Description, call.Generation), nil
		}
		return []*exec.Tool{compiled(t, "slow", v, slow), compiled(t, "beside", v, slow)}
	}
	r := New()
	r.Replace("go", version("v1", true), nil)
	answer := make(chan spec.ToolResult)
	call := exec.Call{Use: spec.ToolUse{ID: "1", Name: "slow"}}
	go func() { answer <- r.Snapshot().Call(t.Context(), call) }()
	<-started
	r.Replace("go", version("v2", false), nil)
	want(t, r.Snapshot().Call(t.Context(), call), "v2, beside v2, generation 2")
	r.Replace("go", nil, nil)
	if result := r.Snapshot().Call(t.Context(), call); result.Metadata.Error == nil || result.Metadata.Error.Code != spec.CodeNotFound {
		t.Errorf("after removal: have %+v", result)
	}
	finish <- true
	want(t, <-answer, "v1, beside v1, generation 1")
}

func compiled(t *testing.T, name, description string, do exec.ExecutorFunc) *exec.Tool {
	t.Helper()
	s, ds := spec.Parse(name+".yaml", []byte("{name: "+name+", description: "+description+", executor: {do: null}}"))
	if s == nil {
		t.Fatal(ds)
	}
	kinds := exec.Kinds{"do": {Build: func(*exec.Site, spec.Section) (exec.Executor, spec.Diagnostics) { return do, nil }}}
	tool, ds := kinds.Compile(nil, s)
	if tool == nil {
		t.Fatal(ds)
	}
	return tool
}

func want(t *testing.T, result spec.ToolResult, text string) {
	t.Helper()
	if result.Status != spec.StatusSuccess || *result.Content[0].Text != text {
		t.Errorf("have %+v, want %s", result, text)
	}
}
