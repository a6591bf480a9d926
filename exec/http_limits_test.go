package exec

import (
	"bufio"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// raw is a server that answers every request with the same bytes, whatever HTTP says of them. It counts its connections.
func raw(t *testing.T, answer func(w io.Writer)) (addr string, connections chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	connections = make(chan string, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections <- c.RemoteAddr().String()
			go func() {
				defer c.Close()
				for in := bufio.NewReader(c); ; {
					q, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, q.Body)
					answer(c)
				}
			}()
		}
	}()
	return "http://" + l.Addr().String(), connections
}

func TestHeadsOfAnswersAreBounded(t *testing.T) {
	const end = "Content-Length: 2\r\n\r\nok"
	many := strings.Repeat("X-A: "+strings.Repeat("a", 1000)+"\r\n", 100)
	for name, c := range map[string]struct{ answer, want string }{
		"one header":        {"HTTP/1.1 200 OK\r\nX-A: " + strings.Repeat("a", 100_000) + "\r\n" + end, "more than 64 KiB of headers"},
		"many headers":      {"HTTP/1.1 200 OK\r\n" + many + end, "more than 64 KiB of headers"},
		"status text":       {"HTTP/1.1 200 " + strings.Repeat("O", 100_000) + "\r\n" + end, "more than 64 KiB of headers"},
		"some status text":  {"HTTP/1.1 200 " + strings.Repeat("O", 10_000) + "\r\n" + end, "ok"},
		"interim answers":   {strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 5000) + "HTTP/1.1 200 OK\r\n" + end, "more than 64 KiB of headers"},
		"a few of them":     {strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 3) + "HTTP/1.1 200 OK\r\n" + end, "ok"},
		"trailers":          {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n2\r\nok\r\n0\r\nX-A: b\r\n\r\n", "ok"},
		"endless trailers":  {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n" + strings.Repeat(many, 10) + "\r\n", "Error"},
		"two lengths":       {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!", "Error"},
		"packed twice":      {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n" + end, `packed with "gzip, gzip"`},
		"packed otherwise":  {"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n" + end, `packed with "br"`},
		"packed, two lines": {"HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Encoding: gzip\r\n" + end, `packed with "identity, gzip"`},
		"no HTTP at all":    {"SSH-2.0-OpenSSH_9.2\r\n", "Error"},
		"another protocol":  {"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nok", "switches to another protocol"},
	} {
		addr, _ := raw(t, func(w io.Writer) { _, _ = io.WriteString(w, c.answer) })
		r := httpTool(t, nil, "url: "+addr).Call(t.Context(), use(`{}`))
		if have := text(r); !strings.Contains(have, c.want) || len(have) > 500 {
			t.Errorf("%s: have %.600s\nwant %s", name, have, c.want)
		}
	}
}

// trust has an Env's own transports believe a test server.
func trust(e *Env, server *httptest.Server, r reach) *guard {
	g := e.egress.guard(r)
	for _, transport := range []http.RoundTripper{g.named, g.foreign} {
		transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs, ServerName: "example.com"}
	}
	return g
}

// http2 is a server of HTTP/2 on loopback.
func http2(t *testing.T, answer http.HandlerFunc) *httptest.Server {
	server := httptest.NewUnstartedServer(answer)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func TestHeadsOfAnswersOverHTTP2AreBounded(t *testing.T) {
	server := http2(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/large" {
			for i := range 70 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("a", 1000))
			}
		}
		if r.URL.Path == "/interim" {
			for range 5000 {
				w.WriteHeader(http.StatusEarlyHints)
			}
		}
		_, _ = io.WriteString(w, r.Proto)
	})
	for path, want := range map[string]string{"/": "HTTP/2.0", "/large": "more than 64 KiB of headers", "/interim": "more than 64 KiB of headers"} {
		tool := compile(t, "executor: {http: {url: '"+server.URL+path+"'}}\n", nil, func(e *Env) { trust(e, server, Egress{}.reach()) })
		if r := tool.Call(t.Context(), use(`{}`)); !strings.Contains(text(r), want) {
			t.Errorf("%s: have %s", path, text(r))
		}
	}
}

