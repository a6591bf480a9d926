package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/serve/audit"
)

// auditFlag gives a command that calls tools the flag that has calls recorded.
func (p *place) auditFlag(cmd *cobra.Command) {
	cmd.Flags().Var((*file)(&p.audit), "audit", "record every call in this file, a JSON line each; a call that cannot be recorded is not made")
	_ = cmd.MarkFlagFilename("audit") // the flag exists
}

// record has the calls of a set recorded, if that is wanted. Whoever writes tool files must not be able to write the record.
func (p *place) record(s *set, dirs []string, log *slog.Logger) error {
	if p.audit == "" {
		return nil
	}
	for _, dir := range dirs {
		if isDir, err := isDirectory(dir); err == nil && isDir && within(p.audit, dir) {
			return fmt.Errorf("--audit %s: it lies in the tools directory %s; put it elsewhere", p.audit, dir)
		}
	}
	for _, other := range []struct{ what, path string }{{"policy", p.policy}, {"lock", s.lockPath}} {
		if other.path != "" && isSameFile(p.audit, other.path) {
			return fmt.Errorf("--audit %s: it is the %s; name a file of its own", p.audit, other.what)
		}
	}
	trail, err := audit.Open(p.audit, cmp.Or(p.warnings, log))
	if err != nil {
		return failure{"calls cannot be recorded: " + err.Error()}
	}
	trail.Mask = s.env.Mask
	p.trail, s.trail = trail, trail
	s.env.Protected = append(slices.Clip(s.env.Protected), p.audit)
	s.env.Admit, s.registry.Observe = trail.Admit, trail.Observe
	s.observe(trail.Observe)
	return nil
}

// isSameFile tells whether two paths lead to one file, which need not be there yet.
func isSameFile(a, b string) bool {
	if resolved(a) == resolved(b) {
		return true
	}
	there, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(there, other)
}

// observe has somebody else told of calls that have ended, too.
func (s *set) observe(told func(exec.Event) error) {
	before := s.env.Observe
	if before == nil {
		s.env.Observe = told
		return
	}
	s.env.Observe = func(e exec.Event) error { return errors.Join(before(e), told(e)) }
}
