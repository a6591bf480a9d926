package exec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// hall is a set of tools whose calls hold their places until they are let go, under a clock of its own.
type hall struct {
	t     *testing.T
	env   *Env
	tools map[string]*Tool

	mu    sync.Mutex
	began []string                 // ids of the calls that have begun, in order
	ends  map[string]chan struct{} // by id
}

// newHall makes tools that hang: of "name: more lines of its file" each, on one line.
func newHall(t *testing.T, most Bounds, files ...string) *hall {
	h := &hall{t: t, tools: map[string]*Tool{}, ends: map[string]chan struct{}{}}
	h.env = &Env{Policy: DefaultPolicy(), Funcs: map[string]Executor{"hang": ExecutorFunc(h.hang)}}
	h.env.Policy.Limits = most.or(h.env.Policy.Limits)
	for _, file := range files {
		h.load(file)
	}
	return h
}

func (h *hall) load(file string) {
	h.t.Helper()
	name, more, _ := strings.Cut(file, ": ")
	if !strings.Contains(more, "executor") {
		more = strings.TrimSpace("executor: {func: hang}\n" + more)
	}
	s, ds := spec.Parse(name+".yaml", []byte("name: "+name+"\ndescription: A tool.\ntimeout: 1m\n"+more+"\n"))
	if ds.HasErrors() {
		h.t.Fatal(ds)
	}
	tool, ds := StandardKinds().Compile(h.env, s)
	if ds.HasErrors() {
		h.t.Fatal(ds)
	}
	h.tools[name] = tool
}

func (h *hall) Tool(name string) (*Tool, bool) { t, ok := h.tools[name]; return t, ok }

func (h *hall) end(id string) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ends[id] == nil {
		h.ends[id] = make(chan struct{})
	}
	return h.ends[id]
}

func (h *hall) hang(ctx context.Context, call *Call) (any, error) {
	h.mu.Lock()
	h.began = append(h.began, call.Use.ID)
	h.mu.Unlock()
	select {
	case <-h.end(call.Use.ID):
		return "done", nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// call calls a tool; its result comes when there is one.
func (h *hall) call(ctx context.Context, name, id string) <-chan spec.ToolResult {
	came := make(chan spec.ToolResult, 1)
	go func() {
		came <- h.tools[name].Call(ctx, Call{Use: spec.ToolUse{ID: id, Name: name}, Tools: h})
	}()
	synctest.Wait()
	return came
}

func (h *hall) letGo(ids ...string) {
	for _, id := range ids {
		close(h.end(id))
		synctest.Wait()
	}
}

// begun compares which calls have begun since it was last asked.
func (h *hall) begun(want string) {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if have := strings.Join(h.began, " "); have != want {
		h.t.Errorf("have begun %q, want %q", have, want)
	}
	h.began = nil
}

// quiet checks that nothing is left of all calls.
func (h *hall) quiet() {
	h.t.Helper()
	if p := h.env.complete().places; p.taken != 0 || p.queued != 0 || len(p.waiting) != 0 || len(h.env.Places().Tools) != 0 {
		h.t.Errorf("something is left: %+v", p)
	}
}

func TestAHungToolLeavesPlacesToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{Concurrency: 4, Queue: 4}, "hung", "other")
		ctx, cancel := context.WithCancel(t.Context())
		for i := range 4 {
			h.call(ctx, "hung", fmt.Sprint("h", i))
		}
		h.begun("h0 h1") // half of the places; two wait, which is half of the queue
		full := <-h.call(ctx, "hung", "h4")
		if codeOf(full) != spec.CodeUnavailable || !full.Metadata.Error.Retryable || text(full) != "Error: the tool hung is busy: 2 of its calls run and 2 wait, and no more may wait; try again a little later" {
			t.Errorf("have %s", text(full))
		}
		a, b := h.call(t.Context(), "other", "a"), h.call(t.Context(), "other", "b")
		h.begun("a b")
		c := h.call(t.Context(), "other", "c")
		h.begun("")
		h.letGo("a")
		h.begun("c") // though the hung ones wait longer
		d := h.call(t.Context(), "other", "d")
		if p := h.env.Places(); p.InUse != 4 || p.Waiting != 3 || p.Refused["tool_queue"] != 1 || len(p.Tools) != 2 {
			t.Errorf("have %+v", p)
		}
		h.letGo("b", "c", "d")
		for _, came := range []<-chan spec.ToolResult{a, b, c, d} {
			if r := <-came; r.Status != spec.StatusSuccess {
				t.Error(text(r))
			}
		}
		cancel()
		synctest.Wait()
		h.quiet()
	})
}

