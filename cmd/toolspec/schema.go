package main

import (
	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
)

func schemaCommand(std stdio, _ *place) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a tool file, for editors",
		Long: `Print the JSON Schema (draft-07) of a tool file, from which editors complete and check it, with a word on every key.
Write it to a file and name that in the first line of a tool file: # yaml-language-server: $schema=FILE`,
		Example: "  toolspec schema > tools/.toolspec.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return failed(writeJSON(std.out, exec.StandardKinds().Grammar()))
		},
	}
}
