package spec

import (
	"regexp"
	"slices"
	"strings"
)

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

// value is a value that all these schemas look at, with texts where one of them wants text.
func (t *texts) value(v *node, schemas ...*node) *node {
	switch v.form {
	case FormBool, FormNumber:
		t.looks = mostLooks
		if slices.ContainsFunc(schemas, t.wantsText) {
			text := *v
			text.form = FormText
			return &text
		}
	case FormList:
		i := -1
		return v.replace(func(_ string, item *node) *node {
			i++
			return t.value(item, t.below(schemas, func(schema *node) []*node { return itemSchemas(schema, i) })...)
		})
	case FormMap:
		return v.replace(func(key string, field *node) *node {
			return t.value(field, t.below(schemas, func(schema *node) []*node { return fieldSchemas(schema, key) })...)
		})
	}
	return v
}

// mostLooks is how many schemas are looked at for one value, on the way through references.
const mostLooks = 64

// below are the schemas that look at something within the value that schemas look at.
func (t *texts) below(schemas []*node, within func(schema *node) []*node) (found []*node) {
	for _, schema := range schemas {
		for _, applied := range t.applied(schema) {
			found = append(found, within(applied)...)
		}
	}
	return found[:min(len(found), mostLooks)]
}

func itemSchemas(schema *node, i int) []*node {
	for _, keyword := range []string{"prefixItems", "items"} {
		switch items := schema.get(keyword); {
		case items == nil:
		case items.form == FormList && i < len(items.items):
			return items.items[i : i+1]
		case items.form == FormMap:
			return []*node{items}
		}
	}
	return nil
}

func fieldSchemas(schema *node, key string) (found []*node) {
	if properties := schema.get("properties"); properties != nil && properties.get(key) != nil {
		found = append(found, properties.get(key))
	}
	if patterns := schema.get("patternProperties"); patterns != nil && patterns.form == FormMap {
		for i, k := range patterns.keys {
			if fits, err := regexp.MatchString(k.text, key); fits && err == nil {
				found = append(found, patterns.items[i])
			}
		}
	}
	if rest := schema.get("additionalProperties"); rest != nil && found == nil {
		found = append(found, rest)
	}
	return found
}

// applied are the schemas that look at the same value for certain: the schema itself, what it refers to, and those in
// its allOf.
func (t *texts) applied(schema *node) []*node {
	all := []*node{schema}
	for i := 0; i < len(all) && len(all) < mostLooks; i++ {
		if ref := all[i].get("$ref"); ref != nil && strings.HasPrefix(ref.text, "#/") {
			at := Section{n: t.root}
			for _, token := range pointerTokens(ref.text[1:]) {
				at = at.step(token)
			}
			if at.n != nil && !slices.Contains(all, at.n) {
				all = append(all, at.n)
			}
		}
		if parts := all[i].get("allOf"); parts != nil && parts.form == FormList {
			all = append(all, parts.items...)
		}
	}
	return all
}

// wantsText tells whether a schema takes text, or text and null, and nothing else: by its type, by that of what it
// refers to, or by every one of its alternatives.
func (t *texts) wantsText(schema *node) bool {
	if t.looks--; t.looks < 0 {
		return false
	}
	for _, s := range t.applied(schema) {
		if types := s.get("type"); types != nil && onlyText(types) {
			return true
		}
		for _, keyword := range []string{"anyOf", "oneOf"} {
			if forms := s.get(keyword); forms != nil && forms.form == FormList && t.allWantText(forms.items) {
				return true
			}
		}
	}
	return false
}

func (t *texts) allWantText(forms []*node) bool {
	text := false
	for _, form := range forms {
		switch types := form.get("type"); {
		case types != nil && types.form == FormText && types.text == "null":
		case t.wantsText(form):
			text = true
		default:
			return false
		}
	}
	return text
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
