package exec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// maxItems is how often one step may run for the items of its each.
const maxItems = 1_000

// Execute runs the steps. Its value is that of the last step that ran; the first failure ends it.
func (p *pipeline) Execute(ctx context.Context, call *Call) (any, error) {
	values := make(map[string]any, len(p.steps))
	outer, last := call.Vars(), any(nil)
	for _, st := range p.steps {
		inner := p.enter(call, outer, st, values)
		value, ran, err := st.run(ctx, inner)
		if err != nil {
			return nil, err
		}
		values[st.id] = value
		if ran {
			last = value
			inner.hear(func() Answer { return Answer{IsValue: true, Value: value} })
		}
	}
	call.Show("steps", values)
	return last, nil
}

// enter is the call as a step sees it.
func (p *pipeline) enter(call *Call, outer *Vars, st *pipelineStep, values map[string]any) *Call {
	inner := *call
	inner.step = strings.TrimPrefix(call.step+"/"+st.id, "/")
	inner.vars = outer.With("steps", maps.Clone(values))
	return &inner
}

// run runs one step, unless its when says no.
func (st *pipelineStep) run(ctx context.Context, call *Call) (value any, ran bool, err error) {
	if st.when != nil {
		yes, err := st.when.Eval(ctx, call.Vars())
		if err != nil {
			return nil, false, st.failed("when", err)
		}
		if yes != true {
			return nil, false, nil
		}
	}
	if value, ok, err := call.Stub.value(stubSteps, st.id); ok {
		return value, true, st.failed("", err)
	}
	if st.each == nil {
		value, err = st.act(ctx, call, call.Use.ID+"/"+st.id)
		return value, true, st.failed("", err)
	}
	value, err = st.runEach(ctx, call)
	return value, true, err
}

func (st *pipelineStep) runEach(ctx context.Context, call *Call) (any, error) {
	items, err := st.items(ctx, call)
	if err != nil {
		return nil, st.failed("each", err)
	}
	values := make([]any, 0, len(items))
	for i, item := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		value, err := st.act(ctx, st.forItem(call, i, item), fmt.Sprintf("%s/%s[%d]", call.Use.ID, st.id, i))
		if err != nil {
			return nil, st.failed(fmt.Sprintf("item %d of %d", i+1, len(items)), err)
		}
		values = append(values, value)
	}
	return values, nil
}

// forItem is the call as one run of an each sees it.
func (st *pipelineStep) forItem(call *Call, i int, item any) *Call {
	inner := *call
	inner.step = fmt.Sprintf("%s[%d]", call.step, i)
	inner.vars = call.Vars().With("item", item)
	return &inner
}

// items are what each gives; null is an empty list.
func (st *pipelineStep) items(ctx context.Context, call *Call) ([]any, error) {
	value, err := st.each.Eval(ctx, call.Vars())
	if err == nil {
		value, err = spec.Plain(value)
	}
	if err != nil || value == nil {
		return nil, err
	}
	items, ok := value.([]any)
	if !ok {
		return nil, spec.NewError(spec.CodeFailed, "want a list, have %.100s", renderText(value))
	}
	if len(items) > maxItems {
		return nil, spec.NewError(spec.CodeFailed, "want at most %d items, have %d", maxItems, len(items))
	}
	return items, nil
}

// failed names the step in what went wrong within it.
func (st *pipelineStep) failed(where string, err error) error {
	if err == nil {
		return nil
	}
	if where != "" {
		where = ", " + where
	}
	e := *spec.AsError(err)
	e.Message, e.Err = "step "+st.id+where+": "+e.Message, err
	return &e
}

// act does what the step is for, once.
func (st *pipelineStep) act(ctx context.Context, call *Call, id string) (any, error) {
	text, err := st.given(ctx, call)
	if err != nil {
		return nil, err
	}
	if st.executor == nil {
		return st.callTool(ctx, call, id, text)
	}
	if call.tool != nil { // the steps before may have taken long
		if err := call.tool.checkExact(call); err != nil {
			return nil, err
		}
	}
	return plainOf(st.executor.Execute(ctx, call))
}

