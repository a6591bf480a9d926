package export

import "github.com/toolspec/toolspec/spec"

// mcp writes the objects of MCP's tools/list, as they are served.
func mcp() format {
	return format{name: "mcp", tool: mcpTool, join: array}
}

func mcpTool(x *export, s *spec.Spec) []byte {
	x.leave("tags")
	var o object
	o.put("name", text(x.name))
	if s.Title != "" {
		o.put("title", text(s.Title))
	}
	o.put("description", text(s.Description))
	o.put("inputSchema", input(s).JSON())
	if s.Output != nil {
		o.put("outputSchema", s.Output.JSON())
	}
	if given := mcpAnnotations(s.Annotations); given != nil {
		o.put("annotations", given)
	}
	return o.bytes()
}

// mcpAnnotations are the hints. As they are served, readOnlyHint and idempotentHint are told though the file says nothing:
// they are false then.
func mcpAnnotations(given spec.Annotations) []byte {
	if given == (spec.Annotations{}) {
		return nil
	}
	no := false
	for _, hint := range []**bool{&given.ReadOnly, &given.Idempotent} {
		if *hint == nil {
			*hint = &no
		}
	}
	return encoded(given)
}
