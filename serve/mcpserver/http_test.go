package mcpserver

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// post sends one message, with headers in pairs.
func post(t *testing.T, url, body string, headers ...string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(text)
}

const newMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

const regionFile = `
inputSchema:
  type: object
  properties:
    region: {type: string, x-mcp-header: Region}
    in: {type: object, properties: {id: {type: integer, x-mcp-header: Id}}}
executor: {expr: '"went to " + (input.region ?? "nowhere")'}
`

func TestHTTPRefusesWhatBelongsNowhere(t *testing.T) {
	h := newHouse(t, nil, tool{"sum", sumFile}, tool{"region", regionFile})
	web := httptest.NewServer(h.HTTP())
	defer web.Close()
	list := `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"region","arguments":` + arguments + `,` + newMeta + `}}`
	}
	stateless := []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "region"}
	for _, c := range []struct {
		about, body string
		headers     []string
		status      int
		want        string
	}{
		{"no session", list, nil, 400, `"id":7,"error":{"code":-32600,"message":"no session: send initialize first`},
		{"no session, of an old version", list, []string{"Mcp-Protocol-Version", "2025-06-18"}, 400, "no session"},
		{"an unknown session", list, []string{"Mcp-Session-Id", "X"}, 404, "session not found"},
		{"no JSON", "{oops", nil, 400, `"id":null,"error":{"code":-32700`},
		{"nothing", "", nil, 400, `"error"`},
		{"an id of null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, 400, "have null"},
		{"a batch", "[" + list + "]", nil, 400, "batches need a session"},
		{"too deep", `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 2000), nil, 400, `"id":7,"error":{"code":-32600`},
		{"too large", `{"x":"` + strings.Repeat("x", maxMessage) + `"}`, nil, 413, "too large"},
		{"a client that says too much", strings.Replace(strings.TrimSpace(hello), `"params":{`, `"params":{"x":"`+strings.Repeat("x", maxHello)+`",`, 1), nil, 400, "initialize: want at most 65536 bytes, have"},
		{"another version than the header's", list, []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"}, 400, "_meta"},
		{"a header that is missing", call(`{"region":"north"}`), stateless, 400, `"id":7,"error":{"code":-32020,"message":"header mismatch: Mcp-Param-Region is missing`},
		{"a header that differs", call(`{"region":"north"}`), append([]string{"Mcp-Param-Region", "south"}, stateless...), 400, "differs from argument region"},
		{"a header too many", call(`{}`), append([]string{"Mcp-Param-Region", "south"}, stateless...), 400, "is given, but argument region is not"},
		{"a header within", call(`{"in":{"id":12}}`), append([]string{"Mcp-Param-Id", "13"}, stateless...), 400, "differs from argument in.id"},
		{"no base64", call(`{"region":"north"}`), append([]string{"Mcp-Param-Region", "=?base64?*?="}, stateless...), 400, "no base64"},
		{"headers that agree", call(`{"region":"nörd","in":{"id":12}}`), append([]string{"Mcp-Param-Region", "=?base64?bsO2cmQ=?=", "Mcp-Param-Id", "12.0"}, stateless...), 200, "went to nörd"},
		{"an unknown tool", strings.ReplaceAll(call(`{}`), `"region"`, `"regino"`), []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "regino"}, 400, "mean region?"},
	} {
		t.Run(c.about, func(t *testing.T) {
			status, _, text := post(t, web.URL, c.body, c.headers...)
			if status != c.status || !strings.Contains(text, c.want) {
				t.Errorf("have %d %s\nwant %d %s", status, text, c.status, c.want)
			}
		})
	}
}

// A client is told of a change that came before its stream of notifications was open, and once.
func TestALateStreamMissesNoChange(t *testing.T) {
	h := newHouse(t, nil, tool{"a", "executor: {expr: '1'}"})
	web := httptest.NewServer(h.HTTP())
	defer web.Close()
	_, header, _ := post(t, web.URL, strings.TrimSpace(hello))
	session := header.Get("Mcp-Session-Id")
	status, _, _ := post(t, web.URL, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", session)
	if status != http.StatusAccepted {
		t.Fatal(status)
	}
	h.load(t, tool{"b", "executor: {expr: '1'}"})
	waitUntil(t, func() bool { // the change has come, and could not be told
		for s := range h.sdk.Sessions() {
			_, owed := h.told.owes(s)
			return owed
		}
		return false
	})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, web.URL, nil)
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Mcp-Session-Id", session)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), "data:") {
	}
	if !strings.Contains(lines.Text(), methodListChanged) {
		t.Errorf("have %q", lines.Text())
	}
}

func TestShutdownLeavesNothingBehind(t *testing.T) {
	started := make(chan struct{})
	wait := execFunc(func(ctx context.Context) { close(started); <-ctx.Done() })
	h := newHouse(t, wait, tool{"wait", "executor: {func: wait}"})
	web := httptest.NewServer(h.HTTP())
	session := connect(t, &mcp.StreamableClientTransport{Endpoint: web.URL}, "2025-11-25", nil)
	called := make(chan struct{})
	go func() {
		defer close(called)
		_, _ = session.CallTool(context.Background(), &mcp.CallToolParams{Name: "wait"}) // however it ends, it ends
	}()
	<-started
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	h.Shutdown(ctx)
	for s := range h.sdk.Sessions() {
		t.Errorf("session %s is still open", s.ID())
	}
	web.CloseClientConnections()
	_ = session.Close()
	<-called
	web.Close()
	waitUntil(t, func() bool { return !strings.Contains(stacks(), "mcpserver.(*Server)") })
}
