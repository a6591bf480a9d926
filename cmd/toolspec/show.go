package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

func showCommand(std stdio, where *place) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show one tool: its contract, its file, and what is wrong with it",
		Example: `  toolspec show -d tools weather
  toolspec show --builtin calculator --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			set, err := where.read()
			if err != nil {
				return err
			}
			l, ok := set.registry.Snapshot().Listing(args[0])
			switch {
			case !ok:
				set.printDiagnostics(std.err)
				return failure{set.unknown(args[0])}
			case asJSON:
				return failed(writeJSON(std.out, l))
			}
			return failed(writeTool(std.out, l))
		},
		ValidArgsFunction: where.completeName,
	}
	where.flags(cmd)
	where.lockFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// unknown says that there is no such tool, with the nearest names, or that it waits for approval.
func (s *set) unknown(name string) string {
	if entry, ok := s.registry.Snapshot().Entry(name); ok && entry.State == registry.StatePending {
		return fmt.Sprintf("%s waits for approval: %s; toolspec status shows the difference, toolspec lock %s approves it", name, entry.Pending, name)
	}
	var names []string
	for t := range s.registry.Snapshot().All() {
		names = append(names, t.Spec.Name)
	}
	if near := spec.Nearest(name, names); near != "" {
		return fmt.Sprintf("there is no tool %q; did you mean %q?", name, near)
	}
	return fmt.Sprintf("there is no tool %q; toolspec list shows the %d there are", name, len(names))
}

// completeName completes a tool's name in the shell.
func (p *place) completeName(_ *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	set, err := p.readUnlocked()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for t := range set.registry.Snapshot().All() {
		if strings.HasPrefix(t.Spec.Name, prefix) {
			names = append(names, t.Spec.Name+"\t"+firstSentence(t.Spec.Description))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func writeTool(w io.Writer, l registry.Listing) error {
	title := l.Name
	if l.Title != "" {
		title += " — " + l.Title
	}
	fmt.Fprintf(w, "%s\n\n%s\n\n", title, strings.TrimSpace(l.Description))
	fmt.Fprintf(w, "kind    %s\nfile    %s\nstatus  %s\ndigest  %s\n", l.Kind, l.File, l.Status, l.Digest)
	if len(l.Tags) > 0 {
		fmt.Fprintf(w, "tags    %s\n", strings.Join(l.Tags, ", "))
	}
	for _, d := range l.Diagnostics {
		fmt.Fprintf(w, "%s: %s\n", d.Severity, d.Error())
	}
	if err := writeSchema(w, "input", l.InputSchema); err != nil || l.OutputSchema == nil {
		return err
	}
	return writeSchema(w, "output", l.OutputSchema)
}

func writeSchema(w io.Writer, label string, schema json.RawMessage) error {
	fmt.Fprintf(w, "\n%s schema\n", label)
	return writeJSON(w, schema)
}