func TestPlacesWithoutAPolicy(t *testing.T) {
	for _, env := range []*Env{{}, {Policy: DefaultPolicy()}, {Policy: Policy{Kinds: []string{"http"}}}} {
		if p := env.Places(); p.Most != 16 || p.Queue != 64 {
			t.Errorf("have %+v", p)
		}
	}
}

func TestTheQueueIsBoundedForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{Concurrency: 1, Queue: 3}, "a", "b", "c")
		ctx, cancel := context.WithCancel(t.Context())
		for _, id := range []string{"a0", "a1", "a2", "b0"} {
			h.call(ctx, id[:1], id)
		}
		r := <-h.call(ctx, "c", "c0")
		if codeOf(r) != spec.CodeUnavailable || text(r) != "Error: the server is busy: 1 calls run and 3 wait, and no more may wait; try again a little later" {
			t.Errorf("have %s", text(r))
		}
		cancel()
		synctest.Wait()
		h.quiet()
	})
}

func TestWhoWaitsLongestIsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{Concurrency: 3}, "one: limits: {concurrency: 1}", "two")
		for _, id := range []string{"one0", "one1", "two0", "two1", "two2", "one2"} {
			h.call(t.Context(), id[:3], id)
		}
		h.begun("one0 two0 two1")
		h.letGo("one0")
		h.begun("one1") // before two2, which has as many as it may
		h.letGo("two0")
		h.begun("two2")
		h.letGo("one1", "one2", "two1", "two2")
		h.begun("one2")
		h.quiet()
	})
}

func TestWaitingEndsWithTheCallerAndTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{}, "one: limits: {concurrency: 1}")
		h.call(t.Context(), "one", "1")
		ctx, cancel := context.WithCancel(t.Context())
		gone := h.call(ctx, "one", "2")
		soon, done := context.WithTimeout(t.Context(), 30*time.Second)
		defer done()
		late := h.call(soon, "one", "3")
		cancel()
		if r := <-gone; codeOf(r) != spec.CodeCanceled {
			t.Errorf("have %s", text(r))
		}
		r := <-late
		if codeOf(r) != spec.CodeUnavailable || !r.Metadata.Error.Retryable || !strings.Contains(text(r), "waited for its turn until its deadline, and was not begun") {
			t.Errorf("have %s %s", codeOf(r), text(r))
		}
		h.begun("1")
		h.letGo("1")
		h.quiet()
	})
}

// TestStepsRunWithinTheirCallersPlace has as many pipelines as there are places, and calls of their step's tool beside.
func TestStepsRunWithinTheirCallersPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{Concurrency: 2}, "one: limits: {concurrency: 1}",
			"p: executor: {pipeline: [{id: x, tool: one}]}", "q: executor: {pipeline: [{id: x, tool: one}]}")
		direct := h.call(t.Context(), "one", "d")
		p := h.call(t.Context(), "p", "p")
		q := h.call(t.Context(), "q", "q")
		again := h.call(t.Context(), "one", "e")
		h.begun("d") // p waits for its step; q for a place
		h.letGo("d")
		h.begun("p/x")
		h.letGo("p/x", "q/x", "e")
		h.begun("q/x e")
		for _, came := range []<-chan spec.ToolResult{direct, p, q, again} {
			if r := <-came; r.Status != spec.StatusSuccess {
				t.Error(text(r))
			}
		}
		h.quiet()
	})
}

// TestAToolOfAGoFunctionRunsWithinItsPlace: who hands on the context holds its place already.
func TestAToolOfAGoFunctionRunsWithinItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{Concurrency: 1}, "inner: executor: {expr: '1'}")
		h.env.Funcs["outer"] = ExecutorFunc(func(ctx context.Context, call *Call) (any, error) {
			return h.tools["inner"].Call(ctx, Call{}), nil
		})
		h.load("outer: executor: {func: outer}")
		if r := <-h.call(t.Context(), "outer", "o"); r.Status != spec.StatusSuccess || text(r) != "1" {
			t.Error(text(r))
		}
	})
}

func TestRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{Concurrency: 100, Queue: 100}, "two: limits: {rate: 2/s}", "hourly: limits: {rate: 1/h}")
		start := time.Now()
		began := func(id string) time.Duration {
			h.call(t.Context(), "two", id)
			for {
				h.mu.Lock()
				n := len(h.began)
				h.mu.Unlock()
				if n > 0 {
					h.begun(id)
					return time.Since(start).Round(time.Millisecond)
				}
				time.Sleep(time.Millisecond)
				synctest.Wait()
			}
		}
		for i, want := range []time.Duration{0, 0, 500 * time.Millisecond, time.Second} { // two at once, then evenly
			if have := began(fmt.Sprint(i)); have < want || have > want+2*time.Millisecond {
				t.Errorf("call %d began after %s, want %s", i, have, want)
			}
		}
		h.load("two: limits: {rate: 2/s}\ntitle: Edited") // which does not let two begin at once
		if have := began("after"); have < 1400*time.Millisecond {
			t.Errorf("after an edit: have %s", have)
		}
		h.call(t.Context(), "hourly", "h")
		h.begun("h")
		r := <-h.call(t.Context(), "hourly", "never")
		if codeOf(r) != spec.CodeUnavailable || text(r) != "Error: the tool hourly takes 1/h calls; this call's turn comes in 1h0m0s, which is later than its deadline; try again then" {
			t.Errorf("have %s", text(r))
		}
		h.letGo("0", "1", "2", "3", "after", "h")
		time.Sleep(2 * time.Hour)
		for i := range 1_000 { // tools come and go
			h.load(fmt.Sprintf("t%d: executor: {expr: '1'}\nlimits: {rate: 1/s}", i))
			<-h.call(t.Context(), fmt.Sprint("t", i), "x")
			time.Sleep(time.Second)
		}
		if p := h.env.complete().places; len(p.tools) > 150 {
			t.Errorf("%d tools are remembered", len(p.tools))
		}
	})
}

func TestARateForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{Rate: spec.Rate{N: 2, Per: time.Minute}}, "a", "b", "p: executor: {pipeline: [{id: x, tool: a}, {id: y, tool: b}]}")
		h.call(t.Context(), "p", "p")
		h.letGo("p/x", "p/y")
		h.call(t.Context(), "a", "a")
		h.begun("p/x p/y a") // steps do not count
		h.call(t.Context(), "b", "b")
		if r := <-h.call(t.Context(), "a", "late"); text(r) != "Error: this server takes 2/m calls; this call's turn comes in 1m0s, which is later than its deadline; try again then" {
			t.Errorf("have %s", text(r))
		}
		time.Sleep(30*time.Second + time.Millisecond)
		synctest.Wait()
		h.begun("b")
		h.letGo("a", "b")
	})
}

func TestAnEditDoesNotDoubleTheConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{}, "one: limits: {concurrency: 1}")
		h.call(t.Context(), "one", "1")
		h.load("one: limits: {concurrency: 2}")
		h.call(t.Context(), "one", "2")
		h.call(t.Context(), "one", "3")
		h.begun("1 2")
		h.letGo("1", "2", "3")
		h.quiet()
	})
}

func TestWhatDoesNothingTakesNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{Concurrency: 1}, "one: executor: {expr: '1'}\nlimits: {rate: 1/h}", "hung")
		h.call(t.Context(), "hung", "1")
		for range 3 {
			if _, r := h.tools["one"].Plan(t.Context(), Call{}); r.Status == spec.StatusError {
				t.Error(text(r))
			}
			if r := h.tools["one"].Call(t.Context(), Call{Stub: &Stub{}}); r.Status != spec.StatusSuccess {
				t.Error(text(r))
			}
			if r := h.tools["hung"].Call(t.Context(), Call{Use: spec.ToolUse{Input: []byte(`{"x": 1}`)}}); codeOf(r) != spec.CodeInvalidInput {
				t.Error("what is refused needs no place")
			}
		}
		h.letGo("1")
		h.quiet()
	})
}

// TestACrashLeavesItsPlace: panics of executors and of shaping, of callbacks too.
func TestACrashLeavesItsPlace(t *testing.T) {
	h := newHall(t, Bounds{Concurrency: 1}, "a")
	h.env.Funcs["crash"] = ExecutorFunc(func(context.Context, *Call) (any, error) { panic("x") })
	h.env.Funcs["late"] = ExecutorFunc(func(context.Context, *Call) (any, error) { return crashingJSON{}, nil })
	h.env.Funcs["fine"] = give("fine")
	for _, name := range []string{"crash", "late"} {
		h.load(name + ": executor: {func: " + name + "}")
		for range 3 {
			if r := h.tools[name].Call(t.Context(), Call{}); codeOf(r) != spec.CodeInternal {
				t.Errorf("%s: have %s", name, text(r))
			}
		}
	}
	h.quiet()
}

// crashingJSON crashes whoever writes it as JSON.
type crashingJSON struct{}

func (crashingJSON) MarshalJSON() ([]byte, error) { panic("in the middle of shaping") }

func TestAnObserverThatCrashesLeavesTheResult(t *testing.T) {
	tool := compile(t, "executor: {expr: '1'}\n", nil, func(e *Env) { e.Observe = func(Event) error { panic("counting") } })
	if r := tool.Call(t.Context(), use(`{}`)); r.Status != spec.StatusSuccess || text(r) != "1" {
		t.Errorf("have %s", text(r))
	}
}

