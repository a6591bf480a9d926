package exec

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// places bounds the calls of all tools of an Env: how many run at once, how many begin in a time, how many wait. A call that
// an agent makes takes one of the places; the tools that its steps call run within it, for two pipelines that waited for
// places of each other would wait for ever. What a tool's own file says holds for every call of it, steps too.
//
// A call takes all that it needs at once or waits with nothing in hand, so that no two can hold what the other waits for.
// What is counted goes by the tool's name, and so outlasts every edit of its file.
type places struct {
	most  int       // places there are
	queue int       // calls that may wait
	rate  spec.Rate // of calls that take a place

	mu      sync.Mutex
	taken   int
	queued  int // those of the waiting that count
	pace    *pace
	waiting []*waiter // the longest first
	tools   map[string]*tally
	sweep   int // how many tools may be known before those of whom nothing need be known are forgotten
	wake    *time.Timer
	refused [refusals]uint64
}

// tally is what is known of one tool.
type tally struct {
	running int // calls, steps among them
	held    int // places
	waiting int // calls, steps among them
	queued  int // those of them that count
	pace    *pace
}

// claim is what one call of a tool asks for.
type claim struct {
	tool        string
	concurrency int       // calls of the tool at once; 0: any number
	places      int       // that calls of the tool may hold
	rate        spec.Rate // of calls of the tool
	step        bool      // it runs within its caller's place
}

// waiter is a call that waits.
type waiter struct {
	claim
	tally    *tally
	admitted chan struct{} // closed when it may begin
}

func newPlaces(most Bounds) *places {
	return &places{most: int(most.Concurrency), queue: int(most.Queue), rate: most.Rate, tools: map[string]*tally{}, sweep: 64}
}

// half is what one tool gets of what there is for all, so that what hangs leaves the rest to the others.
func half(all int) int { return (all + 1) / 2 }

// enter waits until a call may begin, no longer than ctx lasts. Whoever has entered leaves.
func (p *places) enter(ctx context.Context, s claim) (*waiter, error) {
	p.mu.Lock()
	now := time.Now()
	w := &waiter{claim: s, tally: p.tally(s.tool, now)}
	if len(p.waiting) == 0 && p.fits(w, now) {
		p.take(w, now)
		p.mu.Unlock()
		return w, nil
	}
	w.admitted = make(chan struct{})
	p.waiting = append(p.waiting, w)
	p.count(w, 1)
	p.admit(now)
	err := p.refusal(ctx, w, now)
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case <-w.admitted:
	case <-ctx.Done():
		if p.giveUp(w) {
			return nil, p.waitedInVain(ctx, s)
		}
	}
	if ctx.Err() != nil { // its turn came when its time was over
		p.leave(w)
		return nil, p.waitedInVain(ctx, s)
	}
	return w, nil
}

// tally is the tool's, made where nothing is known of it.
func (p *places) tally(tool string, now time.Time) *tally {
	if t := p.tools[tool]; t != nil {
		return t
	}
	if len(p.tools) >= p.sweep { // a set of tools that is edited for months has had many names
		for name := range p.tools {
			p.forget(name, now)
		}
		p.sweep = 2*len(p.tools) + 64
	}
	t := &tally{}
	p.tools[tool] = t
	return t
}

// forget forgets a tool of which nothing need be known: a fresh start would be no other.
func (p *places) forget(tool string, now time.Time) {
	t := p.tools[tool]
	if t.running == 0 && t.waiting == 0 && t.pace.isRested(now) {
		delete(p.tools, tool)
	}
}

// count counts a call among those that wait. A step takes no room in the queue: it waits within its caller's place, and to
// refuse it would leave a pipeline half done.
func (p *places) count(w *waiter, by int) {
	w.tally.waiting += by
	if !w.step {
		p.queued += by
		w.tally.queued += by
	}
}

// fits tells whether a call could begin now.
func (p *places) fits(w *waiter, now time.Time) bool {
	if w.concurrency > 0 && w.tally.running >= w.concurrency || !w.step && (p.taken >= p.most || w.tally.held >= w.places) {
		return false
	}
	w.tally.pace = w.tally.pace.at(w.rate, now)
	if !w.step {
		p.pace = p.pace.at(p.rate, now)
	}
	return w.tally.pace.wait(w.rate, 0, now) == 0 && (w.step || p.pace.wait(p.rate, 0, now) == 0)
}

// take begins a call that fits.
func (p *places) take(w *waiter, now time.Time) {
	w.tally.running++
	w.tally.pace.take(w.rate, now)
	if !w.step {
		p.taken++
		w.tally.held++
		p.pace.take(p.rate, now)
	}
}

// admit begins every waiting call that can begin, the longest waiting first, and comes back when a rate lets the next.
func (p *places) admit(now time.Time) {
	p.waiting = slices.DeleteFunc(p.waiting, func(w *waiter) bool {
		if !p.fits(w, now) {
			return false
		}
		p.take(w, now)
		p.count(w, -1)
		close(w.admitted)
		return true
	})
	if p.wake != nil {
		p.wake.Stop()
		p.wake = nil
	}
	var next time.Duration
	for _, w := range p.waiting {
		wait := w.tally.pace.wait(w.rate, 0, now)
		if !w.step {
			wait = max(wait, p.pace.wait(p.rate, 0, now))
		}
		if wait > 0 && (next == 0 || wait < next) {
			next = wait
		}
	}
	if next > 0 {
		p.wake = time.AfterFunc(next, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.admit(time.Now())
		})
	}
}

// leave ends a call that has entered; nil has not.
func (p *places) leave(w *waiter) {
	if w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	w.tally.running--
	if !w.step {
		p.taken--
		w.tally.held--
	}
	if len(p.waiting) > 0 {
		p.admit(time.Now())
	}
}

// giveUp takes a call out of the queue; false when it may begin by now.
func (p *places) giveUp(w *waiter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.remove(w)
}

func (p *places) remove(w *waiter) bool {
	i := slices.Index(p.waiting, w)
	if i < 0 {
		return false
	}
	p.waiting = slices.Delete(p.waiting, i, i+1)
	p.count(w, -1)
	return true
}

// errNotBegun is the cause of every refusal here: the executor was not asked.
var errNotBegun = errors.New("the call was not begun")

func notBegun(format string, args ...any) error {
	e := spec.NewError(spec.CodeUnavailable, format, args...)
	e.Retryable, e.Err = true, errNotBegun
	return e
}

type placeKey struct{}

// admitted waits for what the call needs to begin. Calls that do nothing need nothing.
func (t *Tool) admitted(ctx context.Context, call *Call) (within context.Context, w *waiter, err error) {
	if call.Stub != nil || call.dry != nil {
		return ctx, nil, nil
	}
	s := t.claim
	s.step = ctx.Value(placeKey{}) == t.env.places
	w, err = t.env.places.enter(ctx, s)
	if err == nil && !s.step {
		ctx = context.WithValue(ctx, placeKey{}, t.env.places)
	}
	return ctx, w, err
}
