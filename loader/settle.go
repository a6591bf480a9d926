package loader

import "time"

// settle decides when paths that events named are looked at. Time is what its callers say it is.
//
// Paths named since the last time form a batch. It is taken up when all of it has been quiet; or, once it is old
// enough, as soon as no new path joins it; or when it is too old. Whatever is not quiet then is slow: it waits for its
// own quiet, and holds nothing else up.
type settle struct {
	quiet, batchAge, batchMax, slowMax time.Duration

	batch, slow map[string]*hint
	first, last time.Time // of the batch's events
	grown       time.Time // when the batch was last joined by a path
}

// hint is a path that events named.
type hint struct{ first, last time.Time }

func newSettle(o Options) *settle {
	return &settle{
		quiet: o.Settle, batchAge: o.MaxSettle, batchMax: o.MaxBatch, slowMax: o.SlowWrite,
		batch: map[string]*hint{}, slow: map[string]*hint{},
	}
}

// add notes an event that named a path.
func (s *settle) add(path string, now time.Time) {
	if h := s.slow[path]; h != nil {
		h.last = now
		return
	}
	if len(s.batch) == 0 {
		s.first = now
	}
	s.last = now
	if h := s.batch[path]; h != nil {
		h.last = now
		return
	}
	s.grown = now
	s.batch[path] = &hint{now, now}
}

// again notes a path that did not stand still when it was looked at.
func (s *settle) again(path string, now time.Time) {
	if s.slow[path] == nil {
		s.slow[path] = &hint{now, now}
	}
}

// due is when take may have something; zero if nothing is waiting.
func (s *settle) due() time.Time {
	var due time.Time
	if len(s.batch) > 0 {
		due = later(s.first.Add(s.batchAge), s.grown.Add(s.quiet))
		due = sooner(due, s.last.Add(s.quiet))
		due = sooner(due, s.first.Add(s.batchMax))
	}
	for _, h := range s.slow {
		at := sooner(h.last.Add(s.quiet), h.first.Add(s.slowMax))
		if due.IsZero() || at.Before(due) {
			due = at
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

// take gives the paths whose time has come.
func (s *settle) take(now time.Time) []string {
	var taken []string
	if len(s.batch) > 0 && s.batchDone(now) {
		for path, h := range s.batch {
			if s.isQuiet(h, now) {
				taken = append(taken, path)
			} else {
				s.slow[path] = h
			}
		}
		clear(s.batch)
	}
	for path, h := range s.slow {
		if s.isQuiet(h, now) || now.Sub(h.first) >= s.slowMax {
			taken = append(taken, path)
			delete(s.slow, path)
		}
	}
	return taken
}

func (s *settle) batchDone(now time.Time) bool {
	age := now.Sub(s.first)
	return now.Sub(s.last) >= s.quiet || age >= s.batchMax || age >= s.batchAge && now.Sub(s.grown) >= s.quiet
}

func (s *settle) isQuiet(h *hint, now time.Time) bool { return now.Sub(h.last) >= s.quiet }

// gathering tells whether a batch is on its way: a full scan would show half of it.
func (s *settle) gathering() bool { return len(s.batch) > 0 }