// TestConnectionsAreNotSharedBetweenGuards: over HTTP/2, too, what a named host's connection may reach a foreign one's may not.
func TestConnectionsAreNotSharedBetweenGuards(t *testing.T) {
	from := make(chan string, 10)
	server := http2(t, func(_ http.ResponseWriter, r *http.Request) { from <- r.RemoteAddr })
	egress := Egress{Private: []string{"127.0.0.1"}}
	tool := compile(t, anyInput+"executor:\n  pipeline:\n    - {id: a, http: {url: '"+server.URL+"'}}\n    - {id: b, http: {url: '${input.url}'}}\n    - {id: c, http: {url: '"+server.URL+"'}}\n", nil,
		func(e *Env) { e.Policy.Egress = egress; trust(e, server, egress.reach()) })
	if r := tool.Call(t.Context(), input(t, map[string]any{"url": server.URL})); r.Status != spec.StatusSuccess {
		t.Fatal(text(r))
	}
	if a, b, c := <-from, <-from, <-from; a == b || a != c {
		t.Errorf("have %s, %s, %s", a, b, c)
	}
}

func TestHeadsOfRequestsAreBounded(t *testing.T) {
	server := record(t, nil)
	long := strings.Repeat("a", 70_000)
	for section, want := range map[string]string{
		"url: 'ADDR/${input.a}'":                                  "the url and the headers of the request take 7",
		"url: ADDR\nquery: {q: '${input.a}'}":                     "the url and the headers of the request take 7",
		"url: ADDR\nheaders: {X-A: '${input.a}'}":                 "the url and the headers of the request take 7",
		"url: ADDR\nheaders: {X-A: ['${input.b}', '${input.b}']}": "the url and the headers of the request take 7",
		"url: ADDR\nauth: {bearer: '${input.a}'}":                 "the url and the headers of the request take 7",
		"url: ADDR\nbody: {json: '${input.a}'}":                   "null",
	} {
		r := httpTool(t, server, section).Call(t.Context(), input(t, map[string]any{"a": long, "b": long[:36_000]}))
		if code := codeOf(r); !strings.Contains(text(r), want) || (code == spec.CodeInvalidInput) != (want != "null") {
			t.Errorf("%s: have %.200s", section, text(r))
		}
		if n := len(server.seen()); (n == 1) != (want == "null") {
			t.Errorf("%s: %d requests were made", section, n)
		}
	}
}

// TestConnectionsAreUsedAgain: after errors, redirects, empty answers and ones that stop halfway, as far as HTTP allows.
func TestConnectionsAreUsedAgain(t *testing.T) {
	server := record(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/error":
			http.Error(w, strings.Repeat("x", 100_000), http.StatusInternalServerError)
		case "/redirect":
			w.Header().Set("Location", "/end")
			w.WriteHeader(http.StatusFound)
			_, _ = io.WriteString(w, strings.Repeat("y", 2_000))
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/packed":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write([]byte("text"))
			_ = z.Close()
		case "/cut":
			w.Header().Set("Content-Length", "100")
		default:
			_, _ = io.WriteString(w, "fine")
		}
	})
	tool := httpTool(t, server, "url: 'ADDR/${input.path}'\nredirects: 2")
	connections := map[string]bool{}
	ask := func(path string) {
		t.Helper()
		_ = tool.Call(t.Context(), input(t, map[string]any{"path": path}))
		for _, q := range server.seen() {
			connections[q.from] = true
		}
	}
	for range 5 {
		for _, path := range []string{"fine", "error", "redirect", "empty", "packed"} {
			ask(path)
		}
	}
	if len(connections) != 1 {
		t.Errorf("35 requests went over %d connections", len(connections))
	}
	ask("cut")
	ask("fine")
	if len(connections) != 2 {
		t.Errorf("after a cut body %d connections were used, want another", len(connections))
	}
}

// TestHeadersThatAreNotAFilesToSet belong to the connection, or say who is asked.
func TestHeadersThatAreNotAFilesToSet(t *testing.T) {
	for _, name := range []string{"Host", "host", "Transfer-Encoding", "Content-Length", "Connection", "Keep-Alive", "Te", "Trailer", "Upgrade", "Expect", "Proxy-Authorization", "Proxy-Connection", "Accept-Encoding"} {
		for _, section := range []string{"headers: {" + name + ": x}", "headers: {" + name + ": '${input.a}'}", "auth: {apiKey: {name: " + name + ", value: x}}"} {
			s, _ := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\n"+anyInput+"executor: {http: {url: 'https://a.example/', "+section+"}}\n"))
			if _, ds := StandardKinds().Compile(&Env{}, s); !strings.Contains(ds.Error(), "is not a file's to set") {
				t.Errorf("%s: have %v", section, ds)
			}
		}
	}
	for _, whole := range []string{"headers: '${input}'", "headers: {'${input.a}': x}", "query: '${input}'"} {
		s, _ := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\n"+anyInput+"executor: {http: {url: 'https://a.example/', "+whole+"}}\n"))
		if _, ds := StandardKinds().Compile(&Env{}, s); !ds.HasErrors() {
			t.Errorf("%s: an input would choose names", whole)
		}
	}
}
