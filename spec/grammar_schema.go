package spec

import "strings"

var (
	countGrammar = Grammar{"type": "integer", "minimum": 0}
	namesGrammar = Grammar{"type": "array", "items": Grammar{"type": "string"}, "uniqueItems": true}
	typesGrammar = Grammar{"anyOf": []Grammar{
		{"enum": typeNames}, {"type": "array", "items": Grammar{"enum": typeNames}, "minItems": 1, "uniqueItems": true},
	}}
)

// schemaGrammar is that of a JSON Schema of any draft, with the keywords that are understood here. Others say nothing,
// and are no fault.
func schemaGrammar() Grammar {
	properties := map[string]Grammar{}
	for name, k := range keywords {
		if k.doc != "" {
			properties[name] = k.grammar().With(Grammar{"description": k.doc})
		}
	}
	// At the root, nothing after `properties:` is no properties.
	properties["properties"]["type"] = []string{"object", "null"}
	return Grammar{"type": []string{"object", "boolean"}, "properties": properties}
}

func (k keyword) grammar() Grammar {
	schema := Definition("schema")
	list := Grammar{"type": "array", "items": schema, "minItems": 1}
	switch k.holds {
	case holdsOne:
		return schema
	case holdsList:
		return list
	case holdsMap:
		return Grammar{"type": "object", "additionalProperties": schema}
	case holdsOneOrList:
		return Grammar{"anyOf": []Grammar{schema, {"type": "array", "items": schema}}}
	case holdsMapOrTexts:
		return Grammar{"type": "object", "additionalProperties": Grammar{"anyOf": []Grammar{schema, namesGrammar}}}
	}
	if k.takes != nil {
		return k.takes
	}
	return formGrammar(k.form)
}

func formGrammar(form Form) Grammar {
	switch form {
	case FormText:
		return Grammar{"type": "string"}
	case FormNumber:
		return Grammar{"type": "number"}
	case FormBool:
		return Grammar{"type": "boolean"}
	case FormList:
		return Grammar{"type": "array"}
	}
	return Grammar{}
}

// objectSchemaGrammar is that of a schema of an object, which the roots of a tool's schemas are.
func objectSchemaGrammar() Grammar {
	var drafts []string
	for _, d := range draftURLs {
		drafts = append(drafts, d.url)
	}
	return Grammar{"type": "object", "allOf": []Grammar{Definition("schema")}, "properties": map[string]Grammar{
		"$schema": {"type": "string", "description": "The draft of JSON Schema; default 2020-12.", "examples": drafts,
			"pattern": "^https?://(" + strings.ReplaceAll(strings.Join(bareURLs(drafts), "|"), ".", `\.`) + ")#?$"},
		"type": {"const": "object", "description": "A tool's input and value are objects."},
	}}
}

func bareURLs(urls []string) []string {
	bare := make([]string, len(urls))
	for i, url := range urls {
		bare[i] = bareURL(url)
	}
	return bare
}

// wrappedSchemaGrammar is that of a schema that stands as it is, or alone under the key json.
func wrappedSchemaGrammar() Grammar {
	schema := Definition("objectSchema")
	return Grammar{
		"type":       "object",
		"properties": map[string]Grammar{"json": schema.With(Grammar{"description": "The schema, wrapped as Bedrock spells it; nothing stands beside it."})},
		"if":         Grammar{"required": []string{"json"}},
		"then":       Grammar{"propertyNames": Grammar{"const": "json"}},
		"else":       schema,
	}
}
