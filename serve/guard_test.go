package serve

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestWebPagesAreKeptOut(t *testing.T) {
	mcp := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	_, web := offer(t, Options{MCP: mcp, Metrics: mcp}, compile(t, "add", addFile, nil))
	at, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	routes := []string{"POST /mcp", "POST /v1/tools/add", "POST /v1/call", "GET /v1/tools", "GET /v1/status", "GET /healthz", "GET /readyz", "GET /metrics", "GET /openapi.json", "GET /nothing", "OPTIONS /v1/call"}
	for _, c := range []struct {
		about   string
		headers []string
		status  int // 0: whatever the route itself answers
	}{
		{"a foreign host", []string{"Host", "evil.example"}, 403},
		{"a foreign host with the port", []string{"Host", "evil.example:" + at.Port()}, 403},
		{"a host that only starts well", []string{"Host", "localhost.evil.example"}, 403},
		{"an address of another machine", []string{"Host", "192.0.2.7"}, 403},
		{"a foreign origin", []string{"Origin", "http://evil.example"}, 403},
		{"no origin", []string{"Origin", "null"}, 403},
		{"another port", []string{"Origin", "http://localhost:5173"}, 403},
		{"another scheme", []string{"Origin", "https://" + at.Host}, 403},
		{"another site", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"the same site", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"a page of its own", []string{"Origin", web.URL, "Sec-Fetch-Site", "same-origin"}, 0},
		{"typed into a browser", []string{"Sec-Fetch-Site", "none"}, 0},
		{"by name", []string{"Host", "localhost:" + at.Port()}, 0},
		{"by number, of six", []string{"Host", "[::1]:" + at.Port()}, 0},
		{"a program", nil, 0},
	} {
		for _, route := range routes {
			method, path, _ := strings.Cut(route, " ")
			body := ""
			if method == "POST" {
				body = `{"name":"add"}`
			}
			res, text := ask(t, method, web.URL+path, body, c.headers...)
			if c.status != 0 && res.StatusCode != c.status || c.status == 0 && res.StatusCode == 403 {
				t.Errorf("%s, %s: %d %s", c.about, route, res.StatusCode, text)
			}
			for name := range res.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s, %s: %s is sent", c.about, route, name)
				}
			}
		}
	}
}

func TestOnlyJSONIsTaken(t *testing.T) {
	_, web := offer(t, Options{MCP: http.NotFoundHandler()}, compile(t, "add", addFile, nil))
	for mediaType, status := range map[string]int{
		"text/plain": 415, "application/x-www-form-urlencoded": 415, "multipart/form-data; boundary=x": 415, "": 415, ";": 415,
		"application/json, text/plain": 415, "application/json": 200, "application/json; charset=utf-8": 200, "APPLICATION/JSON": 200,
	} {
		for _, path := range []string{"/v1/tools/add", "/v1/call", "/mcp"} {
			want := status
			if path == "/mcp" && want == 200 {
				want = 404 // of the handler that stands for MCP here
			}
			res, text := ask(t, "POST", web.URL+path, `{"name":"add"}`, "Content-Type", mediaType)
			if res.StatusCode != want {
				t.Errorf("%q at %s: %d %s, want %d", mediaType, path, res.StatusCode, text, want)
			}
		}
	}
}

func TestListenTakesAddressesOfThisMachineOnly(t *testing.T) {
	for addr, ok := range map[string]bool{
		"127.0.0.1:0": true, "localhost:0": true, "127.1.2.3:0": true,
		":0": false, "0.0.0.0:0": false, "[::]:0": false, "192.0.2.7:0": false, "example.com:0": false, "8080": false, "": false, "localhost:http:": false,
	} {
		l, err := Listen(addr)
		if (err == nil) != ok {
			t.Errorf("%q: %v", addr, err)
		}
		if err == nil {
			_ = l.Close()
		} else if addr == ":0" && !strings.Contains(err.Error(), "127.0.0.1:0") {
			t.Errorf("%q: %v", addr, err)
		}
	}
}
