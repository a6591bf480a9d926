package export

import "github.com/toolspec/toolspec/spec"

// anthropic writes what stands under tools of a request to Anthropic's Messages API: JSON Schema 2020-12 without
// alternatives at the root.
func anthropic() format {
	return format{
		name: "anthropic",
		rules: &rules{
			who: "Anthropic", name: portableName, nameWords: portableWords, longest: 64, field: fieldNames, fieldWords: fieldNameWords,
			takes: everything("oneOf", "anyOf", "allOf"), refs: refsKept, booleans: true,
		},
		tool: anthropicTool,
		join: array,
	}
}

func anthropicTool(x *export, s *spec.Spec) []byte {
	x.leave("title", "tags", "annotations", "outputSchema")
	schema, notes := x.fitted(s)
	var o object
	o.put("name", text(x.name))
	o.put("description", text(sentences(s.Description, notes)))
	o.put("input_schema", schema.json())
	return o.bytes()
}
