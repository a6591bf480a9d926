package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/registry"
)

func watchCommand(std stdio, where *place) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Print what changes in the tools, as it changes",
		Example: `  toolspec watch -d tools
  toolspec watch -d tools --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := where.open(logger(std.err))
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			changes := set.registry.Subscribe(ctx)
			_, done := set.start(ctx)
			for change := range changes {
				if err := writeChange(std.out, change, asJSON); err != nil {
					return err
				}
			}
			return <-done
		},
	}
	where.flags(cmd)
	where.watchFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a change")
	return cmd
}

func writeChange(w io.Writer, c registry.Change, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(c)
	}
	for _, part := range []struct {
		sign  string
		names []string
	}{{"+", c.Added}, {"~", c.Updated}, {"-", c.Removed}} {
		for _, name := range part.names {
			fmt.Fprintf(w, "%s %s\n", part.sign, name)
		}
	}
	for _, d := range c.Diagnostics {
		fmt.Fprintf(w, "! %s\n", d.Error())
	}
	return nil
}
