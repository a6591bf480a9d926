package loader

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/toolspec/toolspec/registry"
)

// told is a notifier that tells what a test says.
type told struct {
	happens chan fsnotify.Event
	fails   chan error
	dirs    []string
	limit   int // directories that may be watched; 0: any
	closed  bool
}

func (n *told) Add(dir string) error {
	if slices.Contains(n.dirs, dir) {
		return nil
	}
	if n.limit > 0 && len(n.dirs) >= n.limit {
		return syscall.ENOSPC
	}
	n.dirs = append(n.dirs, dir)
	return nil
}

func (n *told) Remove(dir string) error {
	n.dirs = slices.DeleteFunc(n.dirs, func(d string) bool { return d == dir })
	return nil
}

func (n *told) WatchList() []string           { return slices.Clone(n.dirs) }
func (n *told) Close() error                  { n.closed = true; return nil }
func (n *told) events() <-chan fsnotify.Event { return n.happens }
func (n *told) errors() <-chan error          { return n.fails }
func (n *told) mark() string                  { return "" }

// bench is a loader at work whose events a test makes, under a clock of its own.
type bench struct {
	*testing.T
	dir    string
	reg    *registry.Registry
	loader *Loader

	mu     sync.Mutex
	notify *told
	limit  int    // of what notifiers made from now on may watch
	refuse error  // to make one
	silent string // the kind of file system
	below  string // of the directory of that name alone
	log    bytes.Buffer
	fsys   fs.FS
}

// now is the notifier in use.
func (b *bench) now() *told {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.notify
}

func (b *bench) change(how func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	how()
}

// inBubble runs a test with a loader at work on a directory with the tool a=1.
func inBubble(t *testing.T, opts Options, prepare func(*bench), test func(*bench)) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		b := &bench{T: t, dir: dir, reg: registry.New()}
		prepare(b)
		opts.Log = slog.New(slog.NewTextHandler(&b.log, nil))
		opts.silent = func(dir string) string {
			b.mu.Lock()
			defer b.mu.Unlock()
			if b.below != "" && filepath.Base(dir) != b.below {
				return ""
			}
			return b.silent
		}
		opts.notify = func() (notifier, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if b.refuse != nil {
				return nil, b.refuse
			}
			b.notify = &told{happens: make(chan fsnotify.Event, 16), fails: make(chan error), limit: b.limit}
			return b.notify, nil
		}
		b.put("a.yaml", "a", "1")
		opts.FS = b.fsys
		b.loader = New(b.reg, dir, testKinds(), nil, opts)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.loader.Run(ctx) }()
		b.want("a=1")
		test(b)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if b.notify != nil && !b.notify.closed {
			t.Error("the notifier is not closed")
		}
	})
}

func (b *bench) put(file, name, description string) {
	b.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, file), []byte(toolText(name, description)), 0o644); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) tell(file string) {
	b.now().happens <- fsnotify.Event{Name: filepath.Join(b.dir, file), Op: fsnotify.Write}
}

// want checks what is served now, once everything that is due is done.
func (b *bench) want(served string) {
	b.Helper()
	synctest.Wait()
	if have := names(b.reg.Snapshot()); have != served {
		b.Errorf("have %q, want %q", have, served)
	}
}

func (b *bench) wantMode(mode, warning string) {
	b.Helper()
	synctest.Wait()
	s := b.loader.Status()
	if s.Mode != mode || !strings.Contains(s.Warning, warning) || warning == "" && s.Warning != "" {
		b.Errorf("have %+v, want %s with a warning about %q", s, mode, warning)
	}
}

func TestEventIsSettledFor(t *testing.T) {
	inBubble(t, Options{}, func(*bench) {}, func(b *bench) {
		b.put("a.yaml", "a", "2")
		b.tell("a.yaml")
		time.Sleep(49 * time.Millisecond)
		b.want("a=1")
		b.tell("a.yaml")
		time.Sleep(49 * time.Millisecond)
		b.want("a=1")
		time.Sleep(time.Millisecond)
		b.want("a=2")
		b.wantMode(ModeEvents, "")
	})
}

