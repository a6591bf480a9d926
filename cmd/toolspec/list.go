package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/registry"
)

func listCommand(std stdio, where *place) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tools, ready or not",
		Example: `  toolspec list -d tools
  toolspec list --builtin --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			set, err := where.read()
			if err != nil {
				return err
			}
			listing := set.registry.Snapshot().Listings()
			if asJSON {
				err = writeJSON(std.out, listing)
			} else {
				err = writeTable(std.out, listing)
			}
			set.printDiagnostics(std.err)
			return failed(err)
		},
	}
	where.flags(cmd)
	where.lockFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

// read opens and loads the set for a command that runs once; it fails where a lock lets nothing through.
func (p *place) read() (*set, error) {
	s, err := p.readAny()
	if err == nil {
		err = s.lockFault()
	}
	return s, err
}

// readUnlocked reads all tools, whether or not they are approved.
func (p *place) readUnlocked() (*set, error) {
	s, err := p.openUnlocked(slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return s, s.load()
}

// readAny is read for who has something to say even then.
func (p *place) readAny() (*set, error) {
	s, err := p.open(slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return s, s.load()
}

// readToCall is readAny for a call; what a server's log would tell of it is told to warnings.
func (p *place) readToCall(warnings io.Writer) (*set, error) {
	p.warnings = warner(warnings)
	return p.readAny()
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func writeTable(w io.Writer, listing []registry.Listing) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, l := range listing {
		state := ""
		if l.Status != registry.StateReady {
			state = "[" + string(l.Status) + "] "
		}
		fmt.Fprintf(t, "%s\t%s\t%s%s\n", l.Name, l.Kind, state, firstSentence(l.Description))
	}
	return t.Flush()
}

// firstSentence is what of a description fits a line of a table.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if i := strings.Index(text, ". "); i >= 0 {
		text = text[:i+1]
	}
	if utf8.RuneCountInString(text) > 90 {
		text = string([]rune(text)[:89]) + "…"
	}
	return text
}