func TestLimitsBeyondThePolicy(t *testing.T) {
	for limits, want := range map[string]string{
		"{concurrency: 4}": "limits.concurrency: want at most 3, have 4: the operator's policy lets 4 calls run at once, and one tool may not hold all of these places; to allow it, write limits: {concurrency: 5} in p.yaml",
		"{rate: 2/s}":      "limits.rate: want at most 100/m, which is the operator's limit for all tools, have 2/s; to allow it, write limits: {rate: 2/s} in p.yaml",
		"{concurrency: 3}": "", "{rate: 6000/h}": "",
	} {
		policy := DefaultPolicy()
		policy.File, policy.Limits.Concurrency, policy.Limits.Rate = "p.yaml", 4, spec.Rate{N: 100, Per: time.Minute}
		s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\nexecutor: {expr: '1'}\nlimits: "+limits+"\n"))
		if !ds.HasErrors() {
			_, ds = StandardKinds().Compile(&Env{Policy: policy}, s)
		}
		if have := ds.Error(); have != want && have != "t.yaml:4:"+fmt.Sprint(strings.Index("limits: "+limits, ": ")+1)+": error: limit: "+want && !strings.HasSuffix(have, want) || want == "" && len(ds) > 0 {
			t.Errorf("%s: have %s\nwant %s", limits, have, want)
		}
	}
}

// TestManyCallsAtOnce has hundreds of calls come, wait, end, crash and go, and counts those that run at the same time.
func TestManyCallsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, Bounds{Concurrency: 6, Queue: 40})
		var running, most sync.Map // by tool; of all under ""
		count := func(tool string, by int) {
			h.mu.Lock()
			defer h.mu.Unlock()
			n, _ := running.LoadOrStore(tool, 0)
			running.Store(tool, n.(int)+by)
			if m, _ := most.LoadOrStore(tool, 0); n.(int)+by > m.(int) {
				most.Store(tool, n.(int)+by)
			}
		}
		h.env.Funcs["work"] = ExecutorFunc(func(ctx context.Context, call *Call) (any, error) {
			for _, of := range []string{"", call.Use.Name} {
				count(of, 1)
				defer count(of, -1)
			}
			switch rand.N(10) {
			case 0:
				panic("now and then")
			case 1:
				<-ctx.Done()
				return nil, ctx.Err()
			}
			time.Sleep(rand.N(time.Second))
			return 1, nil
		})
		h.load("a: executor: {func: work}")
		h.load("b: executor: {func: work}\nlimits: {concurrency: 2, rate: 20/s}")
		h.load("c: executor: {pipeline: [{id: x, tool: b}, {id: y, tool: b}]}")
		var calls sync.WaitGroup
		for range 600 {
			calls.Go(func() {
				time.Sleep(rand.N(2 * time.Minute))
				ctx, cancel := context.WithTimeout(t.Context(), rand.N(20*time.Second))
				defer cancel()
				name := []string{"a", "b", "c"}[rand.N(3)]
				h.tools[name].Call(ctx, Call{Tools: h})
			})
		}
		calls.Wait()
		for tool, bound := range map[string]int{"": 5, "a": 3, "b": 2} { // a pipeline works in its steps alone
			if have, _ := most.Load(tool); have != bound {
				t.Errorf("%v of %q ran at once, want %d", have, tool, bound)
			}
		}
		time.Sleep(time.Minute)
		if p := h.env.Places(); p.InUse != 0 || p.Waiting != 0 || len(p.Tools) != 0 || p.Refused["deadline"] == 0 {
			t.Errorf("have %+v", p)
		}
	})
}

// lastMoment is a context whose time is over at the moment at which it is first waited for, after something else.
type lastMoment struct {
	context.Context
	first sync.Once
	do    func()
}

func (c *lastMoment) Done() <-chan struct{} {
	c.first.Do(c.do)
	over := make(chan struct{})
	close(over)
	return over
}

func (*lastMoment) Err() error { return context.DeadlineExceeded }

// TestATurnThatComesWithTheDeadline: what is let in when its time is over has not begun, says so, and holds nothing.
func TestATurnThatComesWithTheDeadline(t *testing.T) {
	for range 20 { // each of the two may be seen first
		p := newPlaces(Bounds{Concurrency: 1, Queue: 5})
		one, err := p.enter(t.Context(), claim{tool: "one", places: 1})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.enter(&lastMoment{Context: t.Context(), do: func() { p.leave(one) }}, claim{tool: "two", places: 1})
		if err == nil || !strings.Contains(err.Error(), "was not begun") || p.taken != 0 || p.queued != 0 || len(p.waiting) != 0 {
			t.Fatalf("%v; %d places taken, %d wait", err, p.taken, p.queued)
		}
	}
}
