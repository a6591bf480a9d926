package loader

import "time"

// settle decides when paths that events named are looked at. Time is what its callers say it is.
//
// Paths named since the last time form a batch. It is taken up when all of it has been quiet; or, once it is old
// enough, what is quiet of it, as soon as no new path joins it; or when it is too old. Whatever has been written without
// a pause all the while is slow: it waits for its own quiet, and holds nothing else up.
type settle struct {
	quiet, batchAge, batchMax, slowMax time.Duration

	batch, slow map[string]*hint
	first, last time.Time // of the batch's events
	grown       time.Time // when the batch was last joined by a path
	news        int       // counts events on paths that are not slow
}

// hint is a path that events named. Since is when the last events began that came without a pause.
type hint struct{ first, since, last time.Time }

func newHint(now time.Time) *hint { return &hint{now, now, now} }

func (h *hint) add(now time.Time, quiet time.Duration) {
	if now.Sub(h.last) >= quiet {
		h.since = now
	}
	h.last = now
}

func newSettle(o Options) *settle {
	return &settle{
		quiet: o.Settle, batchAge: o.MaxSettle, batchMax: o.MaxBatch, slowMax: o.SlowWrite,
		batch: map[string]*hint{}, slow: map[string]*hint{},
	}
}

// add notes an event that named a path.
func (s *settle) add(path string, now time.Time) {
	if h := s.slow[path]; h != nil {
		h.add(now, s.quiet)
		return
	}
	s.news++
	if len(s.batch) == 0 {
		s.first = now
	}
	s.last = now
	if h := s.batch[path]; h != nil {
		h.add(now, s.quiet)
		return
	}
	s.grown = now
	s.batch[path] = newHint(now)
}

// again notes a path that did not stand still when it was looked at.
func (s *settle) again(path string, now time.Time) {
	if s.slow[path] == nil {
		s.slow[path] = newHint(now)
	}
}

// due is when take may have something; zero if nothing is waiting.
func (s *settle) due(now time.Time) time.Time {
	var due time.Time
	if len(s.batch) > 0 {
		due = s.batchDue(now)
	}
	for _, h := range s.slow {
		at := sooner(h.last.Add(s.quiet), h.first.Add(s.slowMax))
		if due.IsZero() || at.Before(due) {
			due = at
		}
	}
	return due
}

func (s *settle) batchDue(now time.Time) time.Time {
	due := sooner(s.last.Add(s.quiet), s.first.Add(s.batchMax))
	old := later(s.first.Add(s.batchAge), s.grown.Add(s.quiet))
	switch {
	case old.After(now):
		return sooner(due, old)
	case s.batchDone(now):
		return sooner(due, now)
	}
	for _, h := range s.batch {
		if !s.isQuiet(h, now) && !s.isSlow(h, now) {
			due = sooner(due, sooner(h.last.Add(s.quiet), h.since.Add(s.batchAge)))
			if begins := s.begins(h); begins.After(now) {
				due = sooner(due, begins)
			}
		}
	}
	return due
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func sooner(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// taken is what take gave: paths, and when the first event of their batch came.
type taken struct {
	paths map[string]*hint
	first time.Time
}

// everything is a look at the whole directory whose time has come.
func everything(now time.Time) taken { return taken{map[string]*hint{".": newHint(now)}, now} }

// take gives the paths whose time has come.
func (s *settle) take(now time.Time) taken {
	t := taken{map[string]*hint{}, now}
	if len(s.batch) > 0 && s.batchDone(now) {
		t.first = s.first
		s.takeBatch(t, now)
	}
	for path, h := range s.slow {
		switch {
		case s.isQuiet(h, now):
			t.paths[path] = h
			delete(s.slow, path)
		case now.Sub(h.first) >= s.slowMax: // it stays slow: it would only hold up the next batch again
			t.paths[path] = h
			h.first = now
		}
	}
	return t
}

// takeBatch takes what is quiet; the rest is slow, or the beginning of the next batch.
func (s *settle) takeBatch(t taken, now time.Time) {
	rest, forced := map[string]*hint{}, now.Sub(s.first) >= s.batchMax
	s.grown, s.last = time.Time{}, time.Time{}
	for path, h := range s.batch {
		switch {
		case s.isQuiet(h, now):
			t.paths[path] = h
		case forced || s.isSlow(h, now):
			s.slow[path] = h
		default:
			if len(rest) == 0 || h.first.Before(s.first) {
				s.first = h.first
			}
			s.grown, s.last = later(s.grown, h.first), later(s.last, h.last)
			rest[path] = h
		}
	}
	s.batch = rest
}

// putBack has paths wait once more that were taken: something has happened since that may belong with them.
func (s *settle) putBack(t taken) {
	for path, h := range t.paths {
		if s.slow[path] != nil {
			continue
		}
		if again := s.batch[path]; again != nil {
			again.first = sooner(again.first, h.first)
			continue
		}
		s.batch[path] = h
	}
	s.first = sooner(s.first, t.first)
}

// batchDone tells whether what is quiet of the batch can be taken up. A path that is not quiet holds it up if it was
// named before something that is, or has only just begun to be written, or everything is to be looked at, unless it is
// slow: what comes of the two is seen in that order, or at once.
func (s *settle) batchDone(now time.Time) bool {
	age := now.Sub(s.first)
	switch {
	case now.Sub(s.last) >= s.quiet || age >= s.batchMax:
		return true
	case age < s.batchAge || now.Sub(s.grown) < s.quiet:
		return false
	}
	var latest time.Time // event on what is quiet
	some := false
	for _, h := range s.batch {
		if s.isQuiet(h, now) {
			latest = later(latest, h.last)
		}
		some = some || s.isQuiet(h, now) || s.isSlow(h, now)
	}
	for _, h := range s.batch {
		if !s.isQuiet(h, now) && !s.isSlow(h, now) && (s.batch["."] != nil || !h.first.After(latest) || s.begins(h).After(now)) {
			return false
		}
	}
	return some
}

func (s *settle) isQuiet(h *hint, now time.Time) bool { return now.Sub(h.last) >= s.quiet }

// begins is until when a path has only just begun to be written: for as long as it takes to join a batch, and to be quiet.
func (s *settle) begins(h *hint) time.Time { return h.since.Add(2 * s.quiet) }

// isSlow tells whether a path has been written without a pause for as long as others are held up by it.
func (s *settle) isSlow(h *hint, now time.Time) bool { return now.Sub(h.since) >= s.batchAge }

// gathering tells whether a batch is on its way: a full scan would show half of it.
func (s *settle) gathering() bool { return len(s.batch) > 0 }
