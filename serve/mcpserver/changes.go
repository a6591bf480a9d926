package mcpserver

import (
	"context"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolspec/toolspec/registry"
)

const (
	methodListChanged = "notifications/tools/list_changed"
	methodListen      = "subscriptions/listen"
	methodListening   = "notifications/subscriptions/acknowledged"
)

// follow tells every client of each change of what is listed. What the first load brings is no change to anyone: no
// list was answered before it.
func (s *Server) follow(changes <-chan registry.Change) {
	loaded := s.ready
	for {
		select {
		case <-s.lifetime.Done():
			return
		case <-loaded:
			s.first()
			loaded = nil
		case change, open := <-changes:
			if !open {
				return
			}
			if change.Contract && s.isReady() && change.Generation > s.first() {
				s.told.advance(s.sdk.Sessions())
				s.announce()
			}
		}
	}
}

// announce has the SDK send list_changed, which it does when a tool is added: the placeholder is added again.
func (s *Server) announce() {
	s.sdk.AddTool(&mcp.Tool{Name: placeholder, InputSchema: emptySchema}, s.call)
}

// told keeps which change each client was told of last: every client is told of each change once, and one that could not
// be reached, because its stream of notifications was not open yet, when it is.
type told struct {
	mu     sync.Mutex
	change int
	by     map[*mcp.ServerSession]int
}

// advance counts a change, and forgets the clients that are gone.
func (t *told) advance(sessions iter.Seq[*mcp.ServerSession]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.change++
	present := slices.Collect(sessions)
	maps.DeleteFunc(t.by, func(session *mcp.ServerSession, _ int) bool { return !slices.Contains(present, session) })
}

// meet notes a client when it comes: what changed before, its first list will show.
func (t *told) meet(session *mcp.ServerSession) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.by[session]; !known {
		t.by[session] = t.change
	}
}

// send lets list_changed through to the clients it is owed to. A client that has just begun to listen is reminded of what
// it may have missed.
func (s *Server) send(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, ok := req.GetSession().(*mcp.ServerSession)
		switch {
		case ok && method == methodListChanged:
			s.told.tell(session, func() error {
				_, err := next(ctx, method, req)
				return err
			})
			return nil, nil
		case ok && method == methodListening:
			defer s.remind(session)
		}
		return next(ctx, method, req)
	}
}

// remind has list_changed sent again to a client that missed it.
func (s *Server) remind(session *mcp.ServerSession) {
	if _, owed := s.told.owes(session); owed {
		s.announce()
	}
}

// owes is the last change, and whether a client has still to be told of it.
func (t *told) owes(session *mcp.ServerSession) (change int, owed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	last, known := t.by[session]
	return t.change, known && last < t.change
}

// tell sends a notification if it is owed. It stays owed to a client that cannot be reached now.
func (t *told) tell(session *mcp.ServerSession, send func() error) {
	change, owed := t.owes(session)
	if !owed || send() != nil {
		return
	}
	t.mu.Lock()
	t.by[session] = change
	t.mu.Unlock()
}
