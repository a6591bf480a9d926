package loader

import (
	"errors"
	"time"

	"github.com/fsnotify/fsnotify"
)

// pollAnyway is how often a directory is looked at whose events cannot be had.
const pollAnyway = 2 * time.Second

// listen asks for events: at first, again where they were given up, and anew where they cannot be trusted.
func (r *run) listen() {
	switch {
	case r.opts.Poll > 0:
		r.setStatus(func(s *Status) { s.Mode = ModePolling })
		return
	case r.watch != nil && !r.renamed, r.watch == nil && time.Now().Before(r.listenAt):
		return
	}
	mayDiffer := r.watch == nil
	r.deaf()
	r.renamed = false
	if err := r.silent(r.dir); err != nil {
		r.poll(err)
		return
	}
	n, err := r.opts.notify()
	if err != nil {
		r.poll(err)
		return
	}
	w, err := newWatch(n, r.dir, r.silent)
	if err != nil {
		_ = n.Close() // nothing was watched yet
		r.poll(err)
		return
	}
	r.watch, r.always = w, mayDiffer
}

// silent says why nothing tells of changes in a directory; nil if something does.
func (r *run) silent(dir string) error {
	if kind := r.opts.silent(dir); kind != "" {
		return errors.New(kind + " tells nothing of what others change")
	}
	return nil
}

// findAll looks at everything, and knows then whether all of it is watched.
func (r *run) findAll() []finding {
	r.listen()
	findings := r.Loader.findAll(r.watch, r.settle.slow)
	r.checkWatch()
	if r.watch == nil {
		return findings
	}
	now := time.Now()
	r.always, r.doubtAt = false, now.Add(pollAnyway)
	if r.watch.late {
		r.settle.add(".", now)
	}
	r.setStatus(func(s *Status) {
		if s.Warning != "" {
			r.opts.Log.Info("watching again", "dir", r.dir)
		}
		s.Mode, s.Warning = ModeEvents, ""
	})
	return findings
}

// checkWatch falls back to polling if something could not be watched.
func (r *run) checkWatch() {
	if r.watch != nil && r.watch.err != nil {
		r.poll(r.watch.err)
	}
}

// doubt looks, every so often, whether the directories that are watched are still those of the tree.
func (r *run) doubt(now time.Time) {
	if r.watch == nil || now.Before(r.doubtAt) {
		return
	}
	r.doubtAt = now.Add(pollAnyway)
	if r.watch.displaced() {
		r.renamed = true
		r.settle.add(".", now)
	}
}

// poll gives events up for a while: until the next look at everything that is Rescan away.
func (r *run) poll(err error) {
	r.deaf()
	r.listenAt = time.Now().Add(r.opts.Rescan)
	if next := time.Now().Add(pollAnyway); next.Before(r.scanAt) {
		r.scanAt = next
	}
	warning := "polling every " + pollAnyway.String() + ": " + advice(err)
	r.setStatus(func(s *Status) {
		if s.Warning != warning {
			r.opts.Log.Warn(warning, "dir", r.dir, "err", err)
		}
		s.Mode, s.Warning = ModePolling, warning
	})
}

// deaf ends the watch, and waits until nothing of it is left.
func (r *run) deaf() {
	if r.watch == nil {
		return
	}
	_ = r.watch.notify.Close() // there is no other way to end it
	r.watch, r.always = nil, true
}

// fault deals with events that may be lost: everything is looked at, and watched anew unless it was the queue alone that
// was too short. A watch that fails again at once is given up.
func (r *run) fault(err error, ok bool) {
	now := time.Now()
	again := now.Sub(r.faultAt) < r.opts.MaxBatch
	switch {
	case !ok:
		r.poll(errors.New("events ended"))
		return
	case errors.Is(err, fsnotify.ErrEventOverflow):
	case again:
		r.poll(err)
		return
	default:
		r.faultAt, r.renamed = now, true
	}
	r.settle.add(".", now)
}
