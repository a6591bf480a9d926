package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/serve"
)

func statusCommand(std stdio, where *place) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say how the tools stand: which work, which wait for approval, what is broken",
		Long: `Say how the tools stand: which work, which are unavailable and why, which wait for approval and how they differ from what was
approved, which files are broken; and by which policy and lock they are judged. Where there is a lock it is looked at, also if it is not
in force. It fails if something waits or is broken.`,
		Example: `  toolspec status -d tools
  toolspec status -d tools --locked --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			set, err := where.readUnlocked()
			if err != nil {
				return err
			}
			told, err := set.tellStatus()
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(std.out, told)
			} else {
				err = told.write(std.out)
			}
			if err == nil && !told.isWell() {
				return failure{}
			}
			return failed(err)
		},
	}
	where.flags(cmd)
	where.lockFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, as GET /v1/status answers")
	return cmd
}

// toldStatus is how a set stands, by what it is judged, and how it is run.
type toldStatus struct {
	serve.Status
	Policy string `json:"policy,omitempty"` // its file
	Locked bool   `json:"locked"`           // the lock is in force
	Ending string `json:"processes"`        // the way in which processes of a call end with it
}

// tellStatus compares the set with its lock, which need not be in force: then one that is not there is none.
func (s *set) tellStatus() (toldStatus, error) {
	lock, err := s.lockBefore()
	switch {
	case err != nil:
		s.registry.Enforce(registry.BrokenLock(s.lockPath, err.Error()))
	case lock != nil:
		s.registry.Enforce(lock)
	case s.locked:
		s.registry.Enforce(registry.BrokenLock(s.lockPath, "there is no such file; toolspec lock makes one"))
	}
	told := toldStatus{Status: serve.StatusOf(s.registry), Policy: s.env.Policy.File, Locked: s.locked, Ending: s.env.Holding().String()}
	told.Watch = s.watchStatus()
	return told, nil
}

// isWell tells whether nothing has to be done.
func (t toldStatus) isWell() bool {
	n := t.counts()
	return n[registry.StatePending]+n[registry.StateBroken]+n[registry.StateStale] == 0 && (t.Lock == nil || t.Lock.Fault == "")
}

func (t toldStatus) counts() map[registry.State]int {
	n := map[registry.State]int{}
	for _, f := range t.Files {
		n[f.State]++
	}
	return n
}

func (t toldStatus) write(w io.Writer) error {
	var b bytes.Buffer
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "tools\t%s\n", t.sum())
	fmt.Fprintf(table, "policy\t%s\n", orNone(t.Policy))
	fmt.Fprintf(table, "lock\t%s\n", t.lockLine())
	fmt.Fprintf(table, "processes\t%s\n", t.Ending)
	if err := table.Flush(); err != nil {
		return err
	}
	for _, f := range t.Files {
		writeFileStatus(&b, f)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// sum counts the files by how they stand; those that are ready always.
func (t toldStatus) sum() string {
	n := t.counts()
	parts := []string{fmt.Sprintf("%d ready", n[registry.StateReady])}
	for _, state := range []registry.State{registry.StatePending, registry.StateUnavailable, registry.StateStale, registry.StateBroken, registry.StateShadowed} {
		if n[state] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[state], state))
		}
	}
	return strings.Join(parts, ", ")
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func (t toldStatus) lockLine() string {
	switch {
	case t.Lock == nil:
		return "none"
	case t.Lock.Fault != "":
		return "cannot be used, and nothing is offered under it: " + t.Lock.Fault
	case !t.Locked:
		return fmt.Sprintf("%s, %s approved; not in force without --locked", t.Lock.File, counted(t.Lock.Approved, "tool"))
	}
	return fmt.Sprintf("%s, %s approved", t.Lock.File, counted(t.Lock.Approved, "tool"))
}

// writeFileStatus writes what there is to say of a file; nothing of one with which all is well.
func writeFileStatus(b *bytes.Buffer, f serve.FileStatus) {
	name := f.Tool
	if name == "" {
		name = f.File
	}
	switch f.State {
	case registry.StateReady:
		return
	case registry.StatePending:
		fmt.Fprintf(b, "\npending: %s: %s\n%s", name, f.Reason, f.Diff)
		return
	case registry.StateUnavailable:
		fmt.Fprintf(b, "\nunavailable: %s: %s\n", name, f.Reason)
		return
	}
	fmt.Fprintf(b, "\n%s: %s\n", f.State, name)
	for _, d := range f.Diagnostics {
		fmt.Fprintf(b, "%s: %s: %s\n", d.Pos, d.Severity, d.Message)
	}
}