func TestNamesThatAreNotReadDoNotDelay(t *testing.T) {
	inBubble(t, Options{}, func(*bench) {}, func(b *bench) {
		b.put("a.yaml", "a", "2")
		b.tell("a.yaml")
		for range 5 {
			time.Sleep(10 * time.Millisecond)
			b.tell("a.yaml~")
			b.tell(".a.yaml.swp")
			b.tell("notes.txt")
		}
		b.want("a=2")
	})
}

// What no event tells is found by looking at everything, and believed when a second look finds the same.
func TestWhatNoEventTells(t *testing.T) {
	inBubble(t, Options{}, func(*bench) {}, func(b *bench) {
		b.put("a.yaml", "a", "2")
		time.Sleep(29 * time.Second)
		b.want("a=1")
		time.Sleep(time.Second)
		b.want("a=1")
		b.put("b.yaml", "b", "1")
		time.Sleep(50 * time.Millisecond)
		b.want("a=1")
		time.Sleep(50 * time.Millisecond)
		b.want("a=2 b=1")
	})
}

func TestOverflowLooksAtEverything(t *testing.T) {
	inBubble(t, Options{}, func(*bench) {}, func(b *bench) {
		b.put("b.yaml", "b", "1")
		b.now().fails <- fsnotify.ErrEventOverflow
		time.Sleep(50 * time.Millisecond)
		b.want("a=1 b=1")
		b.wantMode(ModeEvents, "")
	})
}

func TestWatchLimit(t *testing.T) {
	inBubble(t, Options{}, func(b *bench) {
		b.limit = 2
		if err := os.Mkdir(filepath.Join(b.dir, "sub"), 0o755); err != nil {
			b.Fatal(err)
		}
	}, func(b *bench) {
		b.wantMode(ModePolling, "sysctl fs.inotify.max_user_watches")
		b.put("sub/b.yaml", "b", "1")
		time.Sleep(2050 * time.Millisecond)
		b.want("a=1 b=1")
		time.Sleep(100 * time.Second)
		b.wantMode(ModePolling, "sysctl fs.inotify.max_user_watches")
		if warned := strings.Count(b.log.String(), "sysctl"); warned != 1 || strings.Contains(b.log.String(), "watching again") {
			b.Errorf("want one warning, have\n%s", b.log.String())
		}
		b.change(func() { b.limit = 0 })
		time.Sleep(32 * time.Second)
		b.wantMode(ModeEvents, "")
		b.put("sub/b.yaml", "b", "2")
		b.tell("sub/b.yaml")
		time.Sleep(50 * time.Millisecond)
		b.want("a=1 b=2")
	})
}

func TestInstanceLimit(t *testing.T) {
	inBubble(t, Options{}, func(b *bench) { b.refuse = syscall.EMFILE }, func(b *bench) {
		b.wantMode(ModePolling, "sysctl fs.inotify.max_user_instances")
		b.put("a.yaml", "a", "2")
		time.Sleep(2050 * time.Millisecond)
		b.want("a=2")
		b.change(func() { b.refuse = nil })
		time.Sleep(30 * time.Second)
		b.wantMode(ModeEvents, "")
	})
}

// An event source that fails is had anew; if that fails at once, it is given up for a while.
func TestEventsFail(t *testing.T) {
	inBubble(t, Options{}, func(*bench) {}, func(b *bench) {
		b.put("a.yaml", "a", "1b")
		b.now().fails <- errors.New("one watch is gone")
		first := b.now()
		time.Sleep(50 * time.Millisecond)
		b.want("a=1b")
		b.wantMode(ModeEvents, "")
		if !first.closed || first == b.now() {
			b.Error("the directory is not watched anew")
		}
		b.now().fails <- errors.New("the queue is gone")
		b.wantMode(ModePolling, "the queue is gone")
		b.put("a.yaml", "a", "2")
		time.Sleep(2050 * time.Millisecond)
		b.want("a=2")
		time.Sleep(30 * time.Second)
		b.wantMode(ModeEvents, "")
		close(b.now().happens)
		b.wantMode(ModePolling, "events ended")
	})
}

