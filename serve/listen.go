package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// How long the server waits, once it is told to stop: for calls to end by themselves, then for them to end because they
// were cancelled.
const (
	grace     = 5 * time.Second
	lastGrace = time.Second
)

// Listen opens a TCP address of this machine, such as 127.0.0.1:8080 or localhost:0. An address that others can reach
// is refused, for nobody would be asked who they are.
func Listen(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %s: want HOST:PORT, such as 127.0.0.1:8080", addr)
	}
	if !isLoopbackHost(host) {
		return nil, fmt.Errorf("address %s: other machines could reach it, and there is no authentication yet; write 127.0.0.1:%s", addr, port)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	if at, ok := l.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		return nil, errors.Join(fmt.Errorf("address %s: is not of this machine alone, but %s", addr, l.Addr()), l.Close())
	}
	return l, nil
}

// Run serves until ctx is done, then lets running requests end, for a few seconds; what still runs is cancelled. stop,
// if not nil, is called as soon as no new requests are taken, and ends what would otherwise never end. log hears of
// broken connections; nil discards them.
func Run(ctx context.Context, l net.Listener, h http.Handler, stop func(context.Context), log *slog.Logger) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	err := shutdown(base, cancel, server, stop)
	<-served
	return err
}

// shutdown waits for the running requests, for so long as grace lasts, then cancels them and waits once more.
func shutdown(base context.Context, cancel func(), server *http.Server, stop func(context.Context)) error {
	graceful, done := context.WithTimeout(base, grace)
	defer done()
	var stopping sync.WaitGroup
	defer stopping.Wait()
	if stop != nil {
		stopping.Go(func() { stop(graceful) })
	}
	err := server.Shutdown(graceful)
	cancel()
	if err == nil {
		return nil
	}
	last, done := context.WithTimeout(context.WithoutCancel(base), lastGrace)
	defer done()
	if err := server.Shutdown(last); err != nil {
		return errors.Join(fmt.Errorf("requests were still running: %w", err), server.Close())
	}
	return nil
}
