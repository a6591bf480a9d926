package main

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
)

// start loads the directories in the order of their rank and then follows them until ctx is done; loaded is closed after
// the first load, and done tells how the following ended.
func (s *set) start(ctx context.Context) (loaded <-chan struct{}, done <-chan error) {
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		restore := allowGarbage()
		if s.judged {
			s.addBuiltin() // tests may call them
		}
		var following sync.WaitGroup
		faults := make([]error, len(s.loaders)+1)
		if s.trail != nil {
			following.Go(func() {
				select {
				case <-ready: // what the first load brings is looked at once
					s.trail.Follow(ctx, s.registry)
				case <-ctx.Done():
				}
			})
		}
		if s.lock != nil {
			following.Go(func() { faults[len(s.loaders)] = s.lock.Run(ctx) })
		}
		for i, l := range s.loaders {
			following.Go(func() { faults[i] = l.Run(ctx) })
			select {
			case <-l.Loaded():
			case <-ctx.Done():
			}
		}
		if s.judged {
			s.judgeAgain()
		} else {
			s.addBuiltin()
		}
		restore()
		close(ready)
		following.Wait()
		ended <- errors.Join(faults...)
	}()
	return ready, ended
}

// judgeAgain has those files judged again whose tests may have called tools of a directory that was not loaded yet.
func (s *set) judgeAgain() {
	if len(s.loaders) > 1 {
		for _, l := range s.loaders {
			l.Sync()
		}
	}
}

// loadingGC is the collector's target while directories are loaded: nearly all that is allocated then stays.
const loadingGC = 400

// allowGarbage has the collector work less, until restore is called. An operator who lets it work still less has his way.
func allowGarbage() (restore func()) {
	before := debug.SetGCPercent(loadingGC)
	if before < 0 || before > loadingGC {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}
