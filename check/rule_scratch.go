package check

import (
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// scratchRules are about the directory that a call has to itself.
func scratchRules() []Rule {
	return []Rule{{
		Name: "scratch", Severity: spec.SeverityWarning,
		Doc: "A file of the result is taken from dir.scratch, the directory that a call has to itself, and no command of the tool knows where that is: a " +
			"program writes into dir.work unless it is told otherwise. Name the directory in an argument or a variable, or make it the cwd.",
		Bad:   "argv: [plot, -o, chart.png]    content: [{image: {format: png, file: chart.png}}]",
		Good:  "argv: [plot, -o, '${dir.scratch}/chart.png']    content: [{image: {format: png, file: chart.png}}]",
		Check: unwrittenFiles,
	}}
}

func unwrittenFiles(f *File, report Report) {
	works := works(f)
	for _, w := range works {
		if w.kind == "func" || w.kind == "pipeline" || namesScratch(w.config) {
			return
		}
	}
	for _, block := range f.Spec.Result.Get("content").Items() {
		for _, field := range block.Fields() {
			if file := field.Value.Get("file"); !file.IsZero() {
				report(file.Pos(), "%s is taken from dir.scratch, and nothing writes there: name ${dir.scratch}/… in the command, or write cwd: ${dir.scratch}",
					file.Path())
			}
		}
	}
}

// namesScratch tells whether a text of the section holds dir.scratch.
func namesScratch(s spec.Section) (named bool) {
	eachText(s, func(text spec.Text, _ string, _ bool) { named = named || strings.Contains(text.Value, "dir.scratch") })
	return named
}
