package serve

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// compile makes a tool of a file named after it.
func compile(t testing.TB, name, rest string, funcs map[string]exec.Executor) *exec.Tool {
	t.Helper()
	read, ds := spec.Parse(name+".yaml", []byte("name: "+name+"\ndescription: A tool for tests.\n"+rest))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tool, ds := exec.StandardKinds().Compile(&exec.Env{Policy: exec.DefaultPolicy(), Funcs: funcs}, read)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return tool
}

const addFile = `
title: Add
tags: [math]
annotations: {readOnlyHint: true}
inputSchema: {type: object, required: [a], properties: {a: {type: integer}, b: {default: 1, type: integer, x-note: '<&>'}}}
executor: {expr: input.a + input.b}
`

// offer serves some tools over HTTP.
func offer(t *testing.T, opts Options, tools ...*exec.Tool) (*registry.Registry, *httptest.Server) {
	t.Helper()
	reg := registry.New()
	reg.Replace("test", tools, spec.Diagnostics{spec.Errorf(spec.Pos{File: "bad.yaml", Line: 3, Column: 5}, "syntax", "want a colon")})
	web := httptest.NewServer(Handler(t.Context(), reg, opts))
	t.Cleanup(web.Close)
	return reg, web
}

// ask sends one request; headers come in pairs, and Host among them is the request's.
func ask(t *testing.T, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if req.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			req.Host = headers[i+1]
		}
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
	return res, string(text)
}

func TestRequests(t *testing.T) {
	_, web := offer(t, Options{}, compile(t, "add", addFile, nil), compile(t, "a.b-c..d_e", "executor: {expr: '\"dots\"'}", nil),
		compile(t, "gone", "requires: {commands: [no-such-command-anywhere]}\nexecutor: {expr: '1'}", nil))
	for _, c := range []struct {
		about, method, path, body string
		status                    int
		want                      string
	}{
		{"a tool as its file has it", "GET", "/v1/tools/add", "", 200, `{"name":"add","title":"Add","description":"A tool for tests.","inputSchema":{"type":"object","required":["a"],"properties":{"a":{"type":"integer"},"b":{"default":1,"type":"integer","x-note":"<&>"}}},"outputSchema":null,"annotations":{"readOnlyHint":true},"tags":["math"],"kind":"expr","file":"add.yaml","digest":"sha256:`},
		{"the end of a tool", "GET", "/v1/tools/add", "", 200, `"status":"ready","diagnostics":[]}`},
		{"a tool that cannot work", "GET", "/v1/tools/gone", "", 200, `"status":"unavailable"`},
		{"a name with dots", "GET", "/v1/tools/a.b-c..d_e", "", 200, `"name":"a.b-c..d_e"`},
		{"no tool", "GET", "/v1/tools/none", "", 404, `{"error":{"code":"not_found","message":"no tool is named \"none\""}}`},
		{"the list", "GET", "/v1/tools", "", 200, `[{"name":"a.b-c..d_e",`},
		{"a call", "POST", "/v1/tools/add", `{"a":41}`, 200, `"status":"success","content":[{"text":"42"}]`},
		{"a call with dots", "POST", "/v1/tools/a.b-c..d_e", "", 200, `"content":[{"text":"dots"}]`},
		{"a wrong input", "POST", "/v1/tools/add", `{"a":"x","c":1}`, 200, `"code":"invalid_input"`},
		{"an input that is no object", "POST", "/v1/tools/add", `[1]`, 200, `"code":"invalid_input"`},
		{"an input that is deep", "POST", "/v1/tools/add", `{"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`, 200, `"code":"invalid_input"`},
		{"no input at all", "POST", "/v1/tools/add", ``, 200, `"code":"invalid_input"`},
		{"an input that is no JSON", "POST", "/v1/tools/add", `{"a":`, 400, `{"error":{"code":"invalid_request","message":"the body is no JSON: unexpected end of JSON input"}}`},
		{"an input that is far too deep", "POST", "/v1/tools/add", strings.Repeat("[", 20_000), 400, `"code":"invalid_request"`},
		{"a call of no tool", "POST", "/v1/tools/ad", `{}`, 404, `"code":"not_found"`},
		{"a call of what cannot work", "POST", "/v1/tools/gone", `{}`, 200, `"code":"unavailable"`},
		{"an input that is too large", "POST", "/v1/tools/add", `{"a":"` + strings.Repeat("x", spec.MaxInputBytes) + `"}`, 413, `"code":"too_large"`},
		{"a body that is too large", "POST", "/v1/call", `{"a":"` + strings.Repeat("x", MaxBody) + `"}`, 413, `"code":"too_large"`},
		{"a tool use", "POST", "/v1/call", `{"toolUseId":"t1","name":"add","input":{"a":1,"b":9007199254740992}}`, 200, `{"toolUseId":"t1","status":"success","content":[{"text":"9007199254740993"}]`},
		{"a tool use without an input", "POST", "/v1/call", `{"toolUseId":"t1","name":"a.b-c..d_e"}`, 200, `"status":"success"`},
		{"a tool use of no tool", "POST", "/v1/call", `{"toolUseId":"t1","name":"ad"}`, 404, `{"toolUseId":"t1","status":"error"`},
		{"a tool use without a name", "POST", "/v1/call", `{}`, 404, `"code":"not_found"`},
		{"a tool use whose input is no object", "POST", "/v1/call", `{"name":"add","input":5}`, 200, `"code":"invalid_input"`},
		{"a tool use with a key it has not", "POST", "/v1/call", `{"name":"add","arguments":{"a":1}}`, 200, `unknown key \"arguments\"`},
		{"a tool use whose name is no text", "POST", "/v1/call", `{"toolUseId":"t1","name":5}`, 200, `{"toolUseId":"t1","status":"error","content":[{"text":"Error: name: want a text, have 5"}]`},
		{"a list that is no tool use", "POST", "/v1/call", `[]`, 200, `"code":"invalid_input"`},
		{"null that is no tool use", "POST", "/v1/call", `null`, 200, `"code":"invalid_input"`},
		{"what is no JSON", "POST", "/v1/call", `{oops`, 400, `"code":"invalid_request"`},
		{"another method", "DELETE", "/v1/tools/add", ``, 405, `/v1/tools/add takes GET, HEAD, POST, not DELETE`},
		{"another path", "GET", "/v2/tools", ``, 404, `/openapi.json says what there is`},
		{"health", "GET", "/healthz", ``, 200, `{"status":"ok"}`},
		{"readiness", "GET", "/readyz", ``, 200, `{"status":"ok"}`},
		{"its description", "GET", "/openapi.json", ``, 200, `"openapi"`},
		{"no MCP where there is none", "POST", "/mcp", `{}`, 404, `"not_found"`},
	} {
		t.Run(c.about, func(t *testing.T) {
			res, text := ask(t, c.method, web.URL+c.path, c.body)
			if res.StatusCode != c.status || !strings.Contains(text, c.want) {
				t.Errorf("have %d %s\nwant %d %s", res.StatusCode, text, c.status, c.want)
			}
			if have := res.Header.Get("Content-Type"); have != "application/json" {
				t.Errorf("Content-Type %q", have)
			}
			if res.StatusCode == http.StatusMethodNotAllowed && res.Header.Get("Allow") != "GET, HEAD, POST" {
				t.Errorf("Allow %q", res.Header.Get("Allow"))
			}
		})
	}
}

