package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// helpCommand is cobra's, but an unknown name is wrong usage.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]...",
		Short:   "Say what a command does and how it is used",
		Example: "  toolspec help call",
		RunE: func(cmd *cobra.Command, names []string) error {
			about, rest, err := cmd.Root().Find(names)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("unknown command %q for %q", rest[0], about.CommandPath())
			}
			if err != nil {
				return err
			}
			return about.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, names []string, _ string) ([]string, cobra.ShellCompDirective) {
			about, _, err := cmd.Root().Find(names)
			if err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			var next []string
			for _, c := range about.Commands() {
				if c.IsAvailableCommand() {
					next = append(next, c.Name()+"\t"+c.Short)
				}
			}
			return next, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// completionExamples are how each shell takes up its script.
var completionExamples = map[string]string{
	"completion": "  toolspec completion bash > ~/.local/share/bash-completion/completions/toolspec",
	"bash":       "  source <(toolspec completion bash)",
	"zsh":        `  toolspec completion zsh > "${fpath[1]}/_toolspec"`,
	"fish":       "  toolspec completion fish > ~/.config/fish/completions/toolspec.fish",
	"powershell": "  toolspec completion powershell | Out-String | Invoke-Expression",
}

// describeCompletion gives cobra's own completion commands their examples, and makes an unknown shell wrong usage.
func describeCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		return // cobra makes none without commands
	}
	completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	for _, c := range append(completion.Commands(), completion) {
		c.Example = completionExamples[c.Name()]
	}
}
