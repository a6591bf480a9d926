package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/serve/mcpserver"
)

func serveCommand(std stdio, where *place) *cobra.Command {
	var addr string
	var requireTests bool
	var sessions mcpserver.Options
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the tools to agents: MCP on stdio, or MCP and the HTTP API with --http",
		Long: `Serve the tools to agents, and stay true to their directories while they are edited.

Without --http the program speaks MCP on standard input and output. With --http ADDR it serves MCP (streamable
HTTP) at /mcp, the HTTP API at /v1 and metrics at /metrics; standard input is then not read.`,
		Example: `  toolspec serve -d tools
  toolspec serve -d tools --http 127.0.0.1:8080`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if requireTests {
				where.watch.Judge = check.Judge
			}
			set, err := where.open(logger(std.err))
			if err != nil {
				return err
			}
			if err := where.requireSandbox(set.env); err != nil {
				return failed(err)
			}
			set.sessions = sessions
			return set.serve(cmd.Context(), addr, std)
		},
	}
	where.flags(cmd)
	where.lockFlags(cmd)
	where.watchFlags(cmd)
	where.auditFlag(cmd)
	cmd.Flags().StringVar(&addr, "http", "", "serve HTTP at this loopback address, such as 127.0.0.1:8080 (port 0: any free one)")
	cmd.Flags().IntVar(&sessions.Sessions, "sessions", 1_000, "how many MCP sessions there are at most over HTTP; one more ends the one that was idle for longest")
	cmd.Flags().Var((*period)(&sessions.SessionIdle), "session-idle", "how long an MCP session is kept that nothing is open of, while others come")
	sessions.SessionIdle = time.Hour
	cmd.Flags().Lookup("session-idle").DefValue = "1h0m0s"
	cmd.Flags().BoolVar(&requireTests, "require-tests", false, "serve no version of a file before the tests in it pass; the last good version stays until they do")
	return cmd
}

// serve follows the directories and offers the set, until ctx is done or the client has gone.
func (s *set) serve(ctx context.Context, addr string, std stdio) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	log := logger(std.err)
	log.Info("the processes of a call end with it", "how", s.env.Holding().String())
	var metrics http.Handler
	if addr != "" {
		metrics = s.measure(log)
	}
	loaded, followed := s.start(ctx)
	var err error
	if addr != "" {
		err = s.serveHTTP(ctx, addr, metrics, loaded, log, std)
	} else {
		err = s.serveStdio(ctx, loaded, log, std)
	}
	cancel()
	return errors.Join(err, failed(<-followed))
}

// warner writes for people what goes wrong, to stderr.
func warner(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// logger writes for people, to stderr.
func logger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, nil))
}
