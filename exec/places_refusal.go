package exec

import (
	"context"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Places is how the places for calls stand at a moment.
type Places struct {
	Most    int // places there are
	InUse   int
	Queue   int // calls that may wait
	Waiting int // that do, steps among them
	Tools   []ToolPlaces
	Refused map[string]uint64 // calls that were not begun since the program started, by what was in their way
}

// ToolPlaces is how it stands with a tool of which calls run or wait.
type ToolPlaces struct {
	Tool    string
	Running int // calls, those of steps too
	Waiting int
}

// What can be in the way of a call.
const (
	refusedQueue     = iota // as many wait as may
	refusedToolQueue        // as many calls of this tool
	refusedRate             // its turn by the rate is later than its deadline
	refusedLate             // its deadline came while it waited
	refusals
)

var refusalNames = [refusals]string{"queue", "tool_queue", "rate", "deadline"}

// Places tells how the places of the Env's tools stand.
func (e *Env) Places() Places {
	p := e.complete().places
	p.mu.Lock()
	defer p.mu.Unlock()
	told := Places{Most: p.most, InUse: p.taken, Queue: p.queue, Waiting: len(p.waiting), Refused: map[string]uint64{}}
	for i, n := range p.refused {
		told.Refused[refusalNames[i]] = n
	}
	for tool, t := range p.tools {
		if t.running > 0 || t.waiting > 0 {
			told.Tools = append(told.Tools, ToolPlaces{tool, t.running, t.waiting})
		}
	}
	return told
}

// refusal says why a call that has to wait may not, and takes it out of the queue; nil if it may.
func (p *places) refusal(ctx context.Context, w *waiter, now time.Time) error {
	why, err := p.inTheWay(ctx, w, now)
	if err != nil && p.remove(w) { // else it may begin by now
		p.refused[why]++
		return err
	}
	return nil
}

func (p *places) inTheWay(ctx context.Context, w *waiter, now time.Time) (why int, err error) {
	if deadline, ok := ctx.Deadline(); ok {
		if wait := p.turnByRate(w, now); wait > deadline.Sub(now) {
			return refusedRate, notBegun("%s; this call's turn comes in %s, which is later than its deadline; try again then", p.rateText(w), inSeconds(wait))
		}
	}
	switch {
	case w.step:
		return 0, nil
	case w.tally.queued > half(p.queue):
		return refusedToolQueue, notBegun("the tool %s is busy: %d of its calls run and %d wait, and no more may wait; try again a little later", w.tool, w.tally.running, w.tally.queued-1)
	case p.queued > p.queue:
		return refusedQueue, notBegun("the server is busy: %d calls run and %d wait, and no more may wait; try again a little later", p.taken, p.queued-1)
	}
	return 0, nil
}

// turnByRate is when the rates let a call begin, behind those that wait before it.
func (p *places) turnByRate(w *waiter, now time.Time) time.Duration {
	ofTool, ofAll := 0, 0
	for _, before := range p.waiting {
		if before == w {
			break
		}
		if before.tally == w.tally {
			ofTool++
		}
		if !before.step {
			ofAll++
		}
	}
	wait := w.tally.pace.at(w.rate, now).wait(w.rate, ofTool, now)
	if !w.step {
		wait = max(wait, p.pace.at(p.rate, now).wait(p.rate, ofAll, now))
	}
	return wait
}

func (p *places) rateText(w *waiter) string {
	if w.rate.IsZero() || !w.step && w.tally.pace.wait(w.rate, 0, time.Now()) == 0 {
		return "this server takes " + p.rate.String() + " calls"
	}
	return "the tool " + w.tool + " takes " + w.rate.String() + " calls"
}

// waitedInVain is what a call is told whose time was over before it could begin.
func (p *places) waitedInVain(ctx context.Context, s claim) error {
	if ctx.Err() == context.Canceled {
		return ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused[refusedLate]++
	running := 0
	if t := p.tools[s.tool]; t != nil {
		running = t.running
	}
	return notBegun("the tool %s is busy: this call waited for its turn until its deadline, and was not begun; %d of its calls run, %d of all, %d wait; try again a little later",
		s.tool, running, p.taken, p.queued)
}

// inSeconds is a time as one reads it aloud.
func inSeconds(d time.Duration) string {
	if d < time.Second {
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// claimOf is what every call of the tool asks for.
func (t *Tool) claimOf() claim {
	p := t.env.Policy
	s := claim{tool: t.Spec.Name, concurrency: int(t.Spec.Limits.Concurrency), rate: t.Spec.Limits.Rate, places: half(int(p.Limits.Concurrency))}
	if s.concurrency == 0 {
		s.concurrency = int(p.Defaults.Concurrency)
	}
	if s.rate.IsZero() {
		s.rate = p.Defaults.Rate
	}
	if s.concurrency > 0 {
		s.places = min(s.concurrency, p.Limits.oneTool())
	}
	return s
}

// oneTool is how many places one tool may hold: never all.
func (b Bounds) oneTool() int { return max(1, int(b.Concurrency)-1) }

// checkLimits refuses limits beyond what the operator allows.
func (s *Site) checkLimits() spec.Diagnostics {
	var ds spec.Diagnostics
	p, asked := s.Env.Policy, s.Spec.Limits
	if most := p.Limits.oneTool(); int(asked.Concurrency) > most {
		ds.Add(s.Spec.At("/limits/concurrency"), "limit", "limits.concurrency: want at most %d, have %d: the operator's policy lets %d calls run at once, and one tool may not hold all of these places%s",
			most, asked.Concurrency, p.Limits.Concurrency, p.toAllow("write limits: {concurrency: %d}", asked.Concurrency+1))
	}
	if most := p.Limits.Rate; !most.IsZero() && !asked.Rate.IsZero() && asked.Rate.PerSecond() > most.PerSecond() {
		ds.Add(s.Spec.At("/limits/rate"), "limit", "limits.rate: want at most %s, which is the operator's limit for all tools, have %s%s", most, asked.Rate, p.toAllow("write limits: {rate: %s}", asked.Rate))
	}
	return ds
}
