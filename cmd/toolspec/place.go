package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/toolspecs"
)

// place is where a command finds its tools.
type place struct {
	dirs    []string
	builtin bool
}

// flags gives a command the flags that say where.
func (p *place) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&p.dirs, "dir", "d", nil, "directory of tool files; may repeat, the earlier wins a name (default $TOOLSPEC_DIR, else ./toolspecs)")
	cmd.Flags().BoolVar(&p.builtin, "builtin", false, "add the tools shipped inside this program, after the directories")
	_ = cmd.MarkFlagDirname("dir") // the flag exists
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
}

// open makes the set; nothing is read before load.
func (p *place) open(log *slog.Logger) (*set, error) {
	dirs, err := p.directories()
	if err != nil {
		return nil, err
	}
	s := &set{registry: registry.New(), kinds: exec.StandardKinds(), env: environment(log), builtin: p.builtin}
	for _, dir := range dirs {
		s.loaders = append(s.loaders, loader.New(s.registry, dir, s.kinds, s.env, loader.Options{Log: log}))
	}
	return s, nil
}

func environment(log *slog.Logger) *exec.Env {
	return &exec.Env{Policy: exec.DefaultPolicy(), Funcs: functions(), Log: log}
}

// load reads every directory once, in the order of their rank, then the shipped tools.
func (s *set) load() error {
	for _, l := range s.loaders {
		l.Sync()
		if st := l.Status(); st.Missing {
			return fmt.Errorf("%s is not a directory that can be read", st.Dir)
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
