package mcpserver

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// firstVersionWithoutBatches is the protocol version that took batches away again.
const firstVersionWithoutBatches = "2025-06-18"

// batch gathers the answers to the requests of one line.
type batch struct {
	missing int
	answers []json.RawMessage
}

// takeBatch queues the messages of a batch, and refuses what is none within its answer. The lock is held.
func (c *conn) takeBatch(line []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(line, &parts); err != nil || len(parts) == 0 {
		return c.write((&refusal{nil, jsonrpc.CodeInvalidRequest, "want at least one message in a batch"}).line())
	}
	if c.version == "" || c.version >= firstVersionWithoutBatches {
		return c.write((&refusal{nil, jsonrpc.CodeInvalidRequest, "batches are not part of this protocol version; send one message a line"}).line())
	}
	b := &batch{}
	for _, part := range parts {
		message, refused := decode(part)
		if refused == nil {
			refused = c.admit(message, b)
		}
		if refused != nil {
			b.answers = append(b.answers, refused.line())
			continue
		}
		if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
			b.missing++
		}
		c.queue = append(c.queue, message)
	}
	if b.missing == 0 && len(b.answers) > 0 {
		return c.answer(&batch{missing: 1, answers: b.answers[1:]}, b.answers[0])
	}
	return nil
}

// answer adds an answer to a batch, and sends all once none is missing. The lock is held.
func (c *conn) answer(b *batch, data json.RawMessage) error {
	b.answers = append(b.answers, data)
	if b.missing--; b.missing > 0 {
		return nil
	}
	line := append([]byte("["), bytes.Join(asBytes(b.answers), []byte(","))...)
	return c.write(append(line, ']'))
}

func asBytes(answers []json.RawMessage) [][]byte {
	lines := make([][]byte, len(answers))
	for i, a := range answers {
		lines[i] = a
	}
	return lines
}
