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
	r.deaf()
	r.renamed = false
	if kind := r.opts.silent(r.dir); kind != "" {
		r.poll(errors.New(kind + " tells nothing of what others change"))
		return
	}
	n, err := r.opts.notify()
	if err != nil {
		r.poll(err)
		return
	}
	w, err := newWatch(n, r.dir)
	if err != nil {
		_ = n.Close() // nothing was watched yet
		r.poll(err)
		return
	}
	r.watch, r.always = w, false
	r.setStatus(func(s *Status) {
		if s.Warning != "" {
			r.opts.Log.Info("watching again", "dir", r.dir)
		}
		s.Mode, s.Warning = ModeEvents, ""
	})
}

// checkWatch falls back to polling if something could not be watched.
func (r *run) checkWatch() {
	if r.watch != nil && r.watch.err != nil {
		r.poll(r.watch.err)
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
