package spec

import "slices"

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
	checkAlone(root, &ds)
	if !ds.HasErrors() {
		checkFields(root, &ds)
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

// fillRoot is the root with a type and properties, which some clients cannot do without; `properties:` that nothing
// follows are no properties.
func fillRoot(root *node) *node {
	filled := *root
	filled.keys, filled.items = slices.Clone(root.keys), slices.Clone(root.items)
	text := func(text string) *node { return &node{form: FormText, at: root.at, text: text} }
	if root.get("type") == nil {
		filled.keys = slices.Insert(filled.keys, 0, text("type"))
		filled.items = slices.Insert(filled.items, 0, text("object"))
	}
	none := &node{form: FormMap, at: root.at}
	if properties := root.get("properties"); properties == nil {
		filled.keys, filled.items = append(filled.keys, text("properties")), append(filled.items, none)
	} else if properties.form == FormNull {
		at := slices.IndexFunc(filled.keys, func(k *node) bool { return k.text == "properties" })
		filled.items[at] = none
	}
	return &filled
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
