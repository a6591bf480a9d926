package spec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// digest is over all that a tool file says, contract, executor and result, written canonically: JSON without white
// space, maps sorted by key, anchors and merge keys resolved. Comments, the order of keys, YAML or JSON, and quotes
// around what is text anyway do not count, and neither do the tests: they say of a tool what it does, and change
// nothing of it. A number or a boolean counts as it is written, since where a text is
// wanted its characters are what it means: 0640 is not 640, and neither is "640".
func digest(root Section) string {
	var b bytes.Buffer
	root.n.without("tests").writeCanonical(&b)
	sum := sha256.Sum256(b.Bytes())
	return "sha256:" + hex.EncodeToString(sum[:])
}

// without is a map without one of its keys.
func (n *node) without(key string) *node {
	at := slices.IndexFunc(n.keys, func(k *node) bool { return k.text == key })
	if at < 0 {
		return n
	}
	rest := *n
	rest.keys = slices.Delete(slices.Clone(n.keys), at, at+1)
	rest.items = slices.Delete(slices.Clone(n.items), at, at+1)
	return &rest
}

func (n *node) writeCanonical(b *bytes.Buffer) {
	switch n.form {
	case FormMap:
		order := make([]int, len(n.keys))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return strings.Compare(n.keys[i].text, n.keys[j].text) })
		b.WriteByte('{')
		for _, i := range order {
			writeJSONText(b, n.keys[i].text)
			b.WriteByte(':')
			n.items[i].writeCanonical(b)
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case FormList:
		b.WriteByte('[')
		for _, item := range n.items {
			item.writeCanonical(b)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case FormText:
		writeJSONText(b, n.text)
	case FormNull:
		b.WriteString("null")
	default:
		b.WriteString(n.text)
	}
}
