package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/serve/audit"
	"github.com/toolspec/toolspec/serve/mcpserver"
	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/toolspecs"
)

// place is where a command finds its tools.
type place struct {
	dirs          []string
	builtin       bool
	policy        string // the operator's file; empty: none
	sandbox       level  // that every command gets at least
	worldWritable bool   // files may be such as every user may write
	locked        bool   // only approved tools are offered
	lock          string // the lock to go by; empty: none was named
	watch         loader.Options
	audit         string       // the file that calls are recorded in; empty: none
	trail         *audit.Trail // nil: calls are not recorded
	warnings      *slog.Logger // hears what a server's log would of one call; nil: nobody
	alone         bool         // the process starts none but its tools', so that it may adopt, and end, what they leave
	env           *exec.Env    // what the tools got; nil before
}

// flags gives a command the flags that say where.
func (p *place) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&p.dirs, "dir", "d", nil, "directory of tool files; may repeat, the earlier wins a name (default $TOOLSPEC_DIR, else ./toolspecs)")
	cmd.Flags().BoolVar(&p.builtin, "builtin", false, "add the tools shipped inside this program, after the directories")
	_ = cmd.MarkFlagDirname("dir") // the flag exists
	p.policyFlag(cmd)
}

// watchFlags gives a command the flags that say how directories are followed.
func (p *place) watchFlags(cmd *cobra.Command) {
	o := &p.watch
	cmd.Flags().StringVar(&o.Pin, "pin", "", "keep the last good versions of broken files in this directory, across a restart")
	for _, f := range []struct {
		value *time.Duration
		name  string
		unset time.Duration
		usage string
	}{
		{&o.Poll, "poll", 0, "use no events: look at everything this often, such as 2s"},
		{&o.Rescan, "rescan", 30 * time.Second, "look at everything this often, whatever events say"},
		{&o.Settle, "settle", 50 * time.Millisecond, "how long a file must be quiet"},
		{&o.MaxSettle, "max-settle", 500 * time.Millisecond, "take up what is quiet after this, though something else is not"},
		{&o.MaxBatch, "max-batch", 2 * time.Second, "how long a batch is waited for that more files keep joining"},
		{&o.SlowWrite, "slow-write", 5 * time.Second, "how long a file is waited for that is written without end"},
	} {
		cmd.Flags().Var((*period)(f.value), f.name, f.usage)
		*f.value = f.unset
		cmd.Flags().Lookup(f.name).DefValue = f.unset.String()
	}
}

// period is a duration as a flag. Nothing can be waited for less than no time.
type period time.Duration

func (p *period) String() string { return time.Duration(*p).String() }
func (p *period) Type() string   { return "duration" }

func (p *period) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("want a duration such as 2s or 50ms")
	}
	*p = period(d)
	return nil
}

// file is the path of a file as a flag. One that is given and empty, as by a variable that is not set, is not none: the operator
// would go without what he asked for, and not hear of it.
type file string

func (f *file) String() string { return string(*f) }
func (f *file) Type() string   { return "string" }

func (f *file) Set(text string) error {
	if text == "" {
		return errors.New("want the path of a file, have nothing")
	}
	*f = file(text)
	return nil
}

var errNoDirectory = errors.New(`there is no directory of tools: name one with -d DIR, set TOOLSPEC_DIR, make ./toolspecs, or use the shipped tools with --builtin`)

// directories are the tools directories of the command line, the environment, or the working directory.
func (p *place) directories() ([]string, error) {
	if len(p.dirs) > 0 {
		return p.dirs, nil
	}
	if dir := os.Getenv("TOOLSPEC_DIR"); dir != "" {
		return []string{dir}, nil
	}
	if info, err := os.Stat("toolspecs"); err == nil && info.IsDir() {
		return []string{"toolspecs"}, nil
	}
	if p.builtin {
		return nil, nil
	}
	return nil, errNoDirectory
}

// set is the tools of a place, and what keeps them true to it.
type set struct {
	registry *registry.Registry
	loaders  []*loader.Loader
	kinds    exec.Kinds
	env      *exec.Env
	builtin  bool
	judged   bool              // files have tests that must pass
	sessions mcpserver.Options // how many sessions MCP over HTTP may have, and for how long
	trail    *audit.Trail      // nil: calls are not recorded
	lock     *loader.LockWatch // nil: everything is offered
	lockPath string            // where the lock is, or would be
	locked   bool              // it is in force
}

// open makes the set; nothing but the lock is read before load.
func (p *place) open(log *slog.Logger) (*set, error) {
	s, err := p.openUnlocked(log)
	if err == nil && s.locked {
		opts := p.watch
		opts.Log = log
		s.lock = loader.NewLockWatch(s.registry, s.lockPath, opts)
	}
	return s, err
}

// openUnlocked makes the set with all its tools, approved or not.
func (p *place) openUnlocked(log *slog.Logger) (*set, error) {
	dirs, err := p.directories()
	if err != nil {
		return nil, err
	}
	env, err := p.environment(log, dirs)
	if err != nil {
		return nil, err
	}
	s := &set{registry: registry.New(), kinds: exec.StandardKinds(), env: env, builtin: p.builtin, judged: p.watch.Judge != nil}
	if s.lockPath, s.locked, err = p.lockPath(env.Policy, dirs); err != nil {
		return nil, err
	}
	if s.locked {
		env.Protected = append(slices.Clip(env.Protected), s.lockPath)
	}
	if err := p.record(s, dirs, log); err != nil {
		return nil, err
	}
	for i, dir := range dirs {
		if slices.ContainsFunc(dirs[:i], func(d string) bool { return filepath.Clean(d) == filepath.Clean(dir) }) {
			continue // two that follow one directory would overtake each other
		}
		opts := p.watch
		opts.Log = log
		s.loaders = append(s.loaders, loader.New(s.registry, dir, s.kinds, s.env, opts))
	}
	return s, nil
}

// load reads every directory once, in the order of their rank, then the shipped tools.
func (s *set) load() error {
	defer allowGarbage()()
	for _, l := range s.loaders {
		l.Sync()
		dir := l.Status().Dir
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("%s is not a directory that can be read", dir)
		}
	}
	s.addBuiltin()
	return nil
}

func (s *set) addBuiltin() {
	if s.builtin {
		tools, ds := loader.Load(toolspecs.FS, s.kinds, s.env)
		s.registry.Replace("builtin", tools, ds)
	}
}

// diagnostics are what is wrong with any file of the set.
func (s *set) diagnostics() spec.Diagnostics {
	var all spec.Diagnostics
	for e := range s.registry.Snapshot().Entries() {
		all = append(all, e.Diagnostics...)
	}
	return all
}