func TestPollIsForced(t *testing.T) {
	inBubble(t, Options{Poll: 5 * time.Second}, func(*bench) {}, func(b *bench) {
		b.wantMode(ModePolling, "")
		b.put("a.yaml", "a", "2")
		time.Sleep(4900 * time.Millisecond)
		b.want("a=1")
		time.Sleep(150 * time.Millisecond)
		b.want("a=2")
		if b.now() != nil {
			b.Error("events were asked for")
		}
	})
}

// A mount that is silent is polled from the start, and watched once it is another.
func TestSilentMount(t *testing.T) {
	inBubble(t, Options{}, func(b *bench) { b.silent = "NFS" }, func(b *bench) {
		b.wantMode(ModePolling, "NFS tells nothing of what others change")
		b.put("a.yaml", "a", "2")
		time.Sleep(2050 * time.Millisecond)
		b.want("a=2")
		b.change(func() { b.silent = "" })
		time.Sleep(31 * time.Second)
		b.wantMode(ModeEvents, "")
	})
}

// So is one that only part of the tree is on.
func TestSilentMountBelow(t *testing.T) {
	inBubble(t, Options{}, func(b *bench) {
		b.silent, b.below = "FUSE", "sub"
		if err := os.Mkdir(filepath.Join(b.dir, "sub"), 0o755); err != nil {
			b.Fatal(err)
		}
	}, func(b *bench) {
		b.wantMode(ModePolling, "FUSE tells nothing of what others change")
		b.put("sub/b.yaml", "b", "1")
		time.Sleep(2050 * time.Millisecond)
		b.want("a=1 b=1")
		b.change(func() { b.silent = "" })
		time.Sleep(32 * time.Second)
		b.wantMode(ModeEvents, "")
	})
}

// A neighbour that writes without end does not hold the look at everything up.
func TestBusyNeighbour(t *testing.T) {
	inBubble(t, Options{}, func(*bench) {}, func(b *bench) {
		b.put("busy.yaml", "busy", "1")
		b.put("b.yaml", "b", "1")
		for range 31 * 50 {
			b.tell("busy.yaml")
			time.Sleep(20 * time.Millisecond)
		}
		b.want("a=1 b=1 busy=1")
	})
}

// hooked is a directory to which something happens just before a directory below it is read.
type hooked struct {
	disk
	before map[string]func()
}

func (h *hooked) ReadDir(name string) ([]fs.DirEntry, error) {
	if hook := h.before[name]; hook != nil {
		delete(h.before, name)
		hook()
	}
	return h.disk.ReadDir(name)
}

// A file that is moved while everything is looked at, from where the look has not been to where it has, is not gone.
func TestMoveDuringALook(t *testing.T) {
	below := &hooked{before: map[string]func(){}}
	inBubble(t, Options{}, func(b *bench) {
		below.disk, b.fsys = disk(b.dir), below
		if err := os.Mkdir(filepath.Join(b.dir, "sub"), 0o755); err != nil {
			b.Fatal(err)
		}
	}, func(b *bench) {
		b.put("sub/b.yaml", "b", "1")
		b.tell("sub/b.yaml")
		time.Sleep(50 * time.Millisecond)
		b.want("a=1 b=1")
		changes := b.reg.Subscribe(b.Context())
		below.before["sub"] = func() {
			if err := os.Rename(filepath.Join(b.dir, "sub/b.yaml"), filepath.Join(b.dir, "b.yaml")); err != nil {
				b.Error(err)
			}
			b.tell("sub/b.yaml")
			b.tell("b.yaml")
		}
		b.now().fails <- fsnotify.ErrEventOverflow
		time.Sleep(time.Second)
		b.want("a=1 b=1")
		if c := <-changes; len(c.Removed)+len(c.Added) > 0 || len(c.Files) != 2 {
			b.Errorf("have %+v", c)
		}
	})
}
