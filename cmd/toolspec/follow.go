package main

import (
	"context"
	"errors"
	"sync"
)

// start loads the directories in the order of their rank and then follows them until ctx is done; loaded is closed after
// the first load, and done tells how the following ended.
func (s *set) start(ctx context.Context) (loaded <-chan struct{}, done <-chan error) {
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
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
		close(ready)
		following.Wait()
		ended <- errors.Join(faults...)
	}()
	return ready, ended
}
