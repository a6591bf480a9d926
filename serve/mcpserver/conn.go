package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// conn is a connection over lines. The SDK's own ends with the first line that is no message; this one answers it.
type conn struct {
	id     string
	cancel context.CancelFunc // of the calls of this connection
	lines  chan []byte        // closed at the end of the input; readErr says why it ended
	closed chan struct{}
	close  sync.Once

	readErr error
	queue   []jsonrpc.Message // of a batch, still to be read

	mu      sync.Mutex
	out     io.Writer
	open    map[jsonrpc.ID]*batch // requests that are not answered; nil for those that came alone
	version string                // negotiated; empty before
	hello   jsonrpc.ID            // of the request that negotiates it
	idle    chan struct{}         // closed when nothing is open, if somebody waits
	gone    bool                  // nobody reads any more
}

func newConn(in io.Reader, out io.Writer, cancel context.CancelFunc) *conn {
	c := &conn{
		id:     "stdio_" + rand.Text(),
		cancel: cancel,
		lines:  make(chan []byte),
		closed: make(chan struct{}),
		out:    out,
		open:   map[jsonrpc.ID]*batch{},
	}
	go c.pump(in)
	return c
}

// SessionID is the id of the conversation, which is the connection.
func (c *conn) SessionID() string { return c.id }

// Close ends reading.
func (c *conn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return nil
}

// Read gives the next message. At the end of the input it waits until what was asked is answered.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(c.queue) > 0 {
			next := c.queue[0]
			c.queue = c.queue[1:]
			return next, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case line, ok := <-c.lines:
			if !ok {
				c.drain(quickCall)
				c.cancel()
				c.drain(cancelledCall)
				return nil, c.readErr
			}
			if err := c.take(line); err != nil {
				return nil, err
			}
		}
	}
}

// take queues the messages of a line, and answers what is none.
func (c *conn) take(line []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if refused := checkJSON(line); refused != nil {
		return c.write(refused.line())
	}
	if line[0] == '[' {
		return c.takeBatch(line)
	}
	message, refused := decode(line)
	if refused == nil {
		refused = c.admit(message, nil)
	}
	if refused != nil {
		return c.write(refused.line())
	}
	c.queue = append(c.queue, message)
	return nil
}

// admit notes a request as open. The lock is held.
func (c *conn) admit(message jsonrpc.Message, b *batch) *refusal {
	request, ok := message.(*jsonrpc.Request)
	if !ok || !request.IsCall() || request.Method == methodListen { // which stays open until it is cancelled
		return nil
	}
	if _, taken := c.open[request.ID]; taken {
		return &refusal{nil, jsonrpc.CodeInvalidRequest, "id: another request with this id is not answered yet"}
	}
	if request.Method == methodInitialize {
		c.hello = request.ID
	}
	c.open[request.ID] = b
	return nil
}

// Write sends a message: a line, or a part of the line that answers a batch.
func (c *conn) Write(_ context.Context, message jsonrpc.Message) error {
	response, isResponse := message.(*jsonrpc.Response)
	if isResponse {
		response.Error = coded(response.Error)
	}
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !isResponse {
		return c.write(data)
	}
	if response.ID == c.hello && c.version == "" {
		c.version = negotiated(response)
	}
	b := c.open[response.ID]
	delete(c.open, response.ID)
	if b == nil {
		err = c.write(data)
	} else {
		err = c.answer(b, data)
	}
	if len(c.open) == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
	return err
}

// coded gives an error of the SDK that has no code the one of a request that does not belong where it stands.
func coded(err error) error {
	var e *jsonrpc.Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
}

func negotiated(hello *jsonrpc.Response) string {
	var result struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(hello.Result, &result) // an error has no version
	return result.ProtocolVersion
}

// write sends one line. The lock is held.
func (c *conn) write(data []byte) error {
	_, err := c.out.Write(append(bytes.Clone(data), '\n'))
	if err != nil {
		c.gone = true
	}
	return err
}

// ended is how the connection ended. That the client went before all was said is not an error of the server.
func (c *conn) ended(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return nil
	}
	return err
}

// drain waits until every request is answered, but not longer than that.
func (c *conn) drain(atMost time.Duration) {
	c.mu.Lock()
	if len(c.open) == 0 {
		c.mu.Unlock()
		return
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	}
}
