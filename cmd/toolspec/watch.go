package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

func watchCommand(std stdio, where *place) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Print what changes in the tools, as it changes",
		Long: `Print what changes in the tools, as it changes, until interrupted. First comes what is there.

  + a tool was added        ! what is wrong with a file
  ~ a tool was updated      = nothing is wrong with a file any more
  - a tool was removed`,
		Example: `  toolspec watch -d tools
  toolspec watch -d tools --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := where.open(logger(std.err))
			if err != nil {
				return err
			}
			return failed(set.watch(cmd.Context(), changes{std.out, asJSON, map[string]bool{}}))
		},
	}
	where.flags(cmd)
	where.lockFlags(cmd)
	where.watchFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a change")
	return cmd
}

// watch prints changes until ctx is done, or they cannot be printed.
func (s *set) watch(ctx context.Context, printed changes) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	heard := s.registry.Subscribe(ctx)
	_, done := s.start(ctx)
	var err error
	for change := range heard {
		if err = printed.print(change); err != nil {
			break
		}
	}
	cancel()
	return errors.Join(err, <-done)
}

// changes prints each change once.
type changes struct {
	out    io.Writer
	asJSON bool
	faulty map[string]bool // files that something was said of
}

func (p *changes) print(c registry.Change) error {
	if p.asJSON {
		e := json.NewEncoder(p.out)
		e.SetEscapeHTML(false)
		return e.Encode(c)
	}
	var b bytes.Buffer
	for _, part := range []struct {
		sign  string
		names []string
	}{{"+", c.Added}, {"~", c.Updated}, {"-", c.Removed}} {
		for _, name := range part.names {
			fmt.Fprintf(&b, "%s %s\n", part.sign, name)
		}
	}
	now := map[string]bool{}
	for _, d := range c.Diagnostics {
		now[d.Pos.File] = true
		fmt.Fprintf(&b, "! %s\n", d.Error())
	}
	for _, file := range c.Files {
		if p.faulty[file] && !now[file] {
			fmt.Fprintf(&b, "= %s: nothing is wrong any more\n", spec.Visible(file))
		}
		p.faulty[file] = now[file]
	}
	_, err := p.out.Write(b.Bytes())
	return err
}
