package check

import (
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// stepRule is the name of what is wrong with a step that calls another tool.
const stepRule = "step"

// useRules are about which tools call which.
func useRules() []Rule {
	return []Rule{
		{
			Name: stepRule, Severity: spec.SeverityWarning,
			Doc: "A step of a pipeline calls a tool that is not in this directory. Another directory may have it, so this is a warning; " +
				"nobody can call the tool where none has.",
			Bad:      "- {id: place, tool: geocoed}",
			Good:     "- {id: place, tool: geocode}",
			CheckAll: unknownSteps,
		},
		{
			Name: "circle", Severity: spec.SeverityError,
			Doc:      "Tools call each other in a circle, so no call of one of them could end.",
			Bad:      "a.yaml: - {id: x, tool: b}    b.yaml: - {id: y, tool: a}",
			Good:     "a.yaml: - {id: x, tool: b}    b.yaml: - {id: y, expr: input.z}",
			CheckAll: circles,
		},
	}
}

// toolsByName are the files whose tools can be called.
func toolsByName(files []*File) map[string]*File {
	tools := make(map[string]*File, len(files))
	for _, f := range files {
		if f.Tool != nil && tools[f.Tool.Spec.Name] == nil {
			tools[f.Tool.Spec.Name] = f
		}
	}
	return tools
}

func unknownSteps(files []*File, report Report) {
	tools := toolsByName(files)
	for _, f := range tools {
		for _, use := range f.Tool.Uses() {
			if tools[use.Value] == nil {
				report(use.Pos, "there is no tool %s in this directory", use.Value)
			}
		}
	}
}

func circles(files []*File, report Report) {
	tools := toolsByName(files)
	for name, f := range tools {
		for _, use := range f.Tool.Uses() {
			if way := wayTo(tools, use.Value, name, map[string]bool{}); way != nil {
				report(use.Pos, "the tools call each other in a circle: %s → %s", name, strings.Join(way, " → "))
			}
		}
	}
}

// wayTo is how calls lead from one tool to another, both included; nil if they do not.
func wayTo(tools map[string]*File, from, to string, seen map[string]bool) []string {
	if from == to {
		return []string{to}
	}
	f := tools[from]
	if f == nil || seen[from] {
		return nil
	}
	seen[from] = true
	for _, use := range f.Tool.Uses() {
		if way := wayTo(tools, use.Value, to, seen); way != nil {
			return append([]string{from}, way...)
		}
	}
	return nil
}
