package export

import (
	"regexp"

	"github.com/toolspec/toolspec/spec"
)

// portableName is the name of a tool that every provider takes, but for its length.
var portableName = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

const portableWords = "letters, digits, _ and -"

// fieldNames are the names of fields that Claude takes, by whatever way it is reached.
var fieldNames = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

const fieldNameWords = "at most 64 letters, digits, _ . and -"

// bedrock writes what stands under toolConfig.tools of Converse, in the form that every model behind it takes: Nova's
// knows no keyword at the root but type, properties and required, and so no references; Claude's wants names as Claude does.
func bedrock() format {
	root := only("type", "properties", "required")
	return format{
		name: "bedrock",
		rules: &rules{
			who: "Bedrock", name: portableName, nameWords: portableWords, longest: 64, field: fieldNames, fieldWords: fieldNameWords,
			takes:    func(keyword string, atRoot bool) bool { return !atRoot || root(keyword, true) },
			refs:     refsWritten,
			booleans: true,
		},
		tool: bedrockTool,
		join: array,
	}
}

func bedrockTool(x *export, s *spec.Spec) []byte {
	x.leave("title", "tags", "annotations", "outputSchema")
	schema, notes := x.fitted(s)
	var in, tool, o object
	in.put("json", schema.json())
	tool.put("name", text(x.name))
	tool.put("description", text(sentences(s.Description, notes)))
	tool.put("inputSchema", in.bytes())
	o.put("toolSpec", tool.bytes())
	return o.bytes()
}
