package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitFine   = 0
	exitFailed = 1 // the tool or the check failed, or the work itself, such as writing
	exitUsage  = 2 // the command line is wrong
)

// failure ends a command with exit code 1; its text, if any, is for people.
type failure struct{ text string }

func (f failure) Error() string { return f.text }

// failed is an error of the work that a right command line asked for.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return failure{err.Error()}
}

// run runs one command line and gives its exit code, within a process that does other things, too.
func run(ctx context.Context, args []string, std stdio) int {
	return runFrom(ctx, args, std, &place{})
}

func runFrom(ctx context.Context, args []string, std stdio, where *place) int {
	defer where.close()
	root := newRoot(std, where)
	root.SetArgs(goFlags(args))
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitFine
	}
	if text := err.Error(); text != "" {
		fmt.Fprintln(std.err, "toolspec:", text)
	}
	if f := (failure{}); errors.As(err, &f) {
		return exitFailed
	}
	return exitUsage
}

func newRoot(std stdio, where *place) *cobra.Command {
	root := &cobra.Command{
		Use:   "toolspec",
		Short: "Serve a directory of tool files to agents: a tool is a file",
		Long: `A tool is a file. Drop weather.yaml into a directory and every agent pointed at it can call the tool;
edit the file and running agents have the new version a moment later.`,
		Example: `  toolspec list -d tools             # what is there
  toolspec call -d tools weather city=Oslo
  toolspec serve -d tools            # MCP on stdin and stdout`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, command := range []func(stdio, *place) *cobra.Command{
		serveCommand, listCommand, showCommand, callCommand, checkCommand, exportCommand, testCommand, watchCommand, lockCommand, statusCommand, policyCommand, schemaCommand, newCommand, doctorCommand, versionCommand,
	} {
		root.AddCommand(command(std, where))
	}
	root.SetHelpCommand(helpCommand())
	describeCompletion(root)
	return root
}
