package check

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// nameRules are about what a tool is called.
func nameRules() []Rule {
	return []Rule{
		{
			Name: "portable-name", Severity: spec.SeverityWarning,
			Doc: "MCP allows more than other providers: a name of letters, digits, _ and -, at most 64, is taken by every one of them.",
			Bad: "name: weather.city.days", Good: "name: city_days",
			Check: portableName,
		},
		{
			Name: "file-name", Severity: spec.SeverityWarning,
			Doc: "A tool's identity is its name, but people look for it by its file. The two agree when they are the same but for case, - " +
				"and _, and the file's extension.",
			Bad: "name: city_days    in weather.yaml", Good: "name: city_days    in city_days.yaml, or city-days.yaml",
			Check: fileName,
		},
	}
}

var portable = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func portableName(f *File, report Report) {
	if name := f.Spec.Name; spec.NameFault(name) == "" && !portable.MatchString(name) {
		report(f.Spec.Pos, "name: want letters, digits, _ and - only, at most 64, which every provider takes; have %s", name)
	}
}

func fileName(f *File, report Report) {
	base := filepath.Base(f.Path)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	if name := f.Spec.Name; spec.NameFault(name) == "" && foldName(stem) != foldName(name) {
		report(f.Spec.Pos, "name: the file is called %s; want %s%s, as the tool is", base, name, filepath.Ext(base))
	}
}

// foldName makes names alike that differ in case or in - and _ only.
func foldName(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }
