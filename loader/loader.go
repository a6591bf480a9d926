package loader

import (
	"cmp"
	"context"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// Options are how a Loader waits and looks; zero is the default of each.
type Options struct {
	Settle    time.Duration // quiet after which a path is looked at; 50ms
	MaxSettle time.Duration // after which what is quiet is taken up though something else is not; 500ms, and at least twice Settle
	MaxBatch  time.Duration // how long a batch to which files keep being added is waited for; 2s
	SlowWrite time.Duration // how long one file that is written without end is waited for; 5s
	Rescan    time.Duration // between looks at the whole directory; 30s
	Poll      time.Duration // if set, events are not used: the whole directory is looked at so often
	Pin       string        // directory for the last good versions of broken files, kept across a restart; empty: they are not
	Log       *slog.Logger  // nil: discarded
	FS        fs.FS         // nil: the directory itself. For tests that have reading fail

	// Judge, if set, has a say on each version that could be compiled: one that it finds errors in is refused like a broken
	// one, so that the last good version stays, and is judged again when anything else changes and at every look at everything.
	// Tools are those that the version would find. While a file is judged, others wait.
	Judge func(ctx context.Context, tool *exec.Tool, tools exec.Tools) spec.Diagnostics

	notify func() (notifier, error)
	silent func(dir string) string // the kind of file system, if it tells of no changes
}

func (o Options) complete() Options {
	for _, d := range []struct {
		value *time.Duration
		unset time.Duration
	}{
		{&o.Settle, 50 * time.Millisecond}, {&o.MaxSettle, 500 * time.Millisecond}, {&o.MaxBatch, 2 * time.Second},
		{&o.SlowWrite, 5 * time.Second}, {&o.Rescan, 30 * time.Second},
	} {
		if *d.value <= 0 {
			*d.value = d.unset
		}
	}
	o.MaxSettle = max(o.MaxSettle, 2*o.Settle) // nothing is slow before it had time to be quiet
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.notify == nil {
		o.notify = newNotifier
	}
	if o.silent == nil {
		o.silent = silent
	}
	return o
}

// Loader keeps one source of a registry true to a directory.
type Loader struct {
	registry *registry.Registry
	source   *registry.Source
	dir      string // as the user gave it
	fsys     fs.FS
	kinds    exec.Kinds
	env      *exec.Env
	opts     Options

	mu        sync.Mutex // one look at a time
	records   map[string]*record
	scans     uint64    // full ones
	always    bool      // compare content, whatever stat says: nothing else tells of changes
	pins      *pins     // nil: none are kept
	exposures exposures // of the look that is under way

	statusMu sync.Mutex
	status   Status

	first  sync.Once
	loaded chan struct{}
}

// Status is how a Loader watches its directory.
type Status struct {
	Dir      string    `json:"dir"`
	Mode     string    `json:"mode"`              // events, polling; empty before Run
	LastScan time.Time `json:"lastScan"`          // of the whole directory, when it ended
	Missing  bool      `json:"missing,omitempty"` // there is no such directory
	Warning  string    `json:"warning,omitempty"` // why it is polled, and what to do about it
}

// The modes of a [Status].
const (
	ModeEvents  = "events"
	ModePolling = "polling"
)

// New is a loader for dir, which need not exist. Its source is named "dir:" and the directory; several loaders on one
// registry rank in the order they were made.
func New(reg *registry.Registry, dir string, kinds exec.Kinds, env *exec.Env, opts Options) *Loader {
	l := &Loader{
		registry: reg, source: reg.Source("dir:" + dir), dir: dir, fsys: opts.FS, kinds: kinds, env: cmp.Or(env, &exec.Env{}), opts: opts.complete(),
		records: map[string]*record{}, loaded: make(chan struct{}),
	}
	if l.fsys == nil {
		l.fsys = disk(dir)
	}
	l.status.Dir = dir
	l.pins = openPins(l.opts.Pin, dir, l.env.Policy.NewExposure(), l.opts.Log)
	return l
}

// Sync looks at the whole directory once, and makes the registry say what it says. The first load is also this.
func (l *Loader) Sync() registry.Change {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.first.Do(func() { close(l.loaded) })
	return l.apply(context.Background(), l.findAll(nil, nil))
}

// Loaded is closed once the whole directory has been looked at for the first time, by Sync or by Run.
func (l *Loader) Loaded() <-chan struct{} { return l.loaded }

// Status tells how the directory is watched.
func (l *Loader) Status() Status {
	l.statusMu.Lock()
	defer l.statusMu.Unlock()
	return l.status
}

func (l *Loader) setStatus(set func(*Status)) {
	l.statusMu.Lock()
	defer l.statusMu.Unlock()
	set(&l.status)
}

// shown is a path as the user knows it: below the directory as it was given.
func (l *Loader) shown(path string) string { return filepath.Join(l.dir, filepath.FromSlash(path)) }

// record is what is known of one file: what was read last, and the last good version.
type record struct {
	scan   uint64 // the last full scan that saw it
	stamp  stamp
	proved bool             // the same stamp means the same bytes
	sum    [32]byte         // of the bytes read last
	err    string           // why the bytes could not be read; empty: they could
	faults spec.Diagnostics // of the bytes read last
	broken bool             // the bytes read last make no tool
	spec   *spec.Spec       // the last good version, as it was parsed
	tool   *exec.Tool       // the last good version
	good   []byte           // the last good version, if it may be pinned
	beside []beside         // files beside it that count in its digest
	trial  []byte           // the bytes read last, if they would make a tool but for the judgement on it
}

// beside is a script that a tool names.
type beside struct {
	path   string
	stamp  stamp
	proved bool
}
