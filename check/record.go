package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// MaxRecorded is the most that one text of a recorded test holds: a file is for people to read.
const MaxRecorded = 16 << 10

// Recording is a real call that becomes a test of its tool's file.
type Recording struct {
	File    string // that the tool was made of
	Source  []byte // its bytes
	Name    string // of the test; empty: it follows from the input
	Compile func(source []byte) (*exec.Tool, spec.Diagnostics)
	Tools   exec.Tools        // that steps find
	Secrets map[string]string // values that are written as the text secret:NAME, by name

	tool    *exec.Tool
	input   json.RawMessage
	plans   []exec.Plan
	answers []exec.Answer
}

// Listen has the recording hear what a call does, and what comes back.
func (r *Recording) Listen(tool *exec.Tool, call *exec.Call) {
	r.tool, r.input = tool, call.Use.Input
	call.Planned = func(p exec.Plan) { r.plans = append(r.plans, p) }
	call.Answered = func(a exec.Answer) { r.answers = append(r.answers, a) }
}

// Write is the file with the test at the end of its tests, and the test's name. What must come of the test is not taken from
// the real call but from running it with its stubs, so that no path of this machine and no secret is in it, and so that it
// passes; where that gives something else than the real call did, there is no test.
func (r *Recording) Write(ctx context.Context, result spec.ToolResult, at time.Time) (source []byte, name string, err error) {
	m := r.masks()
	input, err := r.maskedInput(m)
	if err != nil {
		return nil, "", err
	}
	stub, err := r.stub(m)
	if err != nil {
		return nil, "", err
	}
	if name, err = r.testName(input); err != nil {
		return nil, "", err
	}
	first, err := r.try(ctx, object(field("name", name), field("input", input), field("stub", stub)))
	if err != nil {
		return nil, "", err
	}
	if err := first.like(result); err != nil {
		return nil, "", err
	}
	if first.at(ctx, at).tells() != first.at(ctx, at.AddDate(1, 1, 1)).tells() {
		stub = append(stub, field("now", at.UTC().Truncate(time.Second).Format(time.RFC3339)))
		if first, err = r.try(ctx, object(field("name", name), field("input", input), field("stub", stub))); err != nil {
			return nil, "", err
		}
	}
	expect, err := first.expectation()
	if err != nil {
		return nil, "", err
	}
	test := object(field("name", name), field("input", input), field("stub", stub), field("expect", expect))
	last, err := r.try(ctx, test)
	if err != nil {
		return nil, "", err
	}
	if faults := last.faults(ctx); len(faults) > 0 {
		return nil, "", fmt.Errorf("the test would not pass: %s", faults[0].line())
	}
	source, err = spec.AddTest(r.File, r.Source, test)
	return source, name, err
}

// try writes a test into the file and runs it.
func (r *Recording) try(ctx context.Context, test json.RawMessage) (*witness, error) {
	source, err := spec.AddTest(r.File, r.Source, test)
	if err != nil {
		return nil, err
	}
	tool, ds := r.Compile(source)
	if tool == nil {
		return nil, ds.Err()
	}
	tests := tool.Tests()
	return task{tool, tests[len(tests)-1], nil}.with(ctx, r.Tools, nil), nil
}

// with is what comes of a test, at another time if one is given.
func (t task) with(ctx context.Context, tools exec.Tools, now *time.Time) *witness {
	ctx, cancel := context.WithTimeout(ctx, TestTime)
	defer cancel()
	w := &witness{task: t, tools: tools}
	stub := *t.test.Stub
	if now != nil {
		stub.Now = *now
	}
	w.result = t.tool.Call(ctx, exec.Call{
		Use: spec.ToolUse{ID: "test", Name: t.tool.Spec.Name, Input: t.test.Input}, Tools: tools,
		Log: slog.New(slog.DiscardHandler), Stub: &stub, Planned: func(p exec.Plan) { w.plans = append(w.plans, p) },
	})
	return w
}

func (w *witness) at(ctx context.Context, now time.Time) *witness { return w.with(ctx, w.tools, &now) }

// tells is all that a test could look at.
func (w *witness) tells() string {
	text, _ := json.Marshal([]any{w.result.Status, w.result.Content, w.plans}) // for comparison alone
	return string(text)
}

// like tells whether a test goes the way that the real call went.
func (w *witness) like(real spec.ToolResult) error {
	if missing := w.unanswered(); missing != nil {
		return errors.New("the call got no answer that a stub could give: " + missing[0].Message)
	}
	had := &witness{result: real}
	if had.status() != w.status() {
		return fmt.Errorf("with stubs in place of the world the call gives %s: %s; for real it gave %s", w.status(), shortened(w.shown()), had.status())
	}
	return nil
}

// testName is the name that was asked for, else one made of the input; no other test has it.
func (r *Recording) testName(input json.RawMessage) (string, error) {
	var taken []string
	for _, t := range r.tool.Tests() {
		taken = append(taken, t.Name)
	}
	if r.Name != "" {
		if slices.Contains(taken, r.Name) {
			return "", fmt.Errorf("there is a test %q already", r.Name)
		}
		return r.Name, nil
	}
	base := "recorded"
	if fields, err := spec.ReadMembers(input); err == nil && len(fields) > 0 {
		var parts []string
		for _, f := range fields {
			parts = append(parts, f.Name+"="+shownValue(f.Value))
		}
		base = "recorded with " + strings.Join(parts, ", ")
	}
	if base = shortened(base); utf8.RuneCountInString(base) > 60 {
		base = string([]rune(base)[:59]) + "…"
	}
	name := base
	for n := 2; slices.Contains(taken, name); n++ {
		name = fmt.Sprintf("%s (%d)", base, n)
	}
	return name, nil
}

// shownValue is a text as it is, anything else as JSON.
func shownValue(value json.RawMessage) string {
	if v, err := spec.ReadValue(value); err == nil {
		if text, ok := v.(string); ok {
			return text
		}
	}
	return string(value)
}