// given is the step's input, if the file has one; a Go function in place sees it as the call's arguments.
func (st *pipelineStep) given(ctx context.Context, call *Call) (json.RawMessage, error) {
	if st.input == nil {
		return nil, nil
	}
	input, err := st.input.eval(ctx, call.Vars())
	if err == nil {
		input, err = spec.Plain(input)
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(input)
	if err == nil && st.executor != nil {
		call.Args, err = st.accept(input, text)
	}
	return text, err
}

// accept is the input of a Go function in place, as the function's own schema has it.
func (st *pipelineStep) accept(input any, text json.RawMessage) (map[string]any, error) {
	if typed, ok := st.executor.(Typed); ok {
		schema, err := typed.InputSchema()
		if err != nil {
			return nil, err
		}
		in, err := schema.Accept(text)
		return in.Args, err
	}
	args, ok := input.(map[string]any)
	if !ok {
		return nil, spec.NewError(spec.CodeInvalidInput, "want an object as input, have %.100s", text)
	}
	return args, nil
}

// plainOf is what an executor in place answered, as the next step sees it.
func plainOf(value any, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if e, ok := value.(error); ok {
		return nil, e
	}
	r, isResult, err := spec.AsResult(value)
	switch {
	case err != nil:
		return nil, err
	case isResult && r.Status == spec.StatusError:
		return nil, failureOf(r)
	case isResult && r.Value != nil:
		return r.Value, nil
	}
	return spec.Plain(value)
}

// callTool calls another tool of the same snapshot, for its value.
func (st *pipelineStep) callTool(ctx context.Context, call *Call, id string, input json.RawMessage) (any, error) {
	tool, inner, err := st.reach(call, id, input)
	if err != nil {
		return nil, err
	}
	call.tell(func() Plan { return Plan{Tool: &PlannedFunc{Name: st.tool.Value, Input: input}} })
	if value, ok, err := call.Stub.value(stubTools, st.tool.Value); ok {
		return value, err
	}
	return tool.value(ctx, inner)
}

// reach finds the tool that the step calls, and makes the call of it.
func (st *pipelineStep) reach(call *Call, id string, input json.RawMessage) (*Tool, Call, error) {
	name := st.tool.Value
	callers := append(slices.Clone(call.callers), call.Use.Name)
	if i := slices.Index(callers, name); i >= 0 {
		return nil, Call{}, spec.NewError(spec.CodeFailed, "tools call each other in a circle: %s", strings.Join(append(callers[i:], name), " → "))
	}
	if call.Depth >= maxDepth {
		return nil, Call{}, spec.NewError(spec.CodeFailed, "tools call tools more than %d deep", maxDepth)
	}
	tool, err := findTool(call.Tools, name)
	if err != nil && !call.Stub.stubs(name) {
		call.recordStep(id, name, err)
		return nil, Call{}, err
	}
	return tool, Call{
		parent: call.Use.ID, Caller: call.Caller, Exact: call.Exact,
		Use: spec.ToolUse{ID: id, Name: name, Input: input}, Tools: call.Tools, Generation: call.Generation, Session: call.Session,
		User: call.User, Depth: call.Depth + 1, Progress: call.Progress, Log: call.Log, State: call.State, callers: callers,
		vault: call.vault, retries: call.retries, Stub: call.Stub.forTool(), Planned: call.Planned, Answered: call.Answered, step: call.step, cut: call.cut,
	}, nil
}

// findTool is the tool of that name; the error names the nearest.
func findTool(tools Tools, name string) (*Tool, error) {
	if tools == nil {
		return nil, spec.NewError(spec.CodeNotFound, "there is no tool %s: the call was made outside of a set of tools", name)
	}
	if tool, ok := tools.Tool(name); ok {
		return tool, nil
	}
	if set, ok := tools.(interface{ Refused(name string) error }); ok {
		if err := set.Refused(name); err != nil {
			return nil, err
		}
	}
	message := "there is no tool " + name
	if set, ok := tools.(interface{ All() iter.Seq[*Tool] }); ok {
		var names []string
		for tool := range set.All() {
			names = append(names, tool.Spec.Name)
		}
		if near := spec.Nearest(name, names); near != "" {
			message += "; did its author mean " + near + "?"
		}
	}
	return nil, &spec.Error{Code: spec.CodeNotFound, Message: message, Err: errors.New("a step names a tool that is not in the snapshot")}
}
