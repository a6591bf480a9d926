package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/toolspec/toolspec/serve"
	"github.com/toolspec/toolspec/serve/mcpserver"
	"github.com/toolspec/toolspec/serve/telemetry"
)

// measure has the calls of the set counted. It comes before the first tool is compiled.
func (s *set) measure(log *slog.Logger) http.Handler {
	metrics := telemetry.New(s.registry, telemetry.Options{Watch: s.watchStatus, Places: s.env.Places, Log: log})
	s.observe(metrics.Observe)
	return metrics.Handler()
}

// serveHTTP offers the set over HTTP until ctx is done.
func (s *set) serveHTTP(ctx context.Context, addr string, metrics http.Handler, loaded <-chan struct{}, log *slog.Logger, std stdio) error {
	listen := std.listen
	if listen == nil {
		listen = serve.Listen
	}
	listener, err := listen(addr)
	if err != nil {
		return err
	}
	mcp := mcpserver.New(s.registry, mcpserver.Options{
		Version: version(), Ready: loaded, Log: log, Sessions: s.sessions.Sessions, SessionIdle: s.sessions.SessionIdle,
	})
	handler := serve.Handler(ctx, s.registry, serve.Options{
		Ready: loaded, Watch: s.watchStatus, MCP: mcp.HTTP(), Metrics: metrics, Log: log,
	})
	fmt.Fprintf(std.err, "toolspec: serving http://%s (MCP at /mcp, HTTP API at /v1)\n", listener.Addr())
	return failed(serve.Run(ctx, listener, handler, mcp.Shutdown, log))
}

// serveStdio offers the set over MCP on stdin and stdout until stdin ends or ctx is done.
func (s *set) serveStdio(ctx context.Context, loaded <-chan struct{}, log *slog.Logger, std stdio) error {
	out := std.out
	if std.protocol != nil {
		claimed, err := std.protocol()
		if err != nil {
			return failed(err)
		}
		out = claimed
	}
	mcp := mcpserver.New(s.registry, mcpserver.Options{Version: version(), Ready: loaded, Log: log})
	err := mcp.Stdio(ctx, std.in, out)
	mcp.Shutdown(ctx)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return failed(err)
}

// watchStatus is how each directory is watched.
func (s *set) watchStatus() []serve.WatchStatus {
	all := make([]serve.WatchStatus, len(s.loaders))
	for i, l := range s.loaders {
		st := l.Status()
		all[i] = serve.WatchStatus{Dir: st.Dir, Mode: st.Mode, LastScan: st.LastScan, Missing: st.Missing, Warning: st.Warning}
	}
	return all
}
