package mcpserver

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	headerVersion = "Mcp-Protocol-Version"
	headerSession = "Mcp-Session-Id"
)

// firstStatelessVersion is the protocol version that has no sessions.
const firstStatelessVersion = "2026-07-28"

// sessionTimeout is how long a client may be silent before its session is forgotten, though nobody else comes. It is long,
// because a client that only listens is silent too.
const sessionTimeout = 24 * time.Hour

// HTTP serves streamable HTTP, protocol versions with and without sessions on one URL.
func (s *Server) HTTP() http.Handler {
	server := func(*http.Request) *mcp.Server { return s.sdk }
	log := slog.New(warnings{s.log.Handler()})
	return &front{
		server:   s,
		sessions: s.sessions(),
		stateful: mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			Logger:         log,
			SessionTimeout: sessionTimeout,
		}),
		stateless: mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			Logger:                       log,
			Stateless:                    true,
			PropagateRequestCancellation: true,
		}),
	}
}

// front decides which of the SDK's handlers a request is for, and refuses what neither should see.
type front struct {
	server              *Server
	sessions            *sessions
	stateful, stateless http.Handler
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	stateless := r.Header.Get(headerSession) == "" && r.Header.Get(headerVersion) >= firstStatelessVersion
	switch {
	case r.Method == http.MethodPost:
		f.post(w, r, stateless)
	case stateless:
		f.stateless.ServeHTTP(w, r)
	case r.Method == http.MethodGet:
		f.serve(&stream{ResponseWriter: w, opened: func() { f.opened(r.Header.Get(headerSession)) }}, r)
	default:
		f.serve(w, r)
	}
}

func (f *front) post(w http.ResponseWriter, r *http.Request, stateless bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, http.StatusRequestEntityTooLarge, &refusal{nil, jsonrpc.CodeInvalidRequest, "the message is too large"})
		return
	case err != nil:
		refuse(w, http.StatusBadRequest, &refusal{nil, jsonrpc.CodeInvalidRequest, "the message did not arrive whole"})
		return
	}
	body = bytes.TrimSpace(body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	if refused := checkJSON(body); refused != nil {
		refuse(w, http.StatusBadRequest, refused)
		return
	}
	if body[0] == '[' { // the SDK knows the versions that have batches
		f.batch(w, r, stateless)
		return
	}
	message, refused := decode(body)
	if refused == nil {
		refused = f.admit(r, message, stateless)
	}
	switch {
	case refused != nil:
		refuse(w, http.StatusBadRequest, refused)
	case stateless:
		f.stateless.ServeHTTP(w, r)
	default:
		f.serve(w, r)
	}
}

// batch sends on what belongs to a session; nothing that opens one may stand in a batch.
func (f *front) batch(w http.ResponseWriter, r *http.Request, stateless bool) {
	if stateless || r.Header.Get(headerSession) == "" {
		refuse(w, http.StatusBadRequest, &refusal{nil, jsonrpc.CodeInvalidRequest, "batches need a session, of a protocol version before " + firstVersionWithoutBatches})
		return
	}
	f.serve(w, r)
}

// admit refuses what would open a session without asking for one, and headers that contradict the body.
func (f *front) admit(r *http.Request, message jsonrpc.Message, stateless bool) *refusal {
	request, ok := message.(*jsonrpc.Request)
	switch {
	case stateless && ok:
		return f.server.checkParamHeaders(r.Header, request)
	case stateless, r.Header.Get(headerSession) != "", ok && request.Method == methodInitialize:
		return nil
	}
	return &refusal{outline(mustEncode(message)).id, jsonrpc.CodeInvalidRequest, "no session: send initialize first, then the Mcp-Session-Id it is answered with"}
}

func mustEncode(message jsonrpc.Message) []byte {
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return nil
	}
	return data
}

func refuse(w http.ResponseWriter, status int, refused *refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(refused.line()) // who went away needs no answer
}

// opened is called when a client's stream of notifications has opened.
func (f *front) opened(sessionID string) {
	for session := range f.server.sdk.Sessions() {
		if session.ID() == sessionID {
			f.server.remind(session)
		}
	}
}

// stream tells when the answer's head is on its way.
type stream struct {
	http.ResponseWriter
	once   sync.Once
	opened func()
}

// FlushError flushes, as [http.ResponseController] asks.
func (s *stream) FlushError() error {
	defer s.once.Do(s.opened)
	return http.NewResponseController(s.ResponseWriter).Flush()
}

// Unwrap is the writer beneath.
func (s *stream) Unwrap() http.ResponseWriter { return s.ResponseWriter }
