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

// owes tells whether a client has missed a change.
func (t *told) owes(session *mcp.ServerSession) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	last, known := t.by[session]
	return known && last < t.change
}

// send lets list_changed through to the clients it is owed to.
func (t *told) send(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, ok := req.GetSession().(*mcp.ServerSession)
		if method != methodListChanged || !ok {
			return next(ctx, method, req)
		}
		if !t.owes(session) {
			return nil, nil
		}
		t.mu.Lock()
		change := t.change
		t.mu.Unlock()
		result, err := next(ctx, method, req)
		if err == nil {
			t.mu.Lock()
			t.by[session] = change
			t.mu.Unlock()
		}
		return result, err
	}
}
