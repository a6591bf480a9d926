package mcpserver

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
)

// TestClientsAreToldOfPendingTools changes what was approved, and approves the change.
func TestClientsAreToldOfPendingTools(t *testing.T) {
	everywhere(t, func(t *testing.T, l link, version string) {
		before, after := tool{"say", "executor: {expr: '1'}"}, tool{"say", "executor: {expr: '2'}"} // the contract is the same
		h := newHouse(t, nil, before)
		approve := func(c tool) {
			h.reg.Enforce(registry.NewLock("the.lock", []registry.Approval{registry.Approve(c.compile(t, nil))}))
		}
		approve(before)
		told := make(chan struct{}, 100)
		session := connect(t, l.connect(t, h), version, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told <- struct{}{} },
		})
		waitUntil(t, func() bool { // over HTTP without sessions, a client listens in a request of its own
			h.told.mu.Lock()
			defer h.told.mu.Unlock()
			return len(h.told.by) > 0
		})
		check := func(listed int, text string) {
			t.Helper()
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != listed {
				t.Errorf("%d tools are listed, want %d: %v", len(list.Tools), listed, err)
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "say"})
			if err != nil {
				t.Fatal(err)
			}
			if have := contentOf(t, result); result.IsError != (listed == 0) || !strings.Contains(have, text) {
				t.Errorf("answered %s, want %s", have, text)
			}
		}
		check(1, "1")
		h.load(t, after)
		<-told
		check(0, "waits for the approval of the operator")
		approve(after)
		<-told
		check(1, "2")
		if len(told) > 0 {
			t.Errorf("%d more notifications than changes", len(told))
		}
	})
}

// TestWhoCallsIsKnown to who keeps a record, also of a call that reaches no tool.
func TestWhoCallsIsKnown(t *testing.T) {
	everywhere(t, func(t *testing.T, l link, version string) {
		h := newHouse(t, nil)
		told := make(chan exec.Event, 1)
		h.reg.Observe = func(e exec.Event) error { told <- e; return nil }
		session := connect(t, l.connect(t, h), version, nil)
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "nothing"}); err == nil {
			t.Error("there is such a tool")
		}
		e := <-told
		if e.Tool != "nothing" || e.Refusal != "not_found" || e.Caller != (exec.Caller{Transport: "mcp-" + l.about, Client: "test 1"}) || e.ID == "" {
			t.Errorf("%+v", e)
		}
	})
}
