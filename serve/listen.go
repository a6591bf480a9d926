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

// How long the server waits, once it is told to stop: for requests to end by themselves; then for them to end because
// they were cancelled; then for the last answers to be on their way.
const (
	grace     = 5 * time.Second
	lastGrace = time.Second
	flushing  = 250 * time.Millisecond
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

// Run serves until ctx is done, then lets running requests end, for a few seconds; what still runs is cancelled, and a
// connection on which no request has arrived is closed. stop, if not nil, is called as soon as no new requests are
// taken, and ends what would otherwise never end. log hears of broken connections; nil discards them.
func Run(ctx context.Context, l net.Listener, h http.Handler, stop func(context.Context), log *slog.Logger) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	requests := &requests{}
	server := &http.Server{
		Handler:           requests.count(h),
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
	err := shutdown(cancel, server, requests, stop)
	<-served
	return err
}

// shutdown waits for the running requests, for so long as grace lasts, then cancels them and waits once more.
func shutdown(cancel func(), server *http.Server, running *requests, stop func(context.Context)) error {
	graceful, done := context.WithTimeout(context.Background(), grace)
	defer done()
	var closing sync.WaitGroup
	defer closing.Wait()
	if stop != nil {
		closing.Go(func() { stop(graceful) })
	}
	closing.Go(func() { _ = server.Shutdown(graceful) }) // which alone would wait for clients that never ask
	running.await(graceful.Done())
	if flush(server) == nil {
		return nil
	}
	cancel()
	last, done := context.WithTimeout(context.Background(), lastGrace)
	defer done()
	if !running.await(last.Done()) {
		return errors.Join(errors.New("requests that were cancelled still ran"), server.Close())
	}
	if flush(server) != nil {
		return server.Close()
	}
	return nil
}

// flush waits until every answer is on its way; an error if there are connections that say neither.
func flush(server *http.Server) error {
	ctx, done := context.WithTimeout(context.Background(), flushing)
	defer done()
	return server.Shutdown(ctx)
}
