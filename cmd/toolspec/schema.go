package main

import (
	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
)

func schemaCommand(std stdio, _ *place) *cobra.Command {
	var ofPolicy bool
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a tool file, or of a policy, for editors",
		Long: `Print the JSON Schema (draft-07) of a tool file, from which editors complete and check it, with a word on every key.
Write it to a file and name that in the first line of a tool file: # yaml-language-server: $schema=FILE
With --policy it is that of an operator's policy file.`,
		Example: `  toolspec schema > tools/.toolspec.schema.json
  toolspec schema --policy > policy.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			kinds := exec.StandardKinds()
			if ofPolicy {
				return failed(writeJSON(std.out, kinds.PolicyGrammar()))
			}
			return failed(writeJSON(std.out, kinds.Grammar()))
		},
	}
	cmd.Flags().BoolVar(&ofPolicy, "policy", false, "print that of a policy file")
	return cmd
}
