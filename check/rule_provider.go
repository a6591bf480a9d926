package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

// provider is what one provider of models takes, beside what its export has to rewrite.
type provider struct {
	name        string
	who         string
	description int // characters of a description; 0: no limit is known
	context     int // tokens of its usual models' context
}

// providers are all that a check knows.
func providers() []provider {
	return []provider{
		{name: "bedrock", who: "Amazon Bedrock", context: 200_000},
		{name: "anthropic", who: "Anthropic", context: 200_000},
		{name: "openai", who: "OpenAI", description: 1024, context: 128_000},
		{name: "openai-strict", who: "OpenAI in strict mode", description: 1024, context: 128_000},
		{name: "gemini", who: "Gemini", context: 1_000_000},
		{name: "mcp", who: "MCP", context: 200_000},
	}
}

// Providers are the names of the providers that files can be judged for.
func Providers() []string {
	var names []string
	for _, p := range providers() {
		names = append(names, p.name)
	}
	return names
}

// providerRules are the rules of the providers of these names.
func providerRules(names []string) []Rule {
	var rules []Rule
	for _, p := range providers() {
		if slices.Contains(names, p.name) {
			rules = append(rules, p.rule())
		}
	}
	return rules
}

func (p provider) rule() Rule {
	doc := "With --provider " + p.name + ": what " + p.who + " cannot take of a tool, and toolspec export --to " + p.name + " therefore leaves out, tells in the description or names otherwise; "
	bad, good := "inputSchema: {oneOf: [{required: [id]}, {required: [path]}], …}", "description: … Give id or path, not both."
	switch {
	case p.description > 0:
		doc += "a description of more than 1,024 characters; "
	case p.name == "mcp":
		doc = "With --provider mcp: MCP takes a tool as the file has it; "
		bad, good = "200 tools of 300 tokens each in one directory", "20 of them in each of ten directories"
	}
	return Rule{
		Name: "provider-" + p.name, Severity: spec.SeverityWarning,
		Doc: doc + fmt.Sprintf("and, for a directory, more tools than it takes in one request, or tools that take more than a quarter of the %s tokens that its usual models have.", thousands(p.context)),
		Bad: bad, Good: good,
		Check: p.check, CheckAll: p.checkAll,
	}
}

// thousands is a whole number of thousands, with its comma.
func thousands(n int) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%d,000,000", n/1_000_000)
	}
	return fmt.Sprintf("%d,000", n/1000)
}

func (p provider) check(f *File, report Report) {
	if f.Tool == nil {
		return
	}
	doc, losses, err := export.Convert(p.name, []*spec.Spec{f.Tool.Spec})
	if err != nil {
		report(f.Spec.Pos, "%s: %s", p.name, err)
		return
	}
	for _, loss := range losses {
		if loss.Severity == spec.SeverityWarning {
			report(loss.Pos, "%s: %s", p.name, loss.Message)
		}
	}
	p.checkDescription(f, doc, report)
}

// checkDescription counts a description as it is exported to OpenAI, with what is told of the schema in it.
func (p provider) checkDescription(f *File, doc []byte, report Report) {
	var tools []struct {
		Function struct {
			Description string `json:"description"`
		} `json:"function"`
	}
	if p.description == 0 || json.Unmarshal(doc, &tools) != nil || len(tools) != 1 {
		return
	}
	if n := utf8.RuneCountInString(tools[0].Function.Description); n > p.description {
		report(f.Spec.At("/description"), "%s: description: want at most %d characters, with what is told of the schema in it; have %d", p.name, p.description, n)
	}
}

func (p provider) checkAll(files []*File, report Report) {
	var specs []*spec.Spec
	tokens := 0
	for _, f := range toolsByName(files) {
		specs, tokens = append(specs, f.Tool.Spec), tokens+f.Tokens()
	}
	if len(specs) == 0 {
		return
	}
	slices.SortFunc(specs, func(a, b *spec.Spec) int { return strings.Compare(a.Name, b.Name) })
	last := specs[len(specs)-1].Pos
	_, losses, err := export.Convert(p.name, specs)
	if err != nil {
		return // said of each file
	}
	for _, loss := range losses {
		if loss.Rule == "many-tools" {
			report(last, "%s: %s", p.name, loss.Message)
		}
	}
	if tokens > p.context/4 {
		report(last, "%s: the %d tools cost about %d tokens in every turn, more than a quarter of the %s that its usual models have", p.name, len(specs), tokens, thousands(p.context))
	}
}
