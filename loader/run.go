package loader

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/toolspec/toolspec/registry"
)

// Run keeps the registry true to the directory until ctx is done; then it returns nil, and has left nothing behind. It
// looks at everything at once, so that Sync need not have been called.
func (l *Loader) Run(ctx context.Context) error {
	r := &run{Loader: l, settle: newSettle(l.opts)}
	r.always = true
	defer r.deaf()
	r.lookNow()
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
			r.step(time.Now())
		}
	}
}

// run is the state of one Run.
type run struct {
	*Loader
	watch    *watch // nil: polling
	settle   *settle
	scanAt   time.Time         // when everything is looked at next
	listenAt time.Time         // when events are tried again
	renamed  bool              // directories changed places: watches must be made anew
	faultAt  time.Time         // when the watch failed last
	earlier  map[string]string // what the last look at everything found, not believed yet
	since    time.Time         // when it first found something
}

func (r *run) channels() (<-chan fsnotify.Event, <-chan error) {
	if r.watch == nil {
		return nil, nil
	}
	return r.watch.notify.events(), r.watch.notify.errors()
}

// next is when there is something to do if no event comes.
func (r *run) next() time.Time {
	due := r.settle.due()
	if due.IsZero() || r.scanAt.Before(due) && !r.settle.gathering() {
		return r.scanAt
	}
	return due
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

// step does what is due.
func (r *run) step(now time.Time) {
	paths := r.settle.take(now)
	all := false
	for _, path := range paths {
		all = all || path == "."
	}
	switch {
	case all:
		r.lookNow()
	case len(paths) > 0:
		r.lookAt(paths)
	case !now.Before(r.scanAt) && !r.settle.gathering():
		r.lookAgain(now)
	}
}

// lookAt looks at paths that have settled.
func (r *run) lookAt(paths []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	findings, doubt := r.findPaths(r.watch, paths)
	if doubt {
		findings = r.findAll(r.watch, r.settle.slow)
	}
	r.finish(findings)
}

// lookNow looks at everything, and believes it.
func (r *run) lookNow() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listen()
	r.finish(r.findAll(r.watch, r.settle.slow))
	r.rest()
	r.first.Do(func() { close(r.loaded) })
}

// lookAgain looks at everything though no event asked for it. What it finds is believed when a second look finds the
// same: nobody said that it has settled.
func (r *run) lookAgain(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listen()
	findings := r.findAll(r.watch, r.settle.slow)
	found := make(map[string]string, len(findings))
	still := true
	for _, f := range findings {
		if !f.recheck {
			found[f.path] = f.key()
			still = still && !f.moving
		}
	}
	if len(r.earlier) == 0 {
		r.since = now
	}
	if len(found) == 0 || still && maps.Equal(found, r.earlier) || now.Sub(r.since) >= r.opts.MaxBatch {
		r.finish(findings)
		r.rest()
		return
	}
	r.earlier, r.scanAt = found, time.Now().Add(r.opts.Settle)
	r.checkWatch()
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

// finish applies findings, and comes back to those that did not stand still, or could not be read.
func (r *run) finish(findings []finding) registry.Change {
	now := time.Now()
	for _, f := range findings {
		if f.moving || f.err != nil && f.err != errNowhere {
			r.settle.again(f.path, now)
		}
	}
	change := r.apply(findings)
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
