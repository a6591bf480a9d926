package main

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// checkFlags are what a check is told on its command line.
type checkFlags struct {
	asJSON, asSARIF, strict, fix bool
	providers                    []string
}

func checkCommand(std stdio, where *place) *cobra.Command {
	var flags checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATH]...",
		Short: "Say what is wrong in tool files, each fault at its line",
		Long: "Say what is wrong in tool files, each fault at its line: what keeps a file from being used, and by which rule it could be better. " +
			"A PATH is a file or a directory; without one, the tools directory is checked.",
		Example: `  toolspec check tools
  toolspec check tools --strict
  toolspec check tools --fix
  toolspec check tools/weather.yaml --json`,
		RunE: func(_ *cobra.Command, paths []string) error {
			c, err := where.check(std.err, paths, flags)
			if err != nil {
				return err
			}
			if err := c.print(std); err != nil {
				return failed(err)
			}
			if c.fails() {
				return failure{}
			}
			return nil
		},
	}
	where.policyFlag(cmd)
	cmd.Flags().BoolVar(&flags.asJSON, "json", false, "print a JSON array of {file, line, column, severity, rule, message, tokens}")
	cmd.Flags().BoolVar(&flags.asSARIF, "sarif", false, "print a SARIF 2.1.0 log, with addresses relative to the working directory")
	cmd.MarkFlagsMutuallyExclusive("json", "sarif")
	cmd.Flags().StringSliceVar(&flags.providers, "provider", nil, "also say what these cannot take: "+strings.Join(check.Providers(), ", "))
	cmd.Flags().BoolVar(&flags.strict, "strict", false, "warnings fail the check, too")
	cmd.Flags().BoolVar(&flags.fix, "fix", false, "first mend what is mechanical, in the files: quotes, order of keys, long descriptions")
	return cmd
}

func (p *place) check(said io.Writer, paths []string, flags checkFlags) (*checking, error) {
	for _, name := range flags.providers {
		if !slices.Contains(check.Providers(), name) {
			return nil, unknownProvider(name)
		}
	}
	if len(paths) == 0 {
		dirs, err := p.directories()
		if err != nil {
			return nil, err
		}
		paths = dirs
	}
	env, err := p.environment(slog.New(slog.DiscardHandler), paths)
	if err != nil {
		return nil, err
	}
	c := &checking{checkFlags: flags, said: said, env: env, all: spec.Diagnostics{}, hidden: map[fileLine]bool{}}
	for _, path := range paths {
		if err := c.path(path); err != nil {
			return nil, err
		}
	}
	c.all.Sort()
	return c, nil
}

func unknownProvider(name string) error {
	known := check.Providers()
	if near := spec.Nearest(name, known); near != "" {
		return fmt.Errorf("unknown provider %q; did you mean %s?", name, near)
	}
	return fmt.Errorf("unknown provider %q; known: %s", name, strings.Join(known, ", "))
}

// checking is one check: what is wrong with its files, and what their tools cost.
type checking struct {
	checkFlags
	said   io.Writer // what was fixed
	env    *exec.Env
	all    spec.Diagnostics
	hidden map[fileLine]bool // lines that nobody is shown
	costs  []cost
	sums   []string // a line for each directory
}

// fileLine is a line of a file.
type fileLine struct {
	file string
	line int
}

// cost is what one tool costs a model.
type cost struct {
	at     spec.Pos
	name   string
	tokens int
}

// path checks one file, or a directory; both as the loader reads them.
func (c *checking) path(path string) error {
	isDir, err := isDirectory(path)
	switch {
	case err != nil:
		return err
	case isDir:
		return c.directory(path)
	default:
		tool, ds := loader.LoadFile(path, exec.StandardKinds(), c.env)
		if c.fix && tool != nil {
			if err := fix(c.said, path); err != nil {
				return failed(err)
			}
			tool, ds = loader.LoadFile(path, exec.StandardKinds(), c.env)
		}
		c.judge([]*check.File{readFile(path, tool, ds)}, false)
	}
	return nil
}

func (c *checking) directory(path string) error {
	reg := registry.New()
	all := loader.New(reg, path, exec.StandardKinds(), c.env, loader.Options{})
	all.Sync()
	if c.fix {
		for e := range reg.Snapshot().Entries() {
			if e.Tool == nil {
				continue // it has errors
			}
			if err := fix(c.said, e.File); err != nil {
				return failed(err)
			}
		}
		all.Sync()
	}
	var files []*check.File
	for e := range reg.Snapshot().Entries() {
		files = append(files, readFile(e.File, e.Tool, e.Diagnostics))
	}
	tools, tokens := c.judge(files, true)
	if tools > 0 {
		c.sums = append(c.sums, fmt.Sprintf("%s: %s, about %d tokens in every turn", path, counted(tools, "tool"), tokens))
	}
	return nil
}

// readFile has the bytes of a file that was loaded; none if it is gone again.
func readFile(path string, tool *exec.Tool, ds spec.Diagnostics) *check.File {
	source, err := readToolFile(path)
	if err != nil {
		source = nil
	}
	return check.NewFile(path, source, tool, ds)
}

// judge runs the rules, and adds up what the tools cost.
func (c *checking) judge(files []*check.File, together bool) (tools, tokens int) {
	c.all = append(c.all, check.Lint(files, check.Options{Together: together, Providers: c.providers})...)
	for _, f := range files {
		for line := range f.HiddenLines() {
			c.hidden[fileLine{f.Path, line}] = true
		}
		if f.Tool != nil {
			n := f.Tokens()
			c.costs = append(c.costs, cost{f.Tool.Spec.Pos, f.Tool.Spec.Name, n})
			tools, tokens = tools+1, tokens+n
		}
	}
	return tools, tokens
}

// fails tells whether the check does: at errors, and with --strict at warnings, but for those that speak of this machine.
func (c *checking) fails() bool {
	return slices.ContainsFunc(c.all, func(d spec.Diagnostic) bool {
		return d.Severity == spec.SeverityError || c.strict && d.Severity == spec.SeverityWarning && d.Rule != "unavailable"
	})
}

func (c *checking) print(std stdio) error {
	switch {
	case c.asJSON:
		return c.writeJSON(std.out)
	case c.asSARIF:
		return c.writeSARIF(std.out)
	}
	printDiagnosticsBut(std.err, c.all, func(at spec.Pos) bool { return c.hidden[fileLine{at.File, at.Line}] })
	for _, sum := range c.sums {
		fmt.Fprintln(std.err, sum)
	}
	if !c.fails() {
		fmt.Fprintln(std.err, "no errors")
	}
	return nil
}

// toldDiagnostic is a diagnostic with the figure that it tells.
type toldDiagnostic struct {
	spec.Diagnostic
	Tokens int `json:"tokens,omitempty"`
}

// writeJSON writes all diagnostics, and a note of what each tool costs.
func (c *checking) writeJSON(w io.Writer) error {
	told := make([]toldDiagnostic, 0, len(c.all)+len(c.costs))
	for _, d := range c.all {
		told = append(told, toldDiagnostic{Diagnostic: d})
	}
	for _, t := range c.costs {
		note := spec.Errorf(t.at, "tokens", "%s costs about %d tokens in every turn it is offered in", t.name, t.tokens)
		note.Severity = spec.SeverityInfo
		told = append(told, toldDiagnostic{note, t.tokens})
	}
	slices.SortStableFunc(told, func(a, b toldDiagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return writeJSON(w, told)
}

func (c *checking) writeSARIF(w io.Writer) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	return writeJSON(w, check.SARIF(c.all, version(), here))
}

// counted is a number with the thing it counts.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
