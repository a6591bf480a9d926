package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

func checkCommand(std stdio, where *place) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [PATH]...",
		Short: "Say what is wrong in tool files, each fault at its line",
		Long:  "Say what is wrong in tool files, each fault at its line. A PATH is a file or a directory; without one, the tools directory is checked.",
		Example: `  toolspec check tools
  toolspec check tools/weather.yaml --json`,
		RunE: func(_ *cobra.Command, paths []string) error {
			ds, err := where.check(paths)
			if err != nil {
				return err
			}
			if asJSON {
				if err := writeJSON(std.out, ds); err != nil {
					return failed(err)
				}
			} else {
				printDiagnostics(std.err, ds)
			}
			if ds.HasErrors() {
				return failure{}
			}
			if !asJSON {
				fmt.Fprintln(std.err, "no errors")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of {file, line, column, severity, rule, message}")
	return cmd
}

func (p *place) check(paths []string) (spec.Diagnostics, error) {
	if len(paths) == 0 {
		dirs, err := p.directories()
		if err != nil {
			return nil, err
		}
		paths = dirs
	}
	c := checking{env: environment(slog.New(slog.DiscardHandler)), all: spec.Diagnostics{}}
	for _, path := range paths {
		if err := c.path(path); err != nil {
			return nil, err
		}
	}
	c.all.Sort()
	return c.all, nil
}

// checking collects what is wrong with the files of a check.
type checking struct {
	env *exec.Env
	all spec.Diagnostics
}

func (c *checking) add(ds spec.Diagnostics) { c.all = append(c.all, ds...) }

// path checks one file, or a directory; both as the loader reads them.
func (c *checking) path(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		c.directory(path)
	case !info.Mode().IsRegular() || !loader.IsToolFile(filepath.Base(path)):
		return fmt.Errorf("%s is not a tool file: want a regular file named *.yaml, *.yml or *.json", path)
	default:
		_, ds := loader.LoadFile(path, exec.StandardKinds(), c.env)
		c.add(ds)
	}
	return nil
}

func (c *checking) directory(path string) {
	reg := registry.New()
	loader.New(reg, path, exec.StandardKinds(), c.env, loader.Options{}).Sync()
	for e := range reg.Snapshot().Entries() {
		c.add(e.Diagnostics)
	}
	c.add(checkUses(reg.Snapshot()))
}
