package loader

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// notifier is what tells of events: fsnotify, or a test.
type notifier interface {
	Add(dir string) error
	Remove(dir string) error
	WatchList() []string
	Close() error
	events() <-chan fsnotify.Event
	errors() <-chan error
	mark() string // makes an event of this name, which comes after all that have happened; empty where it cannot
}

type fsNotifier struct {
	*fsnotify.Watcher
	end *marker
}

func newNotifier() (notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return fsNotifier{w, newMarker(w)}, nil
}

func (n fsNotifier) mark() string { return n.end.mark() }

func (n fsNotifier) WatchList() []string {
	return slices.DeleteFunc(n.Watcher.WatchList(), n.end.owns)
}

func (n fsNotifier) Close() error {
	n.end.close()
	return n.Watcher.Close()
}

func (n fsNotifier) events() <-chan fsnotify.Event { return n.Events }
func (n fsNotifier) errors() <-chan error          { return n.Errors }

// heals tells whether a directory that cannot be watched is one that cannot be read either: its parent's events, or
// the next look at everything, will tell when it can.
func heals(err error) bool {
	return isGone(err) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ELOOP)
}

// advice says why events cannot be had, and what an operator can do about it.
func advice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the limit of watched directories is reached; raise it with: sysctl fs.inotify.max_user_watches=524288"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "the limit of watching programs or of open files is reached; raise it with: sysctl fs.inotify.max_user_instances=1024, or ulimit -n"
	}
	return err.Error()
}
