package loader

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/toolspec/toolspec/registry"
)

// Run keeps the registry true to the directory until ctx is done; then it returns nil, and has left nothing behind. It
// looks at everything at once, so that Sync need not have been called.
func (l *Loader) Run(ctx context.Context) error {
	r := &run{Loader: l, ctx: ctx, settle: newSettle(l.opts)}
	r.always = true
	defer r.deaf()
	r.lookFirst()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		timer.Reset(time.Until(r.next()))
		events, faults := r.channels()
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-events:
			r.event(e, ok)
		case err, ok := <-faults:
			r.fault(err, ok)
		case <-timer.C:
			r.step()
		}
	}
}

// lookFirst looks at everything, and watches it. What has changed since Sync is like what any later look finds that
// no event asked for.
func (r *run) lookFirst() {
	select {
	case <-r.loaded:
		r.lookAgain(time.Now())
	default:
		r.lookNow(everything(time.Now()))
	}
}

// run is the state of one Run.
type run struct {
	*Loader
	ctx      context.Context // of Run, for what is judged
	watch    *watch          // nil: polling
	settle   *settle
	scanAt   time.Time             // when everything is looked at next
	listenAt time.Time             // when events are tried again
	renamed  bool                  // directories changed places: watches must be made anew
	doubtAt  time.Time             // when it is made sure that they did not without an event
	faultAt  time.Time             // when the watch failed last
	earlier  map[string]string     // what the last look at everything found, not believed yet
	since    time.Time             // when it first found something
	differs  map[string]*differing // what differs from look to look
}

func (r *run) channels() (<-chan fsnotify.Event, <-chan error) {
	if r.watch == nil {
		return nil, nil
	}
	return r.watch.notify.events(), r.watch.notify.errors()
}

// next is when there is something to do if no event comes.
func (r *run) next() time.Time {
	due := r.settle.due(time.Now())
	if due.IsZero() || r.scanAt.Before(due) && !r.settle.gathering() {
		due = r.scanAt
	}
	if r.watch == nil {
		return due
	}
	return sooner(due, r.doubtAt)
}

func (r *run) event(e fsnotify.Event, ok bool) {
	if !ok {
		r.poll(errors.New("events ended"))
		return
	}
	if e.Op == 0 {
		return
	}
	paths, moved := r.watch.hints(e)
	r.renamed = r.renamed || moved
	now := time.Now()
	for _, path := range paths {
		r.settle.add(path, now)
	}
	r.checkWatch()
}

// step does what is due, if it still is once everything that has happened is known: the timer may come before events
// that have waited longer.
func (r *run) step() {
	r.catchUp()
	now := time.Now()
	r.doubt(now)
	t := r.settle.take(now)
	switch {
	case t.paths["."] != nil:
		r.lookNow(t)
	case len(t.paths) > 0:
		r.lookAt(t)
	case !now.Before(r.scanAt) && !r.settle.gathering():
		r.lookAgain(now)
	}
}

// lookAt looks at paths that have settled.
func (r *run) lookAt(t taken) {
	r.mu.Lock()
	defer r.mu.Unlock()
	findings, doubt := r.findPaths(r.watch, slices.Sorted(maps.Keys(t.paths)))
	switch {
	case doubt: // it is a directory by now, whose event is on its way or missed
		r.settle.add(".", time.Now())
		r.settle.putBack(t)
	case r.stands(t):
		r.finish(findings)
	}
}

// lookNow looks at everything, and believes it if nothing happens meanwhile.
func (r *run) lookNow(t taken) {
	r.mu.Lock()
	defer r.mu.Unlock()
	findings := r.findAll()
	if !r.stands(t) {
		return
	}
	r.finish(findings)
	r.rest()
	r.first.Do(func() { close(r.loaded) })
}

// stands tells whether what was found of some paths, one after the other, is what was there at one moment. If something
// happened meanwhile they wait for that to settle too; but no longer than a batch may take.
func (r *run) stands(t taken) bool {
	if !r.catchUp() || time.Since(t.first) >= r.opts.MaxBatch {
		return true
	}
	r.settle.putBack(t)
	return false
}

// catchUp takes in the events of everything that has happened until now, and tells whether any was news: not of a path
// that is written all the while anyway.
func (r *run) catchUp() bool {
	before := r.settle.news
	if w := r.watch; w != nil {
		last := w.notify.mark()
		for w == r.watch && r.takeIn(w.notify, last) {
		}
	}
	return r.settle.news != before
}

