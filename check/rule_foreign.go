package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// foreignRules are about what means something to other programs and is only characters here.
func foreignRules() []Rule {
	return []Rule{
		{
			Name: "foreign-template", Severity: spec.SeverityWarning,
			Doc: "A field of the input is named in the manner of another template language, so that the characters stand there as they are: {{ .city }}, " +
				"{city} in a url, $city as an argument, where no shell looks at it. A template is written ${input.city}, and in the text of a shell, " +
				"which is none, \"$INPUT_CITY\". Only names of fields that the tool has are found.",
			Bad:   "argv: [make, '{{ .target }}']",
			Good:  "argv: [make, '${input.target}']",
			Check: foreignTemplates,
		},
		{
			Name: "shell-operator", Severity: spec.SeverityWarning,
			Doc: "An argument that is |, ||, &&, &, >, >> or 2>&1: no shell is involved in argv, so the program is given these characters. Write shell instead " +
				"of argv, or run a shell with the values as its arguments: [sh, -c, 'ls -- \"$1\" | wc -l', _, '${input.path}'].",
			Bad:   "argv: [ls, '${input.path}', '|', wc, -l]",
			Good:  "shell: ls -- \"$INPUT_PATH\" | wc -l",
			Check: shellOperators,
		},
	}
}

var (
	mustache     = regexp.MustCompile(`\{\{-?\s*[.$]?(?:(?:input|inputs|args|arguments|params|parameters|values)\.)?(\w+)\s*(?:\|[^{}]*)?-?\}\}`)
	braced       = regexp.MustCompile(`(?:^|[^${])\{(\w+)\}`)
	dollar       = regexp.MustCompile(`^["']?\$(\w+)["']?$`)
	underURL     = regexp.MustCompile(`\.url$`)
	underArgv    = regexp.MustCompile(`\.argv\[\d+\](?:\[\d+\])?$`)
	underShell   = regexp.MustCompile(`\.shell$`)
	notForShells = []string{"test", "[", "expr", "find"}
)

func foreignTemplates(f *File, report Report) {
	fields := map[string]string{} // what a field may be called: its name
	for _, p := range f.Spec.InputSchema().Get("properties").Fields() {
		fields[p.Key.Value], fields["INPUT_"+strings.ToUpper(p.Key.Value)] = p.Key.Value, p.Key.Value
	}
	eachText(f.Spec.Root(), func(text spec.Text, path string, isKey bool) {
		if isKey || !strings.HasPrefix(path, "executor.") && !strings.HasPrefix(path, "result.") {
			return
		}
		field, foreign := foreignField(text.Value, path, fields)
		switch {
		case field == "":
		case underShell.MatchString(path):
			report(text.Pos, `%s: %s is no template here; write "$INPUT_%s"`, path, foreign, strings.ToUpper(field))
		default:
			report(text.Pos, "%s: %s is no template here; write ${input.%s}", path, foreign, field)
		}
	})
}

// foreignField is the first field that a text names in a manner of others, and how.
func foreignField(text, path string, fields map[string]string) (field, foreign string) {
	patterns := []*regexp.Regexp{mustache}
	if underURL.MatchString(path) {
		patterns = append(patterns, braced)
	}
	if underArgv.MatchString(path) {
		patterns = append(patterns, dollar)
	}
	for _, pattern := range patterns {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			if name := fields[m[1]]; name != "" {
				return name, strings.TrimLeft(m[0], "/=&?-.:@ ")
			}
		}
	}
	return "", ""
}

var operators = []string{"|", "||", "&&", "&", ">", ">>", "2>&1", "2>/dev/null"}

func shellOperators(f *File, report Report) {
	for _, w := range works(f) {
		argv := w.config.Get("argv").Items()
		if w.kind != "command" || len(argv) == 0 || slices.Contains(notForShells, textOf(argv[0])) {
			continue
		}
		for _, item := range argv {
			if slices.Contains(operators, textOf(item)) {
				report(item.Pos(), "%s: no shell looks at %s here; write shell: …, or [sh, -c, 'a \"$1\" | b', _, '${input.…}']", item.Path(), textOf(item))
				break
			}
		}
	}
}
