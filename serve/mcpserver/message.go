package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/toolspec/toolspec/spec"
)

// What one message may hold: an input of the largest size and the envelope around it. The SDK reads no deeper.
const (
	maxMessage      = spec.MaxInputBytes + 64<<10
	maxMessageDepth = 1000
	maxHello        = 64 << 10 // of initialize: what a client says of itself is kept as long as its session
)

// maxID is the largest number that every JSON reader takes for itself; a larger id would come back as another.
const maxID = 1 << 53

// refusal is the answer to what is no message: an error with the id it gave, as far as it gave one.
type refusal struct {
	id      json.RawMessage
	code    int64
	message string
}

// line is the refusal as JSON-RPC, with the null that the SDK would leave out.
func (r *refusal) line() json.RawMessage {
	id := r.id
	if id == nil {
		id = json.RawMessage("null")
	}
	message, _ := json.Marshal(r.message) // a text always encodes
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, r.code, message)
}

// checkJSON tells whether data may be decoded at all.
func checkJSON(data []byte) *refusal {
	if len(data) > maxMessage {
		return &refusal{outline(data).id, jsonrpc.CodeInvalidRequest, fmt.Sprintf("want a message of at most %d bytes, have %d", maxMessage, len(data))}
	}
	if o := outline(data); o.depth > maxMessageDepth {
		return &refusal{o.id, jsonrpc.CodeInvalidRequest, fmt.Sprintf("want lists and maps at most %d deep, have %d", maxMessageDepth, o.depth)}
	}
	if !utf8.Valid(data) {
		return &refusal{nil, jsonrpc.CodeParseError, "parse error: the message is not UTF-8"}
	}
	if !json.Valid(data) {
		var v any
		return &refusal{nil, jsonrpc.CodeParseError, "parse error: " + strings.TrimPrefix(fmt.Sprint(json.Unmarshal(data, &v)), "json: ")}
	}
	return nil
}

// decode reads one message that is JSON.
func decode(data []byte) (jsonrpc.Message, *refusal) {
	id := outline(data).id
	refuse := func(message string) (jsonrpc.Message, *refusal) {
		return nil, &refusal{id, jsonrpc.CodeInvalidRequest, message}
	}
	if !bytes.HasPrefix(data, []byte("{")) {
		return refuse("want a JSON-RPC message, an object")
	}
	if id != nil && !validID(id) {
		bad := string(id)
		id = nil
		return refuse("id: want a text or an integer up to 2^53, have " + bad)
	}
	message, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return refuse("invalid request: " + err.Error())
	}
	if r, ok := message.(*jsonrpc.Response); ok && r.Result == nil && r.Error == nil {
		return refuse("invalid request: want a method, or the result or error of a request")
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.Method == "initialize" && len(data) > maxHello {
		return refuse(fmt.Sprintf("initialize: want at most %d bytes, have %d", maxHello, len(data)))
	}
	if request, ok := message.(*jsonrpc.Request); ok && !request.IsCall() && id != nil {
		id = nil
		return refuse("id: want a text or an integer, have null")
	}
	return message, nil
}

func validID(id json.RawMessage) bool {
	if id[0] == '"' {
		return true
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -maxID <= n && n <= maxID
}

// shape is what can be seen of a message without decoding it, and even if it cannot be decoded.
type shape struct {
	id    json.RawMessage // what stands for "id" in the outermost object, if a text or a plain word
	depth int
}

// outline walks over a message once.
func outline(data []byte) (s shape) {
	depth, key := 0, ""
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '{', '[':
			depth++
			s.depth = max(s.depth, depth)
			key = ""
		case '}', ']':
			depth--
		case ' ', '\t', '\r', '\n', ':':
		case ',':
			key = ""
		default:
			word := data[i:]
			if c == '"' {
				word = word[:textEnd(word)]
			} else if end := bytes.IndexAny(word, " \t\r\n,:{}[]\""); end > 0 {
				word = word[:end]
			}
			i += len(word) - 1
			if depth == 1 && key == `"id"` && s.id == nil {
				s.id = bytes.Clone(word)
			}
			key = string(word[:min(len(word), len(`"id"`)+1)])
		}
	}
	if !json.Valid(s.id) {
		s.id = nil
	}
	return s
}

// textEnd is where the text that data starts with ends.
func textEnd(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}
