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
					return err
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
	env := environment(slog.New(slog.DiscardHandler))
	all := spec.Diagnostics{}
	for _, path := range paths {
		ds, err := checkPath(env, path)
		if err != nil {
			return nil, err
		}
		all = append(all, ds...)
	}
	all.Sort()
	return all, nil
}

// checkPath checks one file, or a directory as the loader reads it.
func checkPath(env *exec.Env, path string) (spec.Diagnostics, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		reg := registry.New()
		loader.New(reg, path, exec.StandardKinds(), env, loader.Options{}).Sync()
		return append((&set{registry: reg}).diagnostics(), checkUses(reg.Snapshot())...), nil
	}
	return checkFile(env, path, info)
}

func checkFile(env *exec.Env, path string, info os.FileInfo) (spec.Diagnostics, error) {
	if !info.Mode().IsRegular() || !loader.IsToolFile(filepath.Base(path)) {
		return nil, fmt.Errorf("%s is not a tool file: want a regular file named *.yaml, *.yml or *.json", path)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, ds := spec.Parse(path, src)
	if s == nil {
		return ds, nil
	}
	tool, faults := exec.StandardKinds().Compile(env, s)
	ds = append(ds, faults...)
	if tool != nil && tool.Unavailable() != "" {
		ds = append(ds, spec.Diagnostic{Pos: s.Pos, Severity: spec.SeverityWarning, Rule: "unavailable", Message: "unavailable here: " + tool.Unavailable()})
	}
	return ds, nil
}
