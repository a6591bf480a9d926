package serve

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// dial opens a connection and sends the start of something on it.
func dial(t *testing.T, addr net.Addr, start string) net.Conn {
	t.Helper()
	conn, err := net.Dial(addr.Network(), addr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, start); err != nil {
		t.Fatal(err)
	}
	return conn
}

// A client may open a connection in advance, or stop in the middle of a request. Neither is a request that the end of
// the server could be unfair to, nor an error of the server.
func TestRunDoesNotWaitForClientsThatNeverAsk(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- Run(ctx, l, http.NotFoundHandler(), nil, slog.New(slog.DiscardHandler)) }()
	dial(t, l.Addr(), "")
	dial(t, l.Addr(), "GET /healthz HTTP/1.1\r\nHost: local")
	answered := dial(t, l.Addr(), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") // so the two before are accepted
	if _, err := http.ReadResponse(bufio.NewReader(answered), nil); err != nil {
		t.Fatal(err)
	}
	asked := time.Now()
	cancel()
	if err := <-ran; err != nil {
		t.Error(err)
	}
	if waited := time.Since(asked); waited >= grace {
		t.Errorf("waited %s, as if for a request", waited)
	}
}

// A body that is still to come does not outlast the server.
func TestHalfABodyEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	web := httptest.NewUnstartedServer(limitBody(http.NotFoundHandler()))
	web.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	web.Start()
	defer web.Close()
	conn := dial(t, web.Listener.Addr(), "POST /v1/call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
	cancel()
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || res.StatusCode != http.StatusRequestTimeout {
		t.Errorf("%v, %v", res, err)
	}
}
