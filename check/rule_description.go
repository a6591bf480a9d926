package check

import (
	"regexp"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// descriptionRules are about what a model is told.
func descriptionRules() []Rule {
	return []Rule{
		{
			Name: "when-to-use", Severity: spec.SeverityWarning,
			Doc: "A model chooses a tool by its description, so that says when to use it. What counts is a sentence that begins with \"Use\" " +
				"(Use this tool when …, Use it for …, Use this before …), or that holds \"use this\", \"use it\", \"call this\", \"useful for\", " +
				"\"used when\" or \"when the user\".",
			Bad:   "description: Daily forecast for a city.",
			Good:  "description: Daily forecast for a city. Use this tool when the user asks about the weather to come. Do not use it for past weather.",
			Check: whenToUse,
		},
		{
			Name: "when-not-to-use", Severity: spec.SeverityWarning,
			Doc: "Of two tools that both could serve, a model picks the wrong one unless a description says what the tool is not for. What " +
				"counts is \"do not use\", \"don't use\", \"not for\", \"not to\", \"cannot\", \"does not\", \"only when\", \"only if\", \"only for\", " +
				"\"rather than\" or \"instead of\", or a sentence that sends elsewhere: For … use OTHER_TOOL, To … use OTHER_TOOL.",
			Bad:   "description: Read lines of a file. Use this tool to look at part of a file.",
			Good:  "description: Read lines of a file. Use this tool to look at part of a file. Do not use it for binary files.",
			Check: whenNotToUse,
		},
		{
			Name: "parameter-description", Severity: spec.SeverityWarning,
			Doc: "A model fills in a parameter by what its description says; a name alone makes it guess the form of a date or the unit of a " +
				"length. Every property of inputSchema wants one, at every depth; one behind $ref or in allOf counts.",
			Bad:   "properties: {since: {type: string}}",
			Good:  "properties: {since: {type: string, description: 'The first day, such as 2031-01-30'}}",
			Check: parameterDescriptions,
		},
	}
}

var (
	saysWhen = regexp.MustCompile(`(?i)(^|[.!?:;,)]\s+)use\b|\buse (this|it)\b|\bcall (this|it)\b|\buseful (for|to|when|if)\b|\bwhen (the user|you|a user|asked)\b|` +
		`\b(used|called|invoked) (for|when|if|only|before|after|in response)\b`)
	saysNot = regexp.MustCompile(`(?i)\b(do not|don't|don’t|never) (use|call)\b|\bnot (be used|for|to|intended|meant|suitable)\b|\bcannot\b|\bcan't\b|\bcan not\b|\bdoes not\b|\bdoesn't\b|` +
		`\bonly (when|if|for|works)\b|\brather than\b|\binstead of\b|\b(for|to|if|when) [^.!?]*?,? (use|call) \w+`)
	sendsUser = regexp.MustCompile(`(?i)\b(for|to|if|when) [^.!?]*?,? (use|call) (this|it)\b`)
)

// described is the description, unless the file says that there is none.
func described(f *File) (spec.Pos, string) {
	text, ok := f.Spec.Root().Get("description").Text()
	if !ok {
		return spec.Pos{}, ""
	}
	return text.Pos, strings.TrimSpace(text.Value)
}

func whenToUse(f *File, report Report) {
	if at, text := described(f); text != "" && !saysWhen.MatchString(text) {
		report(at, `description: want a sentence that says when to use the tool, such as "Use this tool when …"`)
	}
}

func whenNotToUse(f *File, report Report) {
	if at, text := described(f); text != "" && !saysNot.MatchString(sendsUser.ReplaceAllString(text, "")) {
		report(at, `description: want a sentence that says when not to use the tool, such as "Do not use it for …"`)
	}
}

func parameterDescriptions(f *File, report Report) {
	p := parameters{root: f.Spec.InputSchema(), report: report}
	p.schema(p.root, nil)
}

// parameters looks for those without a description.
type parameters struct {
	root   spec.Section
	report Report
}

// schema looks into a schema; outer are the fields of the same object that were described around it.
func (p *parameters) schema(s spec.Section, outer map[string]bool) {
	own := map[string]bool{}
	for name := range outer {
		own[name] = true
	}
	for _, f := range s.Get("properties").Fields() {
		own[f.Key.Value] = own[f.Key.Value] || p.isDescribed(f.Value, 0)
	}
	for _, f := range s.Get("properties").Fields() {
		if !own[f.Key.Value] {
			p.report(f.Key.Pos, "%s: want a description of what to give here", f.Value.Path())
		}
	}
	for _, inner := range spec.Subschemas(s) {
		switch {
		case inner.Keyword == "not" || inner.Keyword == "if" || inner.Keyword == "propertyNames":
		case inner.InPlace:
			p.schema(inner.Schema, own)
		default:
			p.schema(inner.Schema, nil)
		}
	}
}

// maxFollowed is how many references in a row are followed to a description.
const maxFollowed = 8

func (p *parameters) isDescribed(s spec.Section, followed int) bool {
	if text, ok := s.Get("description").Text(); ok && strings.TrimSpace(text.Value) != "" {
		return true
	}
	if s.Form() == spec.FormBool && s.Value() == false || followed == maxFollowed {
		return s.Form() == spec.FormBool // the schema false: there is nothing to give
	}
	if ref, ok := s.Get("$ref").Text(); ok && p.isDescribed(spec.Follow(p.root, ref.Value), followed+1) {
		return true
	}
	for _, part := range s.Get("allOf").Items() {
		if p.isDescribed(part, followed+1) {
			return true
		}
	}
	return false
}
