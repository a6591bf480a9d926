package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/toolspecs"
)

// testFlags are what a run of tests is told on its command line.
type testFlags struct {
	pattern, junit  string
	asJSON, verbose bool
}

func testCommand(std stdio, where *place) *cobra.Command {
	var flags testFlags
	cmd := &cobra.Command{
		Use:   "test [PATH]...",
		Short: "Run the tests that stand in tool files",
		Long: `Run the tests that stand in tool files, with their stubs in place of the world: nothing is sent, and no
process is started. A PATH is a file or a directory; without one, the tools directory is tested. The steps of
pipelines find the other tools of the same directory, with --builtin the shipped ones, too; --builtin without any
directory runs the shipped tools' own tests.`,
		Example: `  toolspec test tools
  toolspec test tools/weather.yaml -v
  toolspec test -run 'weather/.*unknown' --junit report.xml`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			t, err := where.test(paths, flags)
			if err != nil {
				return err
			}
			t.run(cmd.Context())
			return t.report(std)
		},
	}
	where.policyFlag(cmd)
	where.lockFlags(cmd)
	cmd.Flags().BoolVar(&where.builtin, "builtin", false, "add the tools shipped inside this program, after the directories")
	cmd.Flags().StringVar(&flags.pattern, "run", "", "run only tests whose TOOL/TEST this regular expression matches (-run, too)")
	cmd.Flags().StringVar(&flags.junit, "junit", "", "write a report for build servers into this file, as JUnit XML")
	cmd.Flags().BoolVar(&flags.asJSON, "json", false, "print one JSON object a test: {tool, test, file, line, column, status, durationMs, faults}")
	cmd.Flags().BoolVarP(&flags.verbose, "verbose", "v", false, "name each test, and the tools that have none")
	return cmd
}

// goFlags lets -run be written as go test has it; for cobra it would be three flags of one letter.
func goFlags(args []string) []string {
	if len(args) == 0 || args[0] != "test" {
		return args
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if arg == "-run" || strings.HasPrefix(arg, "-run=") {
			args[i] = "-" + arg
		}
	}
	return args
}

// testRun is one run of tests: what is tested, and what came of it.
type testRun struct {
	testFlags
	picked   *regexp.Regexp // nil: all tests
	builtin  bool
	env      *exec.Env
	lock     *registry.Lock // nil: everything is tested
	sets     []testSet
	broken   spec.Diagnostics
	untested []string // names of tools without tests
	tools    int
	verdicts []check.Verdict
}

// testSet is tools to be tested, among those that their steps find.
type testSet struct {
	tools    []*exec.Tool
	registry *registry.Registry
}

// test reads what is to be tested.
func (p *place) test(paths []string, flags testFlags) (*testRun, error) {
	t := &testRun{testFlags: flags, builtin: p.builtin}
	if flags.pattern != "" {
		var err error
		if t.picked, err = regexp.Compile(flags.pattern); err != nil {
			return nil, fmt.Errorf("--run: %w", err)
		}
	}
	if len(paths) == 0 {
		dirs, err := p.directories()
		if err != nil {
			return nil, err
		}
		paths = dirs
	}
	var err error
	if t.env, err = p.environment(slog.New(slog.DiscardHandler), paths); err != nil {
		return nil, err
	}
	if t.lock, err = p.readLock(t.env.Policy, paths); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		t.add(t.newRegistry(), "")
	}
	for _, path := range paths {
		if err := t.path(path); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// path reads a directory, or a file; of the file's own directory only where one of its steps needs it.
func (t *testRun) path(path string) error {
	isDir, err := isDirectory(path)
	if err != nil {
		return err
	}
	reg := t.newRegistry()
	if isDir {
		l := loader.New(reg, path, exec.StandardKinds(), t.env, loader.Options{})
		l.Sync()
		t.add(reg, "dir:"+path)
		return nil
	}
	tool, ds := loader.LoadFile(path, exec.StandardKinds(), t.env)
	var tools []*exec.Tool
	if tool != nil {
		tools = append(tools, tool)
	}
	reg.Replace("file", tools, ds)
	if tool != nil && len(tool.Uses()) > 0 {
		loader.New(reg, filepath.Dir(path), exec.StandardKinds(), t.env, loader.Options{}).Sync()
	}
	t.add(reg, "file")
	return nil
}

// newRegistry is one that has only approved tools offered, if that is wanted.
func (t *testRun) newRegistry() *registry.Registry {
	reg := registry.New()
	reg.Enforce(t.lock)
	return reg
}

// isDirectory tells a directory from a tool file; anything else is an error.
func isDirectory(path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return false, err
	case info.IsDir():
		return true, nil
	case !info.Mode().IsRegular() || !loader.IsToolFile(filepath.Base(path)):
		return false, fmt.Errorf("%s is not a tool file: want a regular file named *.yaml, *.yml or *.json", path)
	}
	return false, nil
}

// add takes up the tools of one source; without one, those that are shipped.
func (t *testRun) add(reg *registry.Registry, source string) {
	if t.builtin {
		tools, ds := loader.Load(toolspecs.FS, exec.StandardKinds(), t.env)
		reg.Replace("builtin", tools, ds)
	}
	if source == "" {
		source = "builtin"
	}
	set := testSet{registry: reg}
	for e := range reg.Snapshot().Entries() {
		if e.Source != source {
			continue
		}
		for _, d := range e.Diagnostics {
			if d.Severity == spec.SeverityError || d.Rule == "pending" {
				t.broken = append(t.broken, d)
			}
		}
		if e.Tool == nil || e.State == registry.StateShadowed || e.State == registry.StatePending {
			continue
		}
		t.tools++
		set.tools = append(set.tools, e.Tool)
		if len(e.Tool.Tests()) == 0 {
			t.untested = append(t.untested, e.Tool.Spec.Name)
		}
	}
	t.sets = append(t.sets, set)
}

func (t *testRun) run(ctx context.Context) {
	pick := func(tool, test string) bool { return t.picked == nil || t.picked.MatchString(tool+"/"+test) }
	for _, set := range t.sets {
		t.verdicts = append(t.verdicts, check.Tests(ctx, set.registry.Snapshot(), set.tools, pick)...)
	}
}
