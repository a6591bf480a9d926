package loader

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
)

// LockWatch keeps the lock of a registry true to its file: whoever approves a tool need not start the server again.
type LockWatch struct {
	registry *registry.Registry
	path     string
	opts     Options

	mu   sync.Mutex
	last stamp
	read time.Time // when last was read
}

// NewLockWatch reads the lock, and has the registry enforce it: from then on nothing is offered that it does not approve. A
// lock that cannot be used approves nothing, until it is mended. Of the options the waits, the log and Poll count.
func NewLockWatch(reg *registry.Registry, path string, opts Options) *LockWatch {
	w := &LockWatch{registry: reg, path: path, opts: opts.complete()}
	w.look()
	return w
}

// look reads the lock, unless it is known to be what was read last.
func (w *LockWatch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	var seen stamp
	if info, err := os.Stat(w.path); err == nil {
		seen = stampOf(info)
	}
	if seen != (stamp{}) && seen == w.last && seen.proves(w.read) && exec.DefaultPolicy().NewExposure().Place(w.path) == "" {
		return
	}
	lock, err := ReadLock(w.path)
	before := w.registry.Lock()
	if err != nil {
		lock, seen = registry.BrokenLock(w.path, err.Error()), stamp{}
	}
	w.last, w.read = seen, now
	change := w.registry.Enforce(lock)
	if err != nil && (before == nil || before.Fault != lock.Fault) {
		w.opts.Log.Error("the lock cannot be used: no tool is offered", "lock", w.path, "err", err)
	}
	if err == nil && (before != nil && before.Fault != "" || !change.Empty()) {
		w.opts.Log.Info("the lock is in force", "lock", w.path, "generation", change.Generation, "added", len(change.Added), "removed", len(change.Removed))
	}
}

// Run looks at the lock whenever it changes, until ctx is done: when events say so, and every two seconds whatever they say.
func (w *LockWatch) Run(ctx context.Context) error {
	events := w.listen()
	if events != nil {
		defer events.close()
	}
	again := pollAnyway
	if w.opts.Poll > 0 {
		again = w.opts.Poll
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-events.channel():
			switch {
			case !ok:
				events.close()
				events = nil
			case events.concerns(e):
				timer.Reset(w.opts.Settle)
			}
		case <-events.faults():
			timer.Reset(w.opts.Settle)
		case <-timer.C:
			events.follow(w.path)
			w.look()
			timer.Reset(again)
		}
	}
}

// lockEvents tell of changes of one file, by whatever links it is found; nil: there are none.
type lockEvents struct{ *watch }

func (w *LockWatch) listen() *lockEvents {
	if w.opts.Poll > 0 {
		return nil
	}
	n, err := w.opts.notify()
	if err != nil {
		return nil // it is looked at again and again anyway
	}
	watch, err := newWatch(n, filepath.Dir(w.path), func(string) error { return nil })
	if err != nil {
		_ = n.Close() // nothing was watched yet
		return nil
	}
	return &lockEvents{watch}
}

func (e *lockEvents) channel() <-chan fsnotify.Event {
	if e == nil {
		return nil
	}
	return e.notify.events()
}

func (e *lockEvents) faults() <-chan error {
	if e == nil {
		return nil
	}
	return e.notify.errors()
}

func (e *lockEvents) concerns(event fsnotify.Event) bool {
	return len(e.hops[event.Name]) > 0 || e.wanted[event.Name]
}

// follow watches all that decides what the lock's path leads to, as it is now.
func (e *lockEvents) follow(path string) {
	if e == nil {
		return
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return
	}
	e.begin()
	e.watch.follow(full, full)
	e.end()
}

func (e *lockEvents) close() {
	if e != nil {
		_ = e.notify.Close() // there is no other way to end it
	}
}
