package mcpserver

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How long a connection waits at its end: for calls to end by themselves, so that what was asked just before the end
// is still answered, then for them to end because they were cancelled.
const (
	quickCall     = 500 * time.Millisecond
	cancelledCall = time.Second
)

// Stdio serves one client, a JSON-RPC message a line, until in ends or ctx is done: then running calls are cancelled.
// A line that is no message is answered with an error, and the session goes on. Stdio does not close in; a read that
// waits there when ctx is done is left behind.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	calls, cancel := context.WithCancel(s.lifetime)
	defer cancel()
	c := newConn(in, out, cancel)
	base := context.WithValue(context.WithoutCancel(ctx), lifetimeKey{}, calls)
	session, err := s.sdk.Connect(base, transport{c}, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err := <-ended:
		return c.ended(err)
	case <-ctx.Done():
	}
	cancel()
	c.drain(cancelledCall)
	go func() { _ = session.Close() }() // what it says, Wait says too
	select {
	case err := <-ended:
		return c.ended(err)
	case <-time.After(cancelledCall):
		return errors.New("a call that was cancelled still runs")
	}
}

// transport gives the SDK the connection that was made already.
type transport struct{ c *conn }

func (t transport) Connect(context.Context) (mcp.Connection, error) { return t.c, nil }
