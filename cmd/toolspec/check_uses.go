package main

import (
	"strings"

	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// checkUses looks at which tools call which: a call that goes in a circle is an error, and one of a tool that is not
// here a warning, for another directory may have it.
func checkUses(tools *registry.Snapshot) spec.Diagnostics {
	var ds spec.Diagnostics
	for tool := range tools.All() {
		for _, use := range tool.Uses() {
			if _, ok := tools.Tool(use.Value); !ok {
				ds = append(ds, spec.Diagnostic{Pos: use.Pos, Severity: spec.SeverityWarning, Rule: "step", Message: "there is no tool " + use.Value + " in this directory"})
				continue
			}
			if way := wayTo(tools, use.Value, tool.Spec.Name, map[string]bool{}); way != nil {
				ds.Add(use.Pos, "step", "the tools call each other in a circle: %s → %s", tool.Spec.Name, strings.Join(way, " → "))
			}
		}
	}
	return ds
}

// wayTo is how calls lead from one tool to another, both included; nil if they do not.
func wayTo(tools *registry.Snapshot, from, to string, seen map[string]bool) []string {
	if from == to {
		return []string{to}
	}
	tool, ok := tools.Tool(from)
	if !ok || seen[from] {
		return nil
	}
	seen[from] = true
	for _, use := range tool.Uses() {
		if way := wayTo(tools, use.Value, to, seen); way != nil {
			return append([]string{from}, way...)
		}
	}
	return nil
}
