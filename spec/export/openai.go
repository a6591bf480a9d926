package export

import (
	"slices"

	"github.com/toolspec/toolspec/spec"
)

// openAI writes what stands under tools of a request to OpenAI's Chat Completions API: JSON Schema without alternatives,
// enum and not at the root, each list with its items, each schema a map.
func openAI() format {
	return format{
		name: "openai",
		rules: &rules{
			who: "OpenAI", name: portableName, nameWords: portableWords, longest: 64, tools: 128,
			takes: everything("oneOf", "anyOf", "allOf", "enum", "not"), refs: refsKept, finish: (*fitter).needItems,
		},
		tool: func(x *export, s *spec.Spec) []byte { return openAITool(x, s, false) },
		join: array,
	}
}

func openAITool(x *export, s *spec.Spec, strict bool) []byte {
	x.leave("title", "tags", "annotations", "outputSchema")
	schema, notes := x.fitted(s)
	var function, o object
	function.put("name", text(x.name))
	function.put("description", text(sentences(s.Description, notes)))
	if strict {
		function.put("strict", []byte("true"))
	}
	function.put("parameters", schema.json())
	o.put("type", text("function"))
	o.put("function", function.bytes())
	return o.bytes()
}

// needItems gives a list without items those that mean the same.
func (f *fitter) needItems(s *schema, _ bool) {
	if slices.Contains(s.types(), "array") && !s.has("items") {
		f.rewrite(s.under("items"), "filled", "filled in, as {}: %s takes no list without", f.who)
		s.keywords = append(s.keywords, &keyword{name: "items", at: s.under("items"), one: &schema{at: s.under("items")}})
	}
}
