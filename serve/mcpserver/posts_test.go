package mcpserver

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
)

const napFile = "executor: {func: nap}\n"

// A call ends when nobody can be answered any more: the connection that brought it broke, or its session ended. A client that goes on
// is answered as if nothing had been.
func TestCallsEndWithWhoWaitsForThem(t *testing.T) {
	began, ended := make(chan struct{}), make(chan error)
	h := newHouse(t, map[string]exec.ExecutorFunc{"nap": func(ctx context.Context, _ *exec.Call) (any, error) {
		began <- struct{}{}
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	}}, tool{"nap", napFile})
	web := httptest.NewServer(h.HTTP())
	defer web.Close()
	_, header, _ := post(t, web.URL, strings.TrimSpace(hello))
	session := header.Get(headerSession)
	call := func() (hangUp context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, web.URL, strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nap"}}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set(headerSession, session)
		r.Header.Set(headerPost, "of the client's")
		go func() {
			if res, err := http.DefaultClient.Do(r); err == nil {
				res.Body.Close()
			}
		}()
		<-began
		return cancel
	}
	hangUp := call()
	hangUp()
	if err := <-ended; err == nil {
		t.Error("the connection broke, and the call went on")
	}
	if status, _, text := post(t, web.URL, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, headerSession, session); status != http.StatusOK {
		t.Errorf("the session ended with its connection: %d %s", status, text)
	}
	defer call()()
	gone := make(chan int)
	go func() {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, web.URL, nil)
		r.Header.Set(headerSession, session)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			gone <- 0
			return
		}
		res.Body.Close()
		gone <- res.StatusCode
	}()
	if err := <-ended; err == nil {
		t.Error("the session ended, and the call went on")
	}
	if status := <-gone; status != http.StatusNoContent {
		t.Errorf("ending a session: have %d", status)
	}
	waitUntil(t, func() bool { // nothing of them is kept
		h.posts.mu.Lock()
		defer h.posts.mu.Unlock()
		return len(h.posts.open) == 0
	})
}
