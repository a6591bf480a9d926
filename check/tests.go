package check

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// TestTime is how long one test may take, if its tool's timeout is no shorter: with stubs in place of the world there is
// little to wait for.
const TestTime = 10 * time.Second

// Verdict is what came of one test of a tool file.
type Verdict struct {
	Tool, Test string
	Pos        spec.Pos // of the test
	Took       time.Duration
	Faults     []Fault // none: the test passed
}

// Fault is one expectation of a test that was not met.
type Fault struct {
	Pos     spec.Pos // of the expectation
	Message string   // one line
	Diff    string   // lines, - expected, + got; may be empty
}

// Tests runs the tests of tools through a snapshot, as agents call them; pick, if not nil, chooses among them. Tests run
// side by side, their verdicts come in the order of tools and files. None touches the network or starts a process: what a
// test's stub does not answer is a fault.
func Tests(ctx context.Context, snapshot *registry.Snapshot, tools []*exec.Tool, pick func(tool, test string) bool) []Verdict {
	var all []task
	for _, tool := range tools {
		for _, test := range tool.Tests() {
			if pick == nil || pick(tool.Spec.Name, test.Name) {
				all = append(all, task{tool, test, snapshot.Call})
			}
		}
	}
	return runAll(ctx, all)
}

// Judge is what its tests say against a tool that is in no snapshot yet, each at the expectation that was not met; tools
// are those that its steps find. It is for [loader.Options].
func Judge(ctx context.Context, tool *exec.Tool, tools exec.Tools) (ds spec.Diagnostics) {
	var all []task
	for _, test := range tool.Tests() {
		all = append(all, task{tool, test, func(ctx context.Context, call exec.Call) spec.ToolResult {
			call.Tools = tools
			return tool.Call(ctx, call)
		}})
	}
	for _, v := range runAll(ctx, all) {
		for _, f := range v.Faults {
			ds.Add(f.Pos, "test", "test %q: %s", v.Test, f.line())
		}
	}
	return ds
}

// line is the fault in one line, with what came where nothing else says it.
func (f Fault) line() string {
	if have, ok := strings.CutPrefix(f.Diff, "+ "); ok {
		return f.Message + ": " + shortened(strings.ReplaceAll(have, "\n+ ", "\n"))
	}
	return f.Message
}

// task is a test to be run.
type task struct {
	tool *exec.Tool
	test *exec.Test
	call func(context.Context, exec.Call) spec.ToolResult
}

// runAll runs tasks, as many at a time as there are processors.
func runAll(ctx context.Context, all []task) []Verdict {
	verdicts := make([]Verdict, len(all))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(len(all), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := range next {
				verdicts[i] = all[i].run(ctx)
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	workers.Wait()
	return verdicts
}

// run makes the call and holds what comes of it to what is expected.
func (t task) run(ctx context.Context) Verdict {
	ctx, cancel := context.WithTimeout(ctx, TestTime)
	defer cancel()
	w := &witness{task: t}
	start := time.Now()
	w.result = t.call(ctx, exec.Call{
		Use:  spec.ToolUse{ID: "test", Name: t.tool.Spec.Name, Input: t.test.Input},
		Log:  slog.New(slog.DiscardHandler), // what a test does is nobody's call
		Stub: t.test.Stub, Planned: func(p exec.Plan) { w.plans = append(w.plans, p) },
	})
	v := Verdict{Tool: t.tool.Spec.Name, Test: t.test.Name, Pos: t.test.Pos, Took: time.Since(start)}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		v.Faults = []Fault{{Pos: t.test.Pos, Message: fmt.Sprintf("it took longer than %s", TestTime)}}
	case ctx.Err() != nil:
		v.Faults = []Fault{{Pos: t.test.Pos, Message: "it was canceled"}}
	default:
		v.Faults = w.faults(ctx)
	}
	return v
}

// witness is what a test's call did, and what came of it.
type witness struct {
	task
	tools  exec.Tools
	result spec.ToolResult
	plans  []exec.Plan
}

// unanswered is a fault if the call wanted something of the world that the stub has no answer for: then nothing else that
// came of it means anything.
func (w *witness) unanswered() []Fault {
	for _, p := range w.plans {
		switch stub := w.test.Stub; {
		case p.Command != nil && stub.Command == nil:
			return []Fault{{w.test.At("/stub"), "stub.command is missing: the test would run " + shortened(strings.Join(p.Command.Argv, " ")), ""}}
		case p.Request != nil && stub.HTTP == nil:
			return []Fault{{w.test.At("/stub"), "stub.http is missing: the test would send " + shortened(p.Request.Method+" "+p.Request.URL), ""}}
		}
	}
	return nil
}

// shortened is a text in one line of a message.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 100 {
		return string(runes[:99]) + "…"
	}
	return text
}
