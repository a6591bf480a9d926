package check

import (
	"regexp"
	"slices"

	"github.com/toolspec/toolspec/spec"
)

// scalarRules are about values that other readers of YAML take for something else.
func scalarRules() []Rule {
	return []Rule{{
		Name: "ambiguous-scalar", Severity: spec.SeverityWarning,
		Doc: "Where JSON is wanted (a json body, a step's or a test's input, a value in a schema whose type is not string), an unquoted yes, no, on, off, y or n is a text here and " +
			"a boolean to YAML 1.1; a date, 1:30 and 1_000 are texts here, and a date or numbers there; 0640 is the number 640 here and 416 there. Which was meant? Quote what is a text " +
			"(--fix quotes yes, no, on and off), write true, false or the number where that was meant. Where a text is wanted anyway there is no doubt, and no warning.",
		Bad: "body: {json: {notify: no}}", Good: "body: {json: {notify: false}}",
		Check: ambiguous,
	}}
}

var (
	yesNo   = regexp.MustCompile(`^([yY]|[nN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$`)
	yamlDay = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?$`)
	sixty   = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9]*)?$`)
	scored  = regexp.MustCompile(`^[-+]?[0-9]+(_[0-9]+)+$`)
	octal   = regexp.MustCompile(`^[-+]?0[0-7]+$`)
)

func ambiguous(f *File, report Report) {
	if f.Spec.Root().Form() != spec.FormMap || f.isJSON() {
		return
	}
	for _, w := range works(f) {
		ask(w.config.Get("body").Get("json"), report)
	}
	for _, input := range stepInputs(f.Spec.Root().Get("executor").Get("pipeline")) {
		ask(input, report)
	}
	for _, block := range f.Spec.Root().Get("result").Get("content").Items() {
		ask(block.Get("json"), report)
	}
	for _, test := range f.Spec.Root().Get("tests").Items() {
		for _, place := range []spec.Section{test.Get("input"), test.Get("stub").Get("http").Get("json"), test.Get("expect").Get("json")} {
			ask(place, report)
		}
	}
	for _, root := range []spec.Section{f.Spec.InputSchema(), f.Spec.OutputSchema()} {
		eachSchema(root, func(s spec.Section) {
			if wantsText(s) {
				return
			}
			for _, keyword := range []string{"default", "const", "enum", "examples"} {
				ask(s.Get(keyword), report)
			}
		})
	}
}

// isJSON tells whether the file is JSON, in which every text stands in quotes.
func (f *File) isJSON() bool {
	for _, c := range f.Source {
		switch c {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF:
		default:
			return c == '{'
		}
	}
	return false
}

// stepInputs are the inputs of a pipeline's steps, those of pipelines within it too.
func stepInputs(pipeline spec.Section) []spec.Section {
	var all []spec.Section
	for _, step := range pipeline.Items() {
		all = append(all, step.Get("input"))
		all = append(all, stepInputs(step.Get("pipeline"))...)
	}
	return all
}

// wantsText tells whether a schema says that its values are texts, or null.
func wantsText(s spec.Section) bool {
	types := names(s.Get("type"))
	if text, ok := s.Get("type").Text(); ok {
		types = []string{text.Value}
	}
	return len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return t != "string" && t != "null" })
}

// ask reports every scalar of a section that can be read in two ways.
func ask(s spec.Section, report Report) {
	for _, f := range s.Fields() {
		ask(f.Value, report)
	}
	for _, item := range s.Items() {
		ask(item, report)
	}
	text := textOf(s)
	switch {
	case !s.Plain():
	case yesNo.MatchString(text):
		report(s.Pos(), "%s: %s is the text %q here, and a boolean to other readers of YAML; which was meant? write '%s', or true or false", s.Path(), text, text, text)
	case yamlDay.MatchString(text):
		report(s.Pos(), "%s: %s is a text here, and a date to other readers of YAML; write '%s'", s.Path(), text, text)
	case s.Form() == spec.FormText && (sixty.MatchString(text) || scored.MatchString(text)):
		report(s.Pos(), "%s: %s is a text here, and a number to other readers of YAML; write '%s', or the number that was meant", s.Path(), text, text)
	case s.Form() == spec.FormNumber && octal.MatchString(text):
		report(s.Pos(), "%s: %s is the number %s here, and octal to other readers of YAML; write %s, or '%s' for the text", s.Path(), text, s.JSON(), s.JSON(), text)
	}
}