// patience is how long the event is waited for that is behind all others. It never comes when the queue is full, which
// is a fault of its own.
const patience = 200 * time.Millisecond

// takeIn takes one event in; false if it was the last, or there is none.
func (r *run) takeIn(n notifier, last string) bool {
	if last == "" {
		return r.takeArrived(n)
	}
	select {
	case e, ok := <-n.events():
		if ok && e.Name == last {
			return false
		}
		r.event(e, ok)
	case err, ok := <-n.errors():
		r.fault(err, ok)
	case <-time.After(patience):
		return false
	}
	return true
}

// takeArrived is takeIn where no event can be made to be the last.
func (r *run) takeArrived(n notifier) bool {
	select {
	case e, ok := <-n.events():
		r.event(e, ok)
	case err, ok := <-n.errors():
		r.fault(err, ok)
	default:
		return false
	}
	return true
}

// lookAgain looks at everything though no event asked for it. What it finds is believed when a second look finds the
// same: nobody said that it has settled. What differs at every look holds the rest up no longer than events would.
func (r *run) lookAgain(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	findings := r.findAll()
	if len(r.earlier) == 0 {
		r.since = now
	}
	found, believed := r.compare(findings, now)
	believed = believed && !r.catchUp()
	if len(found) == 0 || believed || now.Sub(r.since) >= r.opts.MaxBatch {
		r.finish(r.ripe(findings, now))
		r.rest()
		return
	}
	r.earlier, r.scanAt = found, time.Now().Add(r.opts.Settle)
	r.checkWatch()
}

// differing is a path that was found to be something else at each of some looks in a row.
type differing struct {
	since time.Time
	looks int
}

// isSlow tells whether so many looks were enough for anything that is not written without a pause.
func (d *differing) isSlow(o Options) bool { return d.looks > int(o.MaxSettle/o.Settle) }

// compare notes what differs from what the last look found. What was found is believed if that is nothing, or slow.
func (r *run) compare(findings []finding, now time.Time) (found map[string]string, believed bool) {
	found, believed = map[string]string{}, true
	differs := map[string]*differing{}
	differ := func(path string) {
		d := r.differs[path]
		if d == nil {
			d = &differing{since: now}
		}
		d.looks++
		differs[path] = d
		believed = believed && d.isSlow(r.opts)
	}
	for _, f := range findings {
		if !f.recheck {
			found[f.path] = f.key()
			if f.moving || r.earlier[f.path] != f.key() {
				differ(f.path)
			}
		}
	}
	for path := range r.earlier {
		if found[path] == "" {
			differ(path)
		}
	}
	r.differs = differs
	return found, believed
}

// ripe leaves out what is slow, unless it has been waited for long enough.
func (r *run) ripe(findings []finding, now time.Time) []finding {
	for path, d := range r.differs {
		if !d.isSlow(r.opts) || now.Sub(d.since) >= r.opts.SlowWrite {
			delete(r.differs, path)
		}
	}
	return slices.DeleteFunc(findings, func(f finding) bool { return r.differs[f.path] != nil })
}

// rest waits for the next look at everything.
func (r *run) rest() {
	r.earlier = nil
	wait := r.opts.Rescan
	if r.watch == nil {
		wait = pollAnyway
		if r.opts.Poll > 0 {
			wait = r.opts.Poll
		}
	}
	r.scanAt = time.Now().Add(wait)
}

// finish applies findings, except of what is known to have changed since, and comes back to those that did not stand
// still, or could not be read.
func (r *run) finish(findings []finding) registry.Change {
	now := time.Now()
	findings = slices.DeleteFunc(findings, func(f finding) bool { return r.settle.batch[f.path] != nil })
	for _, f := range findings {
		if f.moving || f.err != nil && !withdraws(f.err) {
			r.settle.again(f.path, now)
		}
	}
	change := r.apply(r.ctx, findings)
	if r.watch != nil {
		r.watchScripts(findings)
	}
	r.checkWatch()
	return change
}

// watchScripts watches what is new of scripts; a look at everything watches the others.
func (r *run) watchScripts(findings []finding) {
	for _, f := range findings {
		if rec := r.records[f.path]; rec != nil {
			r.watch.scripts(f.path, rec.beside)
		}
	}
}
