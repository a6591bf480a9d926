package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/sandbox"
	"github.com/toolspec/toolspec/exec/sandbox/promise"
)

func doctorCommand(std stdio, _ *place) *cobra.Command {
	var asJSON, attack bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine can do to confine programs, and try to break what is promised",
		Long: `Say what this machine can do to confine programs and to end them, and try to break each promise of each level of the
sandbox: first without a sandbox, where the attack must succeed to mean anything, then within. It touches
only files and processes that it makes for that, in the directory for temporary files.

held: the attack failed. BROKEN: it succeeded; the exit code is 1. open: it succeeded where the level does not promise
that it will not. untried: it fails here without a sandbox, too. unavailable: the level is not to be had here.`,
		Example: `  toolspec doctor
  toolspec doctor --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if attack {
				return failed(promise.Attack())
			}
			report, err := diagnose()
			if err != nil {
				return failed(err)
			}
			if asJSON {
				err = writeJSON(std.out, report)
			} else {
				err = report.write(std.out)
			}
			if broken := report.Broken(); err == nil && len(broken) > 0 {
				return failure{fmt.Sprintf("%d promises are broken", len(broken))}
			}
			return failed(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&attack, "attack", false, "attack, as the program does that doctor starts")
	_ = cmd.Flags().MarkHidden("attack") // the flag exists
	return cmd
}

// diagnosis is what doctor finds.
type diagnosis struct {
	*promise.Report
	Processes toldHolding `json:"processes"`
}

// toldHolding is how the processes of a call that is not confined are kept together.
type toldHolding struct {
	Way string `json:"way"`
	Why string `json:"why,omitempty"` // it is no better one
	all string
}

func diagnose() (*diagnosis, error) {
	report, err := promise.Check(sandbox.New(), []string{os.Args[0], "doctor", "--attack"})
	if err != nil {
		return nil, err
	}
	way, err := holdWay(os.Getenv(holdVariable))
	if err != nil {
		return nil, err
	}
	env := &exec.Env{Hold: way, Log: slog.New(slog.DiscardHandler)}
	defer env.Close()
	h := env.Holding()
	return &diagnosis{report, toldHolding{string(h.Way), h.Why, h.String()}}, nil
}

func (d *diagnosis) write(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	s := d.System
	fmt.Fprintf(table, "system\t%s %s, Landlock %d, user %d\n", s.OS, s.Kernel, s.Landlock, s.User)
	fmt.Fprintf(table, "processes\t%s\n", d.Processes.all)
	for _, l := range d.Levels {
		text := "to be had"
		if !l.Has {
			text = "not to be had: " + l.Why
		}
		fmt.Fprintf(table, "%s\t%s\n", l.Level, text)
	}
	if err := table.Flush(); err != nil || len(d.Names) == 0 {
		return err
	}
	fmt.Fprint(table, "\npromise")
	for _, l := range d.Levels {
		fmt.Fprintf(table, "\t%s", l.Level)
	}
	fmt.Fprintln(table)
	for _, name := range d.Names {
		fmt.Fprint(table, name)
		for _, l := range d.Levels {
			outcome := string(d.Of(name, l.Level).Outcome)
			if outcome == string(promise.Broken) {
				outcome = strings.ToUpper(outcome)
			}
			fmt.Fprintf(table, "\t%s", outcome)
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return d.writeUntried(w)
}

// writeUntried says why attacks show nothing here.
func (d *diagnosis) writeUntried(w io.Writer) error {
	said := map[string]bool{}
	for _, v := range d.Verdicts {
		if v.Outcome != promise.Untried || said[v.Promise] {
			continue
		}
		if len(said) == 0 {
			fmt.Fprintln(w)
		}
		said[v.Promise] = true
		if _, err := fmt.Fprintf(w, "untried: %s: %s\n", v.Promise, v.Why); err != nil {
			return err
		}
	}
	return nil
}
