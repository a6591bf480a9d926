package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

func exportCommand(std stdio, where *place) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "export [NAME]...",
		Short: "Write tools as a provider of models takes them",
		Long: "Write tools as a provider of models takes them, on stdout: all that work here, or those named. What a provider cannot take is " +
			"rewritten, and each rewriting is told on stderr, at its line. Calls are checked against the full schema all the same.",
		Example: `  toolspec export -d tools --to anthropic > tools.json
  toolspec export --builtin calculator now --to markdown`,
		RunE: func(_ *cobra.Command, names []string) error {
			if to == "" {
				return errors.New("--to: want one of " + strings.Join(export.Formats(), ", "))
			}
			if _, _, err := export.Convert(to, nil); err != nil {
				return fmt.Errorf("--to: %w", err)
			}
			set, err := where.read()
			if err != nil {
				return err
			}
			return set.export(to, names, std)
		},
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
			return where.completeName(cmd, nil, prefix)
		},
	}
	where.flags(cmd)
	where.lockFlags(cmd)
	cmd.Flags().StringVar(&to, "to", "", strings.Join(export.Formats(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(export.Formats(), cobra.ShellCompDirectiveNoFileComp)) // the flag exists
	return cmd
}

// export writes the tools of these names, or all. It fails when one of them is missing: named and not to be had, or in a
// file that is broken.
func (s *set) export(to string, names []string, std stdio) error {
	specs, err := s.exported(names, std.err)
	if err != nil {
		return err
	}
	doc, losses, err := export.Convert(to, specs)
	if err != nil {
		return err
	}
	if _, err := std.out.Write(doc); err != nil {
		return failed(err)
	}
	printDiagnostics(std.err, losses)
	if len(names) > 0 {
		return nil
	}
	found := slices.DeleteFunc(s.diagnostics(), func(d spec.Diagnostic) bool { return d.Severity != spec.SeverityError })
	printDiagnostics(std.err, found)
	if found.HasErrors() {
		return failure{"not everything is exported: files are broken"}
	}
	return nil
}

// exported are the specs of the tools to export. Those that cannot work here are left out, with a note.
func (s *set) exported(names []string, notes io.Writer) ([]*spec.Spec, error) {
	snapshot := s.registry.Snapshot()
	var tools []*exec.Tool
	for _, name := range names {
		tool, ok := snapshot.Tool(name)
		switch {
		case !ok:
			s.printDiagnostics(notes)
			return nil, failure{s.unknown(name)}
		case tool.Unavailable() != "":
			return nil, failure{fmt.Sprintf("%s is unavailable here: %s", name, tool.Unavailable())}
		case !slices.Contains(tools, tool):
			tools = append(tools, tool)
		}
	}
	if len(names) == 0 {
		tools = slices.Collect(snapshot.All())
	}
	var specs []*spec.Spec
	for _, tool := range tools {
		if why := tool.Unavailable(); why != "" {
			fmt.Fprintf(notes, "%s: not exported: %s is unavailable here: %s\n", tool.Spec.Pos, tool.Spec.Name, why)
			continue
		}
		specs = append(specs, tool.Spec)
	}
	return specs, nil
}
