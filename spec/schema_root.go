package spec

import (
	"bytes"
	"encoding/json"
)

// unwrapSchema takes the Bedrock spelling {json: …} off a schema: a map with that one key.
func unwrapSchema(s Section) Section {
	if fields := s.Fields(); len(fields) == 1 && fields[0].Key.Value == "json" {
		return fields[0].Value
	}
	return s
}

// checkRoot finds what is wrong with a schema as the schema of an object.
func checkRoot(root Section) Diagnostics {
	var ds Diagnostics
	if root.Form() != FormMap {
		root.want(&ds, "a JSON Schema of an object, such as {type: object, properties: {}}")
		return ds
	}
	types := root.Get("type")
	switch {
	case types.IsZero() || types.Form() == FormText && types.n.text == "object":
	case types.Form() == FormList:
		ds = append(ds, types.Errorf("schema", "want the one type object, have a list of types: a tool's input and value are objects"))
	default:
		ds = append(ds, types.Errorf("schema", "want object, have %s: a tool's input and value are objects", shownValue(types.Value())))
	}
	return ds
}

// fillRoot writes the schema with the root's type and properties, which some clients cannot do without.
func fillRoot(root Section) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	if root.Get("type").IsZero() {
		b.WriteString(`"type":"object",`)
	}
	for _, f := range root.Fields() {
		writeJSONText(&b, f.Key.Value)
		b.WriteByte(':')
		if f.Key.Value == "properties" && f.Value.Form() == FormNull {
			b.WriteString("{}")
		} else {
			f.Value.writeJSON(&b)
		}
		b.WriteByte(',')
	}
	if root.Get("properties").IsZero() {
		b.WriteString(`"properties":{},`)
	}
	b.Truncate(b.Len() - 1)
	b.WriteByte('}')
	return b.Bytes()
}

// openRoot tells whether a root says itself which fields it takes beside the declared ones: else it takes none.
func openRoot(root Section, d draft) bool {
	for _, f := range root.Fields() {
		switch f.Key.Value {
		case "additionalProperties", "patternProperties", "unevaluatedProperties", "$dynamicRef", "$recursiveRef",
			"$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies":
			if k, known := keywords[f.Key.Value]; known && k.knownTo(d) {
				return true
			}
		}
	}
	return false
}

// withoutNullProperties is the root with `properties:` that nothing follows taken as no properties.
func withoutNullProperties(root *node) *node {
	for i, k := range root.keys {
		if k.text == "properties" && root.items[i].form == FormNull {
			changed := *root
			changed.items = append([]*node(nil), root.items...)
			changed.items[i] = &node{form: FormMap, pos: root.items[i].pos}
			return &changed
		}
	}
	return root
}
