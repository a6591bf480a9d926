package export

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object with its members in order.
type object struct{ b bytes.Buffer }

// put adds a member that is JSON already.
func (o *object) put(key string, value []byte) {
	if o.b.Len() == 0 {
		o.b.WriteByte('{')
	} else {
		o.b.WriteByte(',')
	}
	o.b.Write(text(key))
	o.b.WriteByte(':')
	o.b.Write(value)
}

func (o *object) bytes() []byte {
	if o.b.Len() == 0 {
		return []byte("{}")
	}
	return append(bytes.Clone(o.b.Bytes()), '}')
}

// text is a text as JSON, without escaping what only HTML minds.
func text(s string) []byte { return encoded(s) }

// encoded is a value of Go's own types as JSON.
func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("export: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
