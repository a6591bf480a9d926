package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// lockOptions are what is to be done beside approving.
type lockOptions struct{ prune, remove bool }

func lockCommand(std stdio, where *place) *cobra.Command {
	var o lockOptions
	cmd := &cobra.Command{
		Use:   "lock [NAME]...",
		Short: "Approve tools as they are now: all, or those named",
		Long: `Approve tools as they are now: all, or those named. What was approved is written into the lock: the policy's, that of --lock, else
toolspec.lock beside the first tools directory. Where it is in force (--locked, --lock or the policy's lock) a tool that is new, or
changed since, is not offered before it is approved. First look at what you approve: toolspec status --locked.

  + approved for the first time      ~ approved anew, with what changed      - no longer approved`,
		Example: `  toolspec lock -d tools
  toolspec lock -d tools weather
  toolspec lock -d tools --prune
  toolspec lock -d tools --remove weather`,
		RunE: func(_ *cobra.Command, names []string) error {
			if o.remove && len(names) == 0 {
				return fmt.Errorf("--remove: want the names of tools that are no longer approved")
			}
			if o.prune && len(names) > 0 {
				return fmt.Errorf("--prune takes out all that is no longer there, and no names; to take some out: --remove")
			}
			where.locked = true // it may not lie where it could not be enforced
			set, err := where.readUnlocked()
			if err != nil {
				return err
			}
			return set.approve(names, o, std)
		},
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
			return where.completeName(cmd, nil, prefix)
		},
	}
	where.flags(cmd)
	where.lockFlag(cmd, "the lock to write; default: the policy's, else toolspec.lock beside the first tools directory")
	cmd.Flags().BoolVar(&o.prune, "prune", false, "take out what is approved and no longer there")
	cmd.Flags().BoolVar(&o.remove, "remove", false, "approve those named no longer")
	cmd.MarkFlagsMutuallyExclusive("prune", "remove")
	return cmd
}

// approve writes the lock, and says what differs from before.
func (s *set) approve(names []string, o lockOptions, std stdio) error {
	before, err := s.lockBefore()
	if err != nil {
		return failure{"the lock is left as it is, for it cannot be used; mend it, or take it away and approve anew: " + err.Error()}
	}
	r := &relocking{set: s, before: before, approved: map[string]registry.Approval{}}
	if before != nil {
		for _, a := range before.Approvals() {
			r.approved[a.Name] = a
		}
	}
	switch {
	case o.remove:
		err = r.remove(names)
	default:
		err = r.add(names)
	}
	if err != nil {
		return err
	}
	if len(names) == 0 {
		r.gone(o.prune)
	}
	if err := r.write(std.out); err != nil {
		return err
	}
	s.printDiagnostics(std.err)
	if len(names) == 0 && s.diagnostics().HasErrors() {
		return failure{"not everything is approved: files are broken"}
	}
	return nil
}

// relocking is one change of a lock.
type relocking struct {
	*set
	before   *registry.Lock // nil: there is none yet
	approved map[string]registry.Approval
	said     bytes.Buffer
	changes  int
}

// add approves tools by their names; all there are without any.
func (r *relocking) add(names []string) error {
	snapshot := r.registry.Snapshot()
	tools := slices.Collect(snapshot.All())
	if len(names) > 0 {
		tools = nil
	}
	for _, name := range names {
		tool, ok := snapshot.Tool(name)
		if _, known := r.approved[name]; !ok && known {
			return failure{fmt.Sprintf("%s is approved, and not there; to approve it no longer: toolspec lock --remove %s", name, name)}
		}
		if !ok {
			return failure{r.unknown(name)}
		}
		if !slices.Contains(tools, tool) {
			tools = append(tools, tool)
		}
	}
	for _, tool := range tools {
		r.take(tool)
	}
	return nil
}

// take approves one tool, unless it is approved as it is.
func (r *relocking) take(tool *exec.Tool) {
	name := tool.Spec.Name
	switch _, known := r.approved[name]; {
	case r.before != nil && r.before.Refusal(tool) == "":
		return
	case known:
		fmt.Fprintf(&r.said, "~ %s\n%s", name, r.before.Diff(tool))
	default:
		fmt.Fprintf(&r.said, "+ %s (%s)\n", name, tool.Spec.Pos.File)
	}
	r.approved[name] = registry.Approve(tool)
	r.changes++
}

func (r *relocking) remove(names []string) error {
	for _, name := range names {
		if _, known := r.approved[name]; !known {
			var all []string
			for name := range r.approved {
				all = append(all, name)
			}
			if near := spec.Nearest(name, all); near != "" {
				return failure{fmt.Sprintf("%s is not approved; did you mean %s?", name, near)}
			}
			return failure{name + " is not approved"}
		}
		r.drop(name)
	}
	return nil
}

func (r *relocking) drop(name string) {
	delete(r.approved, name)
	fmt.Fprintf(&r.said, "- %s\n", name)
	r.changes++
}

// gone tells of tools that are approved and not there, and takes them out if that is wanted. Where a file is broken nobody knows
// which tool it was: then nothing is taken out.
func (r *relocking) gone(prune bool) {
	var gone []string
	for name := range r.approved {
		if _, ok := r.registry.Snapshot().Tool(name); !ok {
			gone = append(gone, name)
		}
	}
	slices.Sort(gone)
	switch {
	case len(gone) == 0:
	case prune && !r.diagnostics().HasErrors():
		for _, name := range gone {
			r.drop(name)
		}
	case prune:
		fmt.Fprintf(&r.said, "kept, since files are broken: %s\n", strings.Join(gone, ", "))
	default:
		fmt.Fprintf(&r.said, "approved, and not there: %s; --prune takes that out\n", strings.Join(gone, ", "))
	}
}

// write writes the lock if it differs, and says what was done.
func (r *relocking) write(out io.Writer) error {
	if r.changes > 0 || r.before == nil {
		var all []registry.Approval
		for _, a := range r.approved {
			all = append(all, a)
		}
		if err := loader.WriteLock(registry.NewLock(r.lockPath, all), r.before); err != nil {
			return failure{"the lock cannot be written: " + err.Error()}
		}
	}
	done := "nothing changed"
	if r.changes > 0 {
		done = counted(r.changes, "change")
	}
	fmt.Fprintf(&r.said, "%s: %s approved, %s\n", r.lockPath, counted(len(r.approved), "tool"), done)
	_, err := out.Write(r.said.Bytes())
	return failed(err)
}
