package exec

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// recorder is a server on loopback that notes what reaches it.
type recorder struct {
	*httptest.Server
	mu       sync.Mutex
	requests []recorded
}

type recorded struct {
	method, uri, body, from string
	header                  http.Header
}

// record starts a recorder; a nil answer is an empty 200.
func record(t testing.TB, answer http.HandlerFunc) *recorder {
	t.Helper()
	r := &recorder{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		r.requests = append(r.requests, recorded{q.Method, q.RequestURI, string(body), q.RemoteAddr, q.Header})
		r.mu.Unlock()
		if answer != nil {
			answer(w, q)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// seen are the requests since it was last asked.
func (r *recorder) seen() []recorded {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := r.requests
	r.requests = nil
	return seen
}

func (r *recorder) only(t testing.TB) recorded {
	t.Helper()
	seen := r.seen()
	if len(seen) != 1 {
		t.Fatalf("want one request, have %v", seen)
	}
	return seen[0]
}

// anyInput is a schema under which expressions may name what they like.
const anyInput = "inputSchema: {type: object, additionalProperties: true}\n"

// httpTool makes a tool of an http section, indented by four; ADDR is the server's address.
func httpTool(t testing.TB, server *recorder, section string) *Tool {
	t.Helper()
	if server != nil {
		section = strings.ReplaceAll(section, "ADDR", server.URL)
	}
	return compile(t, anyInput+"executor:\n  http:\n    "+strings.ReplaceAll(strings.TrimSpace(section), "\n", "\n    ")+"\n", nil)
}

func input(t testing.TB, v any) Call {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return use(string(b))
}

func codeOf(r spec.ToolResult) spec.Code {
	if r.Metadata.Error == nil {
		return ""
	}
	return r.Metadata.Error.Code
}

func TestHTTPMakesTheRequestTheFileSays(t *testing.T) {
	server := record(t, nil)
	for _, c := range []struct{ name, section, input, want, body string }{
		{"plain", "url: ADDR/v1", `{}`, "GET /v1", ""},
		{"no path", "url: ADDR", `{}`, "GET /", ""},
		{"segment", "url: 'ADDR/items/${input.id}/notes'", `{"id": 7}`, "GET /items/7/notes", ""},
		{"parts of segments", "url: 'ADDR/v${input.a}/a-${input.b}.json'", `{"a": 2, "b": "x/y"}`, "GET /v2/a-x%2Fy.json", ""},
		{"list of segments", "url: 'ADDR/f/${input.path}/end'", `{"path": ["a b", "c"]}`, "GET /f/a%20b/c/end", ""},
		{"digits", "url: 'ADDR/${input.id}'", `{"id": 12345678901234567890}`, "GET /12345678901234567890", ""},
		{"literals encoded", "url: 'ADDR/a b/ä?q=x y'", `{}`, "GET /a%20b/%C3%A4?q=x%20y", ""},
		{"encoded stays", "url: 'ADDR/a%2Fb'", `{}`, "GET /a%2Fb", ""},
		{"query in url", "url: 'ADDR/s?q=${input.q}&n=1&t=${input.t}&u=${input.u}'", `{"q": "a&b=c#d", "t": ["x", "y"]}`, "GET /s?q=a%26b%3Dc%23d&n=1&t=x&t=y", ""},
		{"query map", "url: ADDR/s?a=1\nquery:\n  q: '${input.q}'\n  none: '${input.none}'\n  t: '${input.t}'\n  lit: [1, 'x${input.q}']\n  b: '${true}'", `{"q": "ö +", "t": [1, null, 2]}`, "GET /s?a=1&q=%C3%B6%20%2B&t=1&t=2&lit=1&lit=x%C3%B6%20%2B&b=true", ""},
		{"json", "url: ADDR/j\nbody:\n  json: {nick: '${input.nick}', age: '${input.age}', gone: '${input.gone ?? null}', list: [1, '${input.nick}'], on: true}", `{"nick": "x\",\"admin\":true", "age": 7}`, "POST /j", `{"age":7,"list":[1,"x\",\"admin\":true"],"nick":"x\",\"admin\":true","on":true}`},
		{"whole json", "url: ADDR/j\nbody: {json: '${input}'}", `{"a": 1.50}`, "POST /j", `{"a":1.50}`},
		{"form", "url: ADDR/f\nmethod: PUT\nbody:\n  form: {b: '${input.b}', a: 'x y', none: '${input.none}'}", `{"b": ["1&2", "3"]}`, "PUT /f", "b=1%262&b=3&a=x+y"},
		{"text", "url: ADDR/t\nbody: {text: '<a>${input.a}</a>'}", `{"a": "<b> & \"c\""}`, "POST /t", "<a>&lt;b&gt; &amp; &#34;c&#34;</a>"},
		{"plain text", "url: ADDR/t\nheaders: {Content-Type: text/plain}\nbody: {text: 'a ${input.a}'}", `{"a": "R&D"}`, "POST /t", "a R&D"},
		{"bytes", "url: ADDR/b\nbody: {bytes: '${input.a}'}", `{"a": "AAH/"}`, "POST /b", "\x00\x01\xff"},
		{"no body", "url: ADDR/b\nbody: {bytes: '${input.none}'}", `{}`, "POST /b", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httpTool(t, server, c.section).Call(t.Context(), use(c.input))
			if r.Status != spec.StatusSuccess {
				t.Fatal(text(r))
			}
			have := server.only(t)
			if got := have.method + " " + have.uri; got != c.want || have.body != c.body {
				t.Errorf("have %s\n%s\nwant %s\n%s", got, have.body, c.want, c.body)
			}
		})
	}
}
