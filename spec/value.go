package spec

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Value is the section as JSON has it: map[string]any, []any, string, [json.Number], bool or nil. Numbers keep
// their digits.
func (s Section) Value() any {
	switch s.Form() {
	case FormBool:
		return strings.EqualFold(s.n.text, "true")
	case FormNumber:
		return json.Number(jsonNumber(s.n.text))
	case FormText:
		return s.n.text
	case FormList:
		list := make([]any, len(s.n.items))
		for i, item := range s.n.items {
			list[i] = Section{n: item}.Value()
		}
		return list
	case FormMap:
		m := make(map[string]any, len(s.n.keys))
		for i, k := range s.n.keys {
			m[k.text] = Section{n: s.n.items[i]}.Value()
		}
		return m
	}
	return nil
}

// JSON is the section as compact JSON, keys in the order of the file, numbers with their digits. Absent is null.
func (s Section) JSON() json.RawMessage {
	var b bytes.Buffer
	s.writeJSON(&b)
	return b.Bytes()
}

func (s Section) writeJSON(b *bytes.Buffer) {
	switch s.Form() {
	case FormList:
		b.WriteByte('[')
		for i, item := range s.n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			Section{n: item}.writeJSON(b)
		}
		b.WriteByte(']')
	case FormMap:
		b.WriteByte('{')
		for i, k := range s.n.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSONText(b, k.text)
			b.WriteByte(':')
			Section{n: s.n.items[i]}.writeJSON(b)
		}
		b.WriteByte('}')
	case FormText:
		writeJSONText(b, s.n.text)
	case FormNumber:
		b.WriteString(jsonNumber(s.n.text))
	case FormBool:
		b.WriteString(strings.ToLower(s.n.text))
	default:
		b.WriteString("null")
	}
}

// writeJSONText writes a JSON string without escaping what only HTML minds.
func writeJSONText(b *bytes.Buffer, text string) { b.Write(appendText(b.AvailableBuffer(), text)) }
