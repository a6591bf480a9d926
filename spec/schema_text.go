package spec

import "strings"

// texts makes texts of the scalars that stand where a schema wants text: default, enum, const and examples under
// type string are the characters written, null excepted. Nodes are shared, so what changes is copied.
type texts struct {
	root  *node
	draft draft
	looks int // left for one value, on the way through references
}

// schema is the schema with texts where it wants texts.
func (t *texts) schema(n *node) *node {
	if n.form != FormMap {
		return n
	}
	return n.replace(func(key string, value *node) *node {
		switch key {
		case "default", "const":
			return t.value(value, n)
		case "enum", "examples":
			return value.replace(func(_ string, v *node) *node { return t.value(v, n) })
		}
		k, known := keywords[key]
		if !known || !k.knownTo(t.draft) {
			return value
		}
		switch k.holds {
		case holdsOne:
			return t.schema(value)
		case holdsList, holdsMap, holdsMapOrTexts:
			return value.replace(func(_ string, v *node) *node { return t.schema(v) })
		case holdsOneOrList:
			if value.form == FormList {
				return value.replace(func(_ string, v *node) *node { return t.schema(v) })
			}
			return t.schema(value)
		}
		return value
	})
}

// value is a value of a schema, with texts where the schema wants texts.
func (t *texts) value(v, schema *node) *node {
	switch {
	case v.form == FormBool || v.form == FormNumber:
		t.looks = 64
		if t.wantsText(schema) {
			text := *v
			text.form = FormText
			return &text
		}
	case v.form == FormList:
		if items := schema.get("items"); items != nil && items.form == FormMap {
			return v.replace(func(_ string, item *node) *node { return t.value(item, items) })
		}
	case v.form == FormMap:
		if properties := schema.get("properties"); properties != nil {
			return v.replace(func(key string, field *node) *node {
				if p := properties.get(key); p != nil && p.form == FormMap {
					return t.value(field, p)
				}
				return field
			})
		}
	}
	return v
}

// wantsText tells whether a schema takes text, or text and null, and nothing else; by its type, or by that of what it
// refers to.
func (t *texts) wantsText(schema *node) bool {
	if t.looks--; t.looks < 0 || schema.form != FormMap {
		return false
	}
	if types := schema.get("type"); types != nil {
		return onlyText(types)
	}
	if ref := schema.get("$ref"); ref != nil && strings.HasPrefix(ref.text, "#/") {
		at := Section{n: t.root}
		for _, token := range pointerTokens(ref.text[1:]) {
			at = at.step(token)
		}
		if at.n != nil && t.wantsText(at.n) {
			return true
		}
	}
	if all := schema.get("allOf"); all != nil && all.form == FormList {
		for _, part := range all.items {
			if t.wantsText(part) {
				return true
			}
		}
	}
	return false
}

func onlyText(types *node) bool {
	if types.form != FormList {
		return types.text == "string"
	}
	text := false
	for _, name := range types.items {
		switch name.text {
		case "string":
			text = true
		case "null":
		default:
			return false
		}
	}
	return text
}

// get is the value of a key; nil if there is none.
func (n *node) get(key string) *node {
	if n.form != FormMap {
		return nil
	}
	for i, k := range n.keys {
		if k.text == key {
			return n.items[i]
		}
	}
	return nil
}

// replace is the map or list with its values replaced; the very same node where nothing changes.
func (n *node) replace(by func(key string, value *node) *node) *node {
	changed := n
	for i, item := range n.items {
		key := ""
		if n.form == FormMap {
			key = n.keys[i].text
		}
		if other := by(key, item); other != item {
			if changed == n {
				copied := *n
				copied.items = append([]*node(nil), n.items...)
				changed = &copied
			}
			changed.items[i] = other
		}
	}
	return changed
}
