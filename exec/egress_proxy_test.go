package exec

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// proxy is a forward proxy that takes every request to one server, and notes what it was asked.
type proxy struct {
	*httptest.Server
	to string // host and port

	mu    sync.Mutex
	asked []string // method, target, and credentials
}

func startProxy(t *testing.T, to string) *proxy {
	p := &proxy{to: to}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

func (p *proxy) serve(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, strings.TrimSpace(r.Method+" "+r.RequestURI+" "+r.Header.Get("Proxy-Authorization")))
	p.mu.Unlock()
	switch {
	case strings.Contains(r.Host, "forbidden"):
		http.Error(w, "not that one; you are "+r.Header.Get("Proxy-Authorization"), http.StatusForbidden)
	case r.Method == http.MethodConnect:
		p.tunnel(w)
	default:
		r.RequestURI, r.URL.Host, r.Header["Proxy-Authorization"] = "", p.to, nil
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer response.Body.Close()
		w.WriteHeader(response.StatusCode)
		_, _ = io.Copy(w, response.Body)
	}
}

func (p *proxy) tunnel(w http.ResponseWriter) {
	there, err := net.Dial("tcp", p.to)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	here, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		there.Close()
		return
	}
	_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { _, _ = io.Copy(there, here); there.Close() }()
	go func() { _, _ = io.Copy(here, there); here.Close() }()
}

func (p *proxy) seen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := strings.Join(p.asked, ", ")
	p.asked = nil
	return seen
}

func (p *proxy) egress(t *testing.T, user string) Egress {
	t.Helper()
	u, err := ReadProxy(strings.Replace(p.URL, "http://", "http://"+user, 1))
	if err != nil {
		t.Fatal(err)
	}
	return Egress{Proxy: u}
}

func TestRequestsGoByThePolicysProxy(t *testing.T) {
	server := record(t, nil)
	p := startProxy(t, server.Listener.Addr().String())
	for _, c := range []struct {
		section, leads string // to: what names lead to here; none where empty
		egress         func(*Egress)
		input, asked   string
		code           spec.Code
	}{
		{"url: http://api.example/x", "93.184.215.14", nil, "", "GET http://api.example/x", ""},
		{"url: http://api.example/x", "10.0.0.1", nil, "", "GET http://api.example/x", ""}, // the author's host may be private
		{"url: http://api.example/x", "", nil, "", "GET http://api.example/x", ""},         // and known to the proxy alone
		{"url: http://api.example/x", "169.254.169.254", nil, "", "", spec.CodeDenied},
		{"url: http://10.1.2.3/x", "", nil, "", "GET http://10.1.2.3/x", ""},
		{"url: ADDR/direct", "", nil, "", "", ""}, // this machine is not the proxy's to reach
		{"url: '${input.url}'", "93.184.215.14", nil, "http://api.example/x", "GET http://api.example/x", ""},
		{"url: '${input.url}'", "10.0.0.1", nil, "http://api.example/x", "", spec.CodeDenied},
		{"url: '${input.url}'", "127.0.0.1", nil, "http://api.example/x", "", spec.CodeDenied},
		{"url: '${input.url}'", "", nil, "http://api.example/x", "", spec.CodeDenied}, // it leads nowhere here
		{"url: '${input.url}'", "", func(e *Egress) { e.Hosts = []string{"*"} }, "http://api.example/x", "", spec.CodeDenied},
		{"url: '${input.url}'", "", func(e *Egress) { e.Hosts = []string{"*.example"} }, "http://api.example/x", "GET http://api.example/x", ""},
		{"url: '${input.url}'", "", func(e *Egress) { e.Private = []string{"api.example"} }, "http://api.example/x", "GET http://api.example/x", ""},
		{"url: '${input.url}'", "93.184.215.14", func(e *Egress) { e.Hosts = []string{"other.example"} }, "http://api.example/x", "", spec.CodeDenied},
		{"url: '${input.url}'", "", nil, "http://10.1.2.3/x", "", spec.CodeDenied},
		{"url: '${input.url}'", "", nil, "ADDR/x", "", spec.CodeDenied},
		{"url: '${input.url}'", "", nil, "http://[::ffff:7f00:1]/x", "", spec.CodeDenied},
		{"url: '${input.url}'", "", nil, "http://93.184.215.14/x", "GET http://93.184.215.14/x", ""},
	} {
		resolver, _ := fakeDNS(t, c.leads)
		egress := p.egress(t, "")
		if c.egress != nil {
			c.egress(&egress)
		}
		section := strings.ReplaceAll(c.section, "ADDR", server.URL)
		tool := compile(t, anyInput+"executor: {http: {"+section+"}}\n", nil, func(e *Env) { e.egress.resolver, e.Policy.Egress = resolver, egress })
		r := tool.Call(t.Context(), input(t, map[string]any{"url": strings.ReplaceAll(c.input, "ADDR", server.URL)}))
		if have := p.seen(); have != c.asked || codeOf(r) != c.code || (len(server.seen()) == 1) != (c.code == "") {
			t.Errorf("%s, %s, leads to %q: the proxy was asked %q: %s %s", c.section, c.input, c.leads, have, codeOf(r), text(r))
		}
	}
}

