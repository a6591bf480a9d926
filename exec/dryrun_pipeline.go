package exec

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// plan goes through the steps as Execute does. A step that reads what an earlier one would give waits for it.
func (p *pipeline) plan(ctx context.Context, call *Call) (last any, known bool, err error) {
	values, open := map[string]any{}, map[string]bool{}
	outer, known := call.Vars(), true
	for _, st := range p.steps {
		inner := p.enter(call, outer, st, values)
		inner.dry = call.dry.inStep(st)
		value, ran, sure, err := st.plan(ctx, inner, open)
		if err != nil {
			return nil, false, err
		}
		if sure {
			values[st.id] = value
		} else {
			open[st.id] = true
		}
		if ran {
			last, known = value, sure
		}
	}
	return last, known, nil
}

// plan tells what one step would do; sure tells whether its value is known.
func (st *pipelineStep) plan(ctx context.Context, call *Call, open map[string]bool) (value any, ran, sure bool, err error) {
	if waits := st.waits(open); len(waits) > 0 {
		call.tell(func() Plan { return Plan{Waits: waits, Template: st.at.Value()} })
		return nil, true, false, nil
	}
	if st.when != nil {
		yes, err := st.when.Eval(ctx, call.Vars())
		if err != nil {
			return nil, false, false, st.failed("when", err)
		}
		if yes != true {
			call.tell(func() Plan { return Plan{Skipped: true} })
			return nil, false, true, nil
		}
	}
	if value, ok, err := call.Stub.value(stubSteps, st.id); ok {
		return value, true, true, st.failed("", err)
	}
	if st.each == nil {
		value, sure, err = st.planAct(ctx, call)
		return value, true, sure, st.failed("", err)
	}
	value, sure, err = st.planEach(ctx, call)
	return value, true, sure, err
}

func (st *pipelineStep) planEach(ctx context.Context, call *Call) (value any, sure bool, err error) {
	items, err := st.items(ctx, call)
	if err != nil {
		return nil, false, st.failed("each", err)
	}
	values, sure := make([]any, 0, len(items)), true
	for i, item := range items {
		inner := st.forItem(call, i, item)
		value, known, err := st.planAct(ctx, inner)
		if err != nil {
			return nil, false, st.failed(fmt.Sprintf("item %d of %d", i+1, len(items)), err)
		}
		values, sure = append(values, value), sure && known
	}
	return values, sure, nil
}

// planAct tells what the step is for, once.
func (st *pipelineStep) planAct(ctx context.Context, call *Call) (any, bool, error) {
	text, err := st.given(ctx, call)
	if err != nil {
		return nil, false, err
	}
	if st.executor != nil {
		return planOf(ctx, call, st.executor, st.kind)
	}
	tool, inner, err := st.reach(call, call.Use.ID, text)
	if err != nil {
		return nil, false, err
	}
	call.tell(func() Plan {
		f := &PlannedFunc{Name: st.tool.Value, Input: text}
		if tool != nil { // else it is stubbed
			f.Unavailable = tool.missing
		}
		return Plan{Tool: f}
	})
	if value, ok, err := call.Stub.value(stubTools, st.tool.Value); ok {
		return value, true, err
	}
	if err := tool.enterDry(&inner); err != nil {
		return nil, false, err
	}
	_, _, err = planOf(ctx, &inner, tool.executor, tool.Spec.Kind)
	return nil, false, err // its result may make another value of it
}

// waits are the steps among open whose value this one reads, as steps.ID.
func (st *pipelineStep) waits(open map[string]bool) []string {
	reads := st.reads
	if _, ok := st.executor.(*pipeline); ok { // its steps see each other alone
		reads = slices.DeleteFunc([]*Expr{st.when, st.each}, func(e *Expr) bool { return e == nil })
	}
	var waits []string
	for _, m := range mentionsOf(reads) {
		if m.path[0].key != "steps" {
			continue
		}
		for _, id := range slices.Sorted(maps.Keys(open)) {
			if (len(m.path) == 1 || m.path[1].key == id) && !slices.Contains(waits, "steps."+id) {
				waits = append(waits, "steps."+id)
			}
		}
	}
	slices.Sort(waits)
	return waits
}