func TestNothingIsListedOrCalledBeforeTheFirstLoad(t *testing.T) {
	ready := make(chan struct{})
	_, web := offer(t, Options{Ready: ready}, compile(t, "add", addFile, nil))
	gated := []string{"GET /v1/tools", "GET /v1/tools/add", "POST /v1/tools/add", "POST /v1/call", "GET /readyz"}
	check := func(status int) {
		t.Helper()
		for _, request := range gated {
			method, path, _ := strings.Cut(request, " ")
			body := ""
			if method == "POST" {
				body = `{"name":"add","a":1}`
			}
			res, text := ask(t, method, web.URL+path, body)
			if res.StatusCode != status || (status == 503) != (res.Header.Get("Retry-After") == "1") {
				t.Errorf("%s: %d %s", request, res.StatusCode, text)
			}
		}
	}
	check(503)
	for _, path := range []string{"/healthz", "/v1/status", "/openapi.json"} {
		if res, _ := ask(t, "GET", web.URL+path, ""); res.StatusCode != 200 {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
	close(ready)
	check(200)
}

func TestStatus(t *testing.T) {
	scanned := time.Now().Add(-time.Minute)
	_, web := offer(t, Options{Watch: func() []WatchStatus {
		return []WatchStatus{{Dir: "tools", Mode: "polling", LastScan: scanned, Warning: "no events here"}}
	}}, compile(t, "add", addFile, nil))
	_, text := ask(t, "GET", web.URL+"/v1/status", "")
	var have Status
	if err := json.Unmarshal([]byte(text), &have); err != nil {
		t.Fatal(err)
	}
	if have.Generation != 1 || !have.Ready || len(have.Files) != 2 || len(have.Watch) != 1 {
		t.Fatalf("have %s", text)
	}
	good, bad := have.Files[0], have.Files[1]
	if good.File != "add.yaml" {
		good, bad = bad, good
	}
	if good.Tool != "add" || good.State != registry.StateReady || good.Digest == "" || good.Source != "test" {
		t.Errorf("good: %+v", good)
	}
	if bad.Tool != "" || bad.State != registry.StateBroken || len(bad.Diagnostics) != 1 {
		t.Errorf("bad: %+v", bad)
	}
	if w := have.Watch[0]; w.Mode != "polling" || w.Age < 60 || w.Warning == "" {
		t.Errorf("watch: %+v", w)
	}
}

func TestACallEndsWhenItsCallerGoes(t *testing.T) {
	started, canceled := make(chan struct{}), make(chan string)
	wait := exec.ExecutorFunc(func(ctx context.Context, call *exec.Call) (any, error) {
		close(started)
		<-ctx.Done()
		canceled <- call.Session
		return nil, ctx.Err()
	})
	_, web := offer(t, Options{}, compile(t, "wait", "executor: {func: wait}", map[string]exec.Executor{"wait": wait}))
	ctx, cancel := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, "POST", web.URL+"/v1/tools/wait", nil)
	req.Header.Set(SessionHeader, "s1")
	go func() {
		<-started
		cancel()
	}()
	if res, err := http.DefaultClient.Do(req); err == nil {
		_ = res.Body.Close()
		t.Error("the call was answered")
	}
	if session := <-canceled; session != "s1" {
		t.Errorf("session %q", session)
	}
	if res, _ := ask(t, "POST", web.URL+"/v1/tools/wait", "", SessionHeader, strings.Repeat("s", 200)); res.StatusCode != 400 {
		t.Errorf("a session id that is too long: %d", res.StatusCode)
	}
}
