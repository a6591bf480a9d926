package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"

const echoFile = `
inputSchema: {type: object, properties: {text: {type: string}}}
executor: {func: echo}
`

// answer is what a test looks at in a line of the server.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Result *struct {
		IsError bool `json:"isError"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// pipe sends input whole, and gives what comes back until the server ends, by id.
func (h *house) pipe(t *testing.T, input io.Reader) map[string]answer {
	t.Helper()
	out, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- h.Stdio(context.Background(), input, fromServer)
		_ = fromServer.Close()
	}()
	answers := map[string]answer{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		answers[string(a.ID)] = a
	}
	if err := <-ended; err != nil {
		t.Errorf("stdio ended with %v", err)
	}
	return answers
}

func TestLongAndDeepLines(t *testing.T) {
	length := func(_ context.Context, call *exec.Call) (any, error) { return len(call.Args["text"].(string)), nil }
	h := newHouse(t, map[string]exec.ExecutorFunc{"echo": length}, tool{"echo", echoFile})
	call := func(id, text string) string {
		return `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"` + text + `"}},"id":` + id + "}\n"
	}
	answers := h.pipe(t, strings.NewReader(hello+
		call("1", strings.Repeat("g", 200_000))+
		call("2", strings.Repeat("g", maxMessage))+
		`{"jsonrpc":"2.0","id":3,"method":"ping","params":`+strings.Repeat("[", 50_000)+"\n"+
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":`+strings.Repeat("[", 990)+strings.Repeat("]", 990)+`}},"id":4}`+"\n"+
		strings.Repeat("x", maxKept+1)+"\n"+
		strings.TrimSuffix(call("5", "half a line"), "\n")))
	if a := answers["1"]; a.Result == nil || a.Result.Content[0].Text != "200000" {
		t.Error("200 KB did not arrive")
	}
	for id, want := range map[string]string{"2": "want a message of at most", "3": "at most 1000 deep", "null": "want a message of at most"} {
		if a := answers[id]; a.Error == nil || a.Error.Code != -32600 || !strings.Contains(a.Error.Message, want) {
			t.Errorf("%s: %+v", id, a.Error)
		}
	}
	if a := answers["4"]; a.Result == nil || !a.Result.IsError {
		t.Errorf("a deep input is a wrong input: %+v", a)
	}
	if a := answers["5"]; a.Result == nil || a.Result.Content[0].Text != "11" {
		t.Errorf("what was asked just before the end is answered: %+v", a)
	}
}

func TestTheEndOfInputCancelsCalls(t *testing.T) {
	canceled := make(chan struct{})
	wait := func(ctx context.Context, _ *exec.Call) (any, error) {
		<-ctx.Done()
		close(canceled)
		return nil, ctx.Err()
	}
	h := newHouse(t, map[string]exec.ExecutorFunc{"wait": wait}, tool{"wait", "executor: {func: wait}"})
	answers := h.pipe(t, strings.NewReader(hello+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}`+"\n"))
	<-canceled
	if a := answers["1"]; a.Result == nil || !a.Result.IsError {
		t.Errorf("have %+v", a)
	}
}

func TestStdioEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	started, canceled := make(chan struct{}), make(chan struct{})
	wait := func(ctx context.Context, _ *exec.Call) (any, error) {
		close(started)
		<-ctx.Done()
		close(canceled)
		return nil, ctx.Err()
	}
	h := newHouse(t, map[string]exec.ExecutorFunc{"wait": wait}, tool{"wait", "executor: {func: wait}"})
	in, fromClient := io.Pipe()
	defer fromClient.Close()
	ended := make(chan error, 1)
	go func() { ended <- h.Stdio(ctx, in, io.Discard) }()
	_, _ = io.WriteString(fromClient, hello+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}`+"\n")
	<-started
	cancel()
	<-canceled
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestTwoRequestsWithOneID(t *testing.T) {
	release := make(chan struct{})
	wait := func(context.Context, *exec.Call) (any, error) { <-release; return "first", nil }
	h := newHouse(t, map[string]exec.ExecutorFunc{"wait": wait}, tool{"wait", "executor: {func: wait}"})
	in, fromClient := io.Pipe()
	out, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- h.Stdio(context.Background(), in, fromServer) }()
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}` + "\n"
	lines := bufio.NewScanner(out)
	for _, c := range []struct{ input, want string }{{hello, `"id":0,`}, {call + call, "another request with this id"}} {
		go func() { _, _ = io.WriteString(fromClient, c.input) }()
		if lines.Scan(); !strings.Contains(lines.Text(), c.want) {
			t.Errorf("have %s, want %s", lines.Text(), c.want)
		}
	}
	close(release)
	if lines.Scan(); !strings.Contains(lines.Text(), "first") {
		t.Errorf("have %s", lines.Text())
	}
	_ = fromClient.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A client of 2026-07-28 that begins to listen after a change which its list did not show is told of it.
func TestALateListenerMissesNoChange(t *testing.T) {
	h := newHouse(t, nil, tool{"a", "executor: {expr: '1'}"})
	in, fromClient := io.Pipe()
	out, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- h.Stdio(context.Background(), in, fromServer) }()
	lines := bufio.NewScanner(out)
	next := func(want string) {
		t.Helper()
		if lines.Scan(); !strings.Contains(lines.Text(), want) {
			t.Errorf("have %s, want %s", lines.Text(), want)
		}
	}
	_, _ = io.WriteString(fromClient, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+newMeta+"}}\n")
	next(`"name":"a"`)
	h.load(t, tool{"b", "executor: {expr: '1'}"})
	waitUntil(t, func() bool {
		for s := range h.sdk.Sessions() {
			_, owed := h.told.owes(s)
			return owed
		}
		return false
	})
	_, _ = io.WriteString(fromClient, `{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+newMeta+"}}\n")
	next(methodListening)
	next(methodListChanged)
	_ = fromClient.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// FuzzMessage has whatever bytes refused or decoded, and never both or neither.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{strings.TrimSpace(hello), `{"id":"a\"b","x":{"id":2}}`, `[{"id":1}]`, `{"jsonrpc":"2.0","id":null}`, `{"id" : -5 }`, `{"a":[1,{"id":3}],"id":4`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		seen := outline(data)
		refused := checkJSON(data)
		if refused == nil {
			var message any
			message, refused = decode(data)
			if (message == nil) == (refused == nil) {
				t.Fatalf("%q: %v and %v", data, message, refused)
			}
			var object struct{ ID any }
			if json.Unmarshal(data, &object) == nil && seen.id != nil && !json.Valid(seen.id) {
				t.Fatalf("%q: id %s", data, seen.id)
			}
		}
		if refused != nil && !json.Valid(refused.line()) {
			t.Fatalf("%q: refused with %s", data, refused.line())
		}
	})
}