func TestProxyTunnelsAndTakesCredentials(t *testing.T) {
	server := http2(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "through") })
	p := startProxy(t, server.Listener.Addr().String())
	resolver, _ := fakeDNS(t, "93.184.215.14")
	call := func(url string) string {
		tool := compile(t, "executor: {http: {url: '"+url+"'}}\n", nil, func(e *Env) {
			e.egress.resolver, e.Policy.Egress = resolver, p.egress(t, "me:pass-word@")
			g := e.egress.guard(e.Policy.Egress.reach())
			g.named.(*proxied).through.(*http.Transport).TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
		})
		return text(tool.Call(t.Context(), use(`{}`)))
	}
	const credentials = "Basic bWU6cGFzcy13b3Jk"
	if have := call("https://example.com/x"); have != "through" {
		t.Error(have)
	}
	if have := p.seen(); have != "CONNECT example.com:443 "+credentials {
		t.Errorf("the proxy was asked %s", have)
	}
	if have := call("https://forbidden.example/x"); have != "Error: the operator's proxy answered 403 Forbidden when asked for forbidden.example:443" {
		t.Error(have)
	}
	if have := call("http://forbidden.example/x"); have != "Error: the server answered 403 Forbidden: not that one; you are Basic secret:proxy" {
		t.Error(have)
	}
	p.Close()
	if have := call("https://example.com/x"); have != "Error: the operator's proxy cannot be reached" {
		t.Error(have)
	}
}

func TestProxyFaults(t *testing.T) {
	for text, ok := range map[string]bool{
		"http://p.example:3128": true, "https://p.example:443/": true, "http://me:pass@p.example:3128": true, "http://[::1]:3128": true,
		"": false, "p.example:3128": false, "socks5://p.example:1080": false, "http://p.example": false, "http://:3128": false,
		"http://p.example:3128/x": false, "http://p.example:3128?x": false, "http://me:pass%zz@p.example:3128": false,
		"http://p.example:99999": false, "http://p.example:0": false, "http://p.example:": false,
	} {
		if u, err := ReadProxy(text); (err == nil) != ok || err != nil && strings.Contains(err.Error(), "pass%") {
			t.Errorf("%s: have %v, %v", text, u, err)
		}
	}
	for text, want := range map[string]string{"http://p.example:3128": "http://p.example:3128", "http://me:pass@p.example:3128": "http://secret:proxy@p.example:3128"} {
		u, err := ReadProxy(text)
		if have := (Egress{Proxy: u}).ShownProxy(); have != want || err != nil {
			t.Errorf("have %s", have)
		}
	}
	_, ds, _ := readPolicy(t, "egress: {proxy: 'http://me:pass-word@p.example'}")
	if have := ds.Error(); !strings.Contains(have, "1:17: egress.proxy: want http://HOST:PORT or") || strings.Contains(have, "pass-word") {
		t.Errorf("have %s", have)
	}
}
