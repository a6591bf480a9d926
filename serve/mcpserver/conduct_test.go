package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
)

func TestEveryCallerGetsItsOwnAnswer(t *testing.T) {
	const calls = 8 // as many as one tool may have at work
	everywhere(t, func(t *testing.T, l link, version string) {
		var all sync.WaitGroup
		all.Add(calls)
		meet := func(_ context.Context, call *exec.Call) (any, error) {
			all.Done()
			all.Wait() // nobody is answered before everybody has asked
			return call.Args["text"], nil
		}
		h := newHouse(t, map[string]exec.ExecutorFunc{"echo": meet}, tool{"echo", echoFile})
		session := connect(t, l.connect(t, h), version, nil)
		var asking sync.WaitGroup
		for i := range calls {
			asking.Go(func() {
				want := fmt.Sprint("caller ", i)
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": want}})
				if err != nil {
					t.Error(err)
				} else if have := result.Content[0].(*mcp.TextContent).Text; have != want {
					t.Errorf("have %q, want %q", have, want)
				}
			})
		}
		asking.Wait()
	})
}

func TestACallEndsWhenItsCallerGivesUp(t *testing.T) {
	everywhere(t, func(t *testing.T, l link, version string) {
		started, canceled := make(chan struct{}), make(chan struct{})
		wait := func(ctx context.Context, _ *exec.Call) (any, error) {
			close(started)
			<-ctx.Done()
			close(canceled)
			return nil, ctx.Err()
		}
		h := newHouse(t, map[string]exec.ExecutorFunc{"wait": wait}, tool{"wait", "executor: {func: wait}"})
		session := connect(t, l.connect(t, h), version, nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-started
			cancel()
		}()
		if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "wait"}); err == nil {
			t.Error("the call was not canceled")
		}
		<-canceled
	})
}

func TestProgressIsForThoseWhoAsked(t *testing.T) {
	everywhere(t, func(t *testing.T, l link, version string) {
		heard := make(chan struct{})
		work := func(_ context.Context, call *exec.Call) (any, error) {
			if call.Progress == nil {
				return "silent", nil
			}
			call.Progress("half done")
			<-heard
			return "done", nil
		}
		h := newHouse(t, map[string]exec.ExecutorFunc{"work": work}, tool{"work", "executor: {func: work}"})
		session := connect(t, l.connect(t, h), version, &mcp.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
				if req.Params.Message == "half done" && req.Params.Progress == 1 {
					close(heard)
				}
			},
		})
		for token, want := range map[string]string{"": "silent", "p1": "done"} {
			params := &mcp.CallToolParams{Name: "work"}
			if token != "" {
				params.SetProgressToken(token)
			}
			result, err := session.CallTool(t.Context(), params)
			if err != nil {
				t.Fatal(err)
			}
			if have := result.Content[0].(*mcp.TextContent).Text; have != want {
				t.Errorf("have %q, want %q", have, want)
			}
		}
	})
}

func TestListsAndCallsWaitForTheFirstLoad(t *testing.T) {
	for _, l := range links() {
		t.Run(l.about, func(t *testing.T) {
			ready := make(chan struct{})
			h := &house{reg: registry.New()}
			h.Server = New(h.reg, Options{Ready: ready})
			defer h.Shutdown(t.Context())
			var notified sync.WaitGroup
			session := connect(t, l.connect(t, h), "2025-11-25", &mcp.ClientOptions{
				ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { notified.Done() },
			})
			listed := make(chan *mcp.ListToolsResult, 1)
			go func() {
				list, err := session.ListTools(context.Background(), nil)
				if err != nil {
					t.Error(err)
				}
				listed <- list
			}()
			h.load(t, tool{"first", "executor: {expr: '1'}"})
			select {
			case <-listed:
				t.Fatal("a list before the first load is complete")
			default:
			}
			close(ready)
			if list := <-listed; len(list.Tools) != 1 {
				t.Errorf("have %d tools", len(list.Tools))
			}
			notified.Add(1) // a second notification, for the first load, would make this panic
			h.load(t, tool{"second", "executor: {expr: '1'}"})
			notified.Wait()
			_ = session.Close()
		})
	}
}

func TestClientsAreToldOnceOfEachChange(t *testing.T) {
	everywhere(t, func(t *testing.T, l link, version string) {
		h := newHouse(t, nil, tool{"a", "executor: {expr: '1'}"})
		told := make(chan struct{}, 100)
		session := connect(t, l.connect(t, h), version, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told <- struct{}{} },
		})
		list := func(want ...string) {
			t.Helper()
			have, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range have.Tools {
				names = append(names, tool.Name)
			}
			if strings.Join(names, " ") != strings.Join(want, " ") {
				t.Errorf("have %v, want %v", names, want)
			}
		}
		waitUntil(t, func() bool { // over HTTP without sessions, a client listens in a request of its own
			h.told.mu.Lock()
			defer h.told.mu.Unlock()
			return len(h.told.by) > 0
		})
		list("a")
		h.load(t, tool{"a", "executor: {expr: '1'}"}, tool{"b", "executor: {expr: '1'}"})
		<-told
		list("a", "b")
		h.load(t, tool{"a", "executor: {expr: '2'}"}, tool{"b", "executor: {expr: '1'}"}) // no contract changed
		h.load(t, tool{"b", "executor: {expr: '1'}"})
		<-told
		list("b")
		if len(told) > 0 {
			t.Errorf("%d more notifications than changes", len(told))
		}
	})
}

func TestSchemasTravelAsTheyAre(t *testing.T) {
	file := `
inputSchema:
  $schema: http://json-schema.org/draft-07/schema#
  x-note: 'a < b & c > d'
  type: object
  properties: {z: {const: 12345678901234567890}, a: {default: 1.50, type: number}}
executor: {expr: '1'}
`
	h := newHouse(t, nil, tool{"verbatim", file})
	want := tool{"verbatim", file}.compile(t, nil).Spec.Input.JSON()
	out, fromServer := io.Pipe()
	go func() {
		_ = h.Stdio(context.Background(), strings.NewReader(hello+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n"), fromServer)
		_ = fromServer.Close()
	}()
	all, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(all), string(want)) || !json.Valid(want) || !strings.Contains(string(want), "12345678901234567890") {
		t.Errorf("have %s\nwant %s", all, want)
	}
}
