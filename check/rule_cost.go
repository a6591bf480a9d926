package check

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

// Budget is how many tokens one tool may cost before the rule tokens warns.
const Budget = 800

// costRules are about what a tool costs in every conversation it is offered in.
func costRules() []Rule {
	return []Rule{{
		Name: "tokens", Severity: spec.SeverityWarning,
		Doc: "What a tool says of itself is paid for in every turn of every conversation, used or not. The estimate is the characters of its " +
			"name, description and inputSchema as compact JSON, divided by 4; languages written without spaces cost more. More than 800 tokens is a " +
			"warning: say less, split the tool, or leave fields out that no model sets. A summary line for each directory has their sum, and --json each figure.",
		Bad: "description: (four pages)", Good: "description: (four sentences)",
		Check: tooDear,
	}}
}

func tooDear(f *File, report Report) {
	if tokens := f.Tokens(); tokens > Budget {
		report(f.Spec.Pos, "the tool costs about %d tokens in every turn it is offered in; want at most %d", tokens, Budget)
	}
}

// Tokens is about how many tokens the tool costs a model in every turn: a quarter of the characters of its name, description
// and inputSchema as compact JSON. 0 for a file with errors.
func (f *File) Tokens() int {
	if f.Tool == nil {
		return 0
	}
	s := f.Tool.Spec
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(map[string]any{"name": s.Name, "description": s.Description, "inputSchema": s.Input.JSON()}); err != nil {
		return 0 // no schema that compiled is invalid JSON
	}
	return (utf8.RuneCount(bytes.TrimSpace(b.Bytes())) + 3) / 4
}
