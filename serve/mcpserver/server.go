package mcpserver

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolspec/toolspec/registry"
)

// Options are what a server is told beside its registry.
type Options struct {
	Version string          // of the program
	Ready   <-chan struct{} // closed once the first load is complete; until then lists and calls wait. nil: it is
	Log     *slog.Logger    // nil: discarded

	// Sessions is how many clients over HTTP may have one at a time, of the protocol versions that have them; 0: 1,000. When one more
	// comes, those end of which nothing was open for SessionIdle (0: an hour), and if that is not enough the one that was idle for longest.
	// Where all are in use, the newcomer is refused.
	Sessions    int
	SessionIdle time.Duration
}

// Server offers a registry to MCP clients, any number of them at once.
type Server struct {
	reg   *registry.Registry
	ready <-chan struct{}
	log   *slog.Logger
	sdk   *mcp.Server

	maxSessions int
	sessionIdle time.Duration

	first     func() uint64 // the generation of the complete first load, which changes count from
	told      *told
	posts     posts
	lifetime  context.Context // calls end with it
	end       context.CancelFunc
	following sync.WaitGroup
}

// New is a server that follows the registry until it is shut down.
func New(reg *registry.Registry, opts Options) *Server {
	s := &Server{
		reg: reg, ready: opts.Ready, log: opts.Log,
		posts:       posts{open: map[string]*waiting{}},
		maxSessions: cmp.Or(opts.Sessions, defaultSessions), sessionIdle: cmp.Or(opts.SessionIdle, defaultSessionIdle),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.ready == nil {
		loaded := make(chan struct{})
		close(loaded)
		s.ready = loaded
	}
	s.first = sync.OnceValue(func() uint64 { return reg.Snapshot().Generation() })
	s.lifetime, s.end = context.WithCancel(context.Background())
	s.sdk = mcp.NewServer(
		&mcp.Implementation{Name: "toolspec", Version: opts.Version},
		&mcp.ServerOptions{
			Logger:       slog.New(warnings{s.log.Handler()}),
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
		},
	)
	s.told = &told{by: map[*mcp.ServerSession]int{}}
	s.sdk.AddReceivingMiddleware(s.receive)
	s.sdk.AddSendingMiddleware(s.send)
	s.announce()
	changes := reg.Subscribe(s.lifetime)
	if s.isReady() {
		s.first()
	}
	s.following.Go(func() { s.follow(changes) })
	return s
}

// Shutdown ends what clients hold open, waits for running calls until ctx is done, and then cancels them.
func (s *Server) Shutdown(ctx context.Context) {
	stop := context.AfterFunc(ctx, s.end)
	defer stop()
	var closing sync.WaitGroup
	for session := range s.sdk.Sessions() {
		closing.Go(func() { _ = session.Close() }) // it says only that the client went first
	}
	closing.Wait()
	s.end()
	s.following.Wait()
}

// isReady tells whether the first load is complete.
func (s *Server) isReady() bool {
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

// awaitReady waits for the first load. The first list or call after it fixes where changes count from.
func (s *Server) awaitReady(ctx context.Context) error {
	select {
	case <-s.ready:
		s.first()
		return nil
	case <-ctx.Done():
	case <-s.lifetime.Done():
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "canceled while the tools were being loaded"}
}
