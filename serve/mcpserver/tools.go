package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

const (
	methodInitialize = "initialize"
	methodList       = "tools/list"
	methodCall       = "tools/call"
)

// placeholder is the one tool that the SDK knows. Its name is none that a tool file can have.
const placeholder = "-"

var emptySchema = json.RawMessage(`{"type":"object"}`)

type nameKey struct{}

// receive answers tools/list, and sends every tools/call on to the placeholder.
func (s *Server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.ListToolsRequest:
			return s.list(ctx, r)
		case *mcp.CallToolRequest:
			params := *r.Params
			params.Name = placeholder
			ctx = context.WithValue(ctx, nameKey{}, r.Params.Name)
			return next(ctx, method, &mcp.CallToolRequest{Session: r.Session, Params: &params, Extra: r.Extra})
		}
		if session, ok := req.GetSession().(*mcp.ServerSession); ok && (method == methodInitialize || method == methodListen) {
			s.told.meet(session)
		}
		return next(ctx, method, req)
	}
}

// list answers with every tool on one page: there are clients that read no second.
func (s *Server) list(ctx context.Context, req *mcp.ListToolsRequest) (mcp.Result, error) {
	if req.Params != nil && req.Params.Cursor != "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "cursor: this server has one page only and gave none"}
	}
	if err := s.awaitReady(ctx); err != nil {
		return nil, err
	}
	if req.Session.ID() != "" { // else it is gone with its request
		s.told.meet(req.Session)
	}
	result := &mcp.ListToolsResult{Tools: []*mcp.Tool{}, Cacheable: mcp.Cacheable{CacheScope: "private"}}
	for tool := range s.reg.Snapshot().Listed() {
		result.Tools = append(result.Tools, listed(tool.Spec))
	}
	return result, nil
}

// listed is a contract as MCP shows it, its schemas as the file has them.
func listed(contract *spec.Spec) *mcp.Tool {
	tool := &mcp.Tool{
		Name:        contract.Name,
		Title:       contract.Title,
		Description: contract.Description,
		InputSchema: contract.Input.JSON(),
	}
	if contract.Output != nil {
		tool.OutputSchema = contract.Output.JSON()
	}
	if given := contract.Annotations; given != (spec.Annotations{}) {
		tool.Annotations = &mcp.ToolAnnotations{
			ReadOnlyHint:    given.ReadOnly != nil && *given.ReadOnly,
			DestructiveHint: given.Destructive,
			IdempotentHint:  given.Idempotent != nil && *given.Idempotent,
			OpenWorldHint:   given.OpenWorld,
		}
	}
	return tool
}

// call is the placeholder's: it calls the tool that the context names.
func (s *Server) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if err := s.awaitReady(ctx); err != nil {
		return nil, err
	}
	lifetime := s.lifetimeOf(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(lifetime, cancel)()
	if req.Extra != nil {
		defer context.AfterFunc(s.posts.of(req.Extra.Header), cancel)()
	}
	name, _ := ctx.Value(nameKey{}).(string)
	snapshot := s.reg.Snapshot()
	tool, known := snapshot.Tool(name)
	result := snapshot.Call(ctx, exec.Call{
		Use:      spec.ToolUse{ID: "call_" + rand.Text(), Name: name, Input: req.Params.Arguments},
		Session:  req.Session.ID(),
		Caller:   callerOf(ctx, req),
		Progress: progress(ctx, req),
	})
	if !known && snapshot.Refused(name) != nil {
		return toMCP(result, false, req.ProtocolVersion()), nil
	}
	if !known {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: messageOf(result)}
	}
	return toMCP(result, tool.Spec.Output != nil, req.ProtocolVersion()), nil
}

// callerOf is who asks: a connection of its own is one over standard input and output.
func callerOf(ctx context.Context, req *mcp.CallToolRequest) exec.Caller {
	caller := exec.Caller{Transport: "mcp-http"}
	if ctx.Value(lifetimeKey{}) != nil {
		caller.Transport = "mcp-stdio"
	}
	if client := req.ClientInfo(); client != nil {
		caller.Client = strings.TrimSpace(client.Name + " " + client.Version)
	}
	return caller
}

type lifetimeKey struct{}

// lifetimeOf is what a call may not outlast: its connection, if it has one of its own, else the server.
func (s *Server) lifetimeOf(ctx context.Context) context.Context {
	if connection, ok := ctx.Value(lifetimeKey{}).(context.Context); ok {
		return connection
	}
	return s.lifetime
}

// progress sends messages to a caller that asked for them; nil if it did not.
func progress(ctx context.Context, req *mcp.CallToolRequest) func(string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	var count atomic.Int64
	return func(message string) {
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ // who is gone needs no progress
			ProgressToken: token,
			Message:       message,
			Progress:      float64(count.Add(1)),
		})
	}
}
