package exec

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
)

// renderText is a value in running text: a text as itself, null as nothing, a date as RFC 3339, bytes as they are,
// anything else as compact JSON.
func renderText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []byte:
		return string(v)
	case json.Number:
		return v.String()
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		return v.Format(time.RFC3339Nano)
	}
	return renderJSON(v)
}

// renderJSON is a value as compact JSON, the keys in order, without escaping what only HTML minds.
func renderJSON(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "" // expressions make no such value
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// describe is a value in a message.
func describe(v any) string {
	if kindOf(v)&(isList|isMap|isBytes) != 0 {
		return kindOf(v).String()
	}
	return shorten(renderJSON(v), 60)
}
