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
		var following sync.WaitGroup
		faults := make([]error, len(s.loaders))
		for i, l := range s.loaders {
			following.Go(func() { faults[i] = l.Run(ctx) })
			select {
			case <-l.Loaded():
			case <-ctx.Done():
			}
		}
		s.addBuiltin()
		restore()
		close(ready)
		following.Wait()
		ended <- errors.Join(faults...)
	}()
	return ready, ended
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
