package exec

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// elsewhere takes every request, whatever its host, to one server.
type elsewhere struct{ server *recorder }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	there := r.Clone(r.Context())
	there.URL.Scheme, there.URL.Host = "http", e.server.Listener.Addr().String()
	there.Header.Set("X-Asked", r.URL.Scheme+"://"+r.URL.Host)
	return http.DefaultTransport.RoundTrip(there)
}

// redirect answers with the status and place that the path names: /307/https:|a.example|x; and with its own path
// where it names none.
func redirect(w http.ResponseWriter, r *http.Request) {
	code, to, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	status, err := strconv.Atoi(code)
	if err != nil {
		_, _ = w.Write([]byte("at " + r.URL.Path))
		return
	}
	if to != "" {
		w.Header().Set("Location", strings.ReplaceAll(to, "|", "/"))
	}
	w.WriteHeader(status)
}

func TestRedirectsAreOffUnlessAskedFor(t *testing.T) {
	server := record(t, redirect)
	tool := compile(t, anyInput+"executor: {http: {url: '"+server.URL+"/302/|end'}}\nresult: {content: [{text: '${response.status} ${response.headers.location}'}]}\n", nil)
	if r := tool.Call(t.Context(), use(`{}`)); text(r) != "302 /end" || len(server.seen()) != 1 {
		t.Error(text(r))
	}
}

func TestRedirectsChangeTheMethodAsTheStandardSays(t *testing.T) {
	server := record(t, redirect)
	for _, c := range []struct{ method, body, path, want string }{
		{"GET", "", "301/|end", "GET "}, {"GET", "", "303/|end", "GET "}, {"GET", "", "307/|end", "GET "}, {"HEAD", "", "303/|end", "HEAD "},
		{"POST", "{text: x}", "301/|end", "GET "}, {"POST", "{text: x}", "302/..|end", "GET "}, {"POST", "{text: x}", "303/|end", "GET "},
		{"POST", "{text: x}", "307/|end", "POST x"}, {"POST", "{text: x}", "308/ADDR|end", "POST x"}, {"PUT", "{text: x}", "302/|end", "PUT x"}, {"PUT", "{text: x}", "303/|end", "GET "}, {"DELETE", "", "301/|end", "DELETE "},
	} {
		path := strings.ReplaceAll(c.path, "ADDR", strings.ReplaceAll(server.URL, "/", "%7C"))
		section := "url: 'ADDR/" + path + "'\nmethod: " + c.method + "\nredirects: 2\nheaders: {X-Token: t}"
		if c.body != "" {
			section += "\nbody: " + c.body
		}
		r := httpTool(t, server, section).Call(t.Context(), use(`{}`))
		seen := server.seen()
		if r.Status != spec.StatusSuccess || len(seen) != 2 {
			t.Errorf("%v: have %s, %v", c, text(r), seen)
			continue
		}
		last := seen[1]
		if have := last.method + " " + last.body; have != c.want || last.header.Get("X-Token") != "t" || last.body == "" && last.header.Get("Content-Type") != "" {
			t.Errorf("%v: have %s with %v", c, have, last.header)
		}
	}
}

func TestRedirectsThatAreNotFollowed(t *testing.T) {
	server, other := record(t, redirect), record(t, nil)
	for path, want := range map[string]spec.Code{
		"302/" + strings.ReplaceAll(other.URL, "/", "|") + "|x":                                         spec.CodeDenied, // another port of this machine
		"302/" + strings.ReplaceAll(strings.Replace(server.URL, "127.0.0.1", "localhost", 1), "/", "|"): spec.CodeDenied,
		"302/http:||169.254.169.254|latest":                                                             spec.CodeDenied,
		"302/||10.0.0.1|x":                                                                              spec.CodeDenied,
		"302/http:||0x7f000001|":                                                                        spec.CodeDenied,
		"302/file:|||etc|passwd":                                                                        spec.CodeDenied,
		"302/http:||u:p@example.com|":                                                                   spec.CodeDenied,
		"302/http:||[":                                                                                  spec.CodeDenied,
	} {
		r := httpTool(t, server, "url: 'ADDR/"+strings.ReplaceAll(path, "|", "%7C")+"'\nredirects: 4").Call(t.Context(), use(`{}`))
		if codeOf(r) != want || len(server.seen()) != 1 || len(other.seen()) != 0 {
			t.Errorf("%s: have %s %s", path, codeOf(r), text(r))
		}
	}
}

func TestRedirectsEnd(t *testing.T) {
	server := record(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) })
	r := httpTool(t, server, "url: ADDR\nredirects: 4").Call(t.Context(), use(`{}`))
	if n := len(server.seen()); codeOf(r) != spec.CodeFailed || n != 5 || !strings.Contains(text(r), "after 4 redirects") {
		t.Errorf("have %s after %d requests", text(r), n)
	}
}

// TestWhatTheAuthorWroteStaysWithTheAuthorsHost follows redirects over hosts that do not exist.
func TestWhatTheAuthorWroteStaysWithTheAuthorsHost(t *testing.T) {
	server := record(t, redirect)
	headers := "    headers: {Authorization: Bearer t, Cookie: c=1, X-Api-Key: k, Accept: text/plain, User-Agent: me}\n"
	for _, c := range []struct {
		url, method string
		want        []string // of each request: where, and the headers that came along
	}{
		{"https://a.example/302/|end", "GET", []string{"https://a.example +", "https://a.example +"}},
		{"https://a.example/302/https:||A.example:443|end", "GET", []string{"https://a.example +", "https://A.example:443 +"}},
		{"http://a.example/302/https:||a.example|end", "GET", []string{"http://a.example +", "https://a.example +"}},
		{"https://a.example/302/http:||a.example|end", "GET", []string{"https://a.example +", "http://a.example -"}},
		{"https://a.example/302/https:||a.example:8443|end", "GET", []string{"https://a.example +", "https://a.example:8443 -"}},
		{"https://a.example/302/https:||sub.a.example|end", "GET", []string{"https://a.example +", "https://sub.a.example -"}},
		{"https://a.example/302/https:||b.example|end", "GET", []string{"https://a.example +", "https://b.example -"}},
		{"https://a.example/302/https:||b.example|302|https:%7C%7Ca.example%7Cend", "GET", []string{"https://a.example +", "https://b.example -", "https://a.example -"}},
		{"https://a.example/303/https:||b.example|end", "POST", []string{"https://a.example +", "https://b.example -"}},
		{"https://a.example/307/https:||b.example|end", "POST", []string{"https://a.example +"}},
		{"https://a.example/308/https:||b.example|end", "POST", []string{"https://a.example +"}},
	} {
		file := "executor:\n  http:\n    url: '" + strings.ReplaceAll(c.url, "|", "%7C") + "'\n    redirects: 5\n" + headers
		if c.method == "POST" {
			file += "    body: {json: {secret: s}}\n"
		}
		r := compile(t, file, nil, func(e *Env) { e.Transport = elsewhere{server} }).Call(t.Context(), use(`{}`))
		var have []string
		for _, q := range server.seen() {
			along := "?"
			switch h := q.header; {
			case h.Get("Authorization") == "Bearer t" && h.Get("Cookie") == "c=1" && h.Get("X-Api-Key") == "k":
				along = "+"
			case h.Get("Authorization")+h.Get("Cookie")+h.Get("X-Api-Key")+q.body == "" && h.Get("Accept") == "text/plain" && h.Get("User-Agent") == "me":
				along = "-"
			}
			have = append(have, q.header.Get("X-Asked")+" "+along)
		}
		if strings.Join(have, ", ") != strings.Join(c.want, ", ") {
			t.Errorf("%s: have %q, want %q: %s", c.url, have, c.want, text(r))
		}
		if c.url[18:21] >= "307" && codeOf(r) != spec.CodeDenied {
			t.Errorf("%s: have %s %s", c.url, codeOf(r), text(r))
		}
	}
}

func TestFaultsOfTheNetworkAreSaid(t *testing.T) {
	gone := record(t, nil)
	gone.Close()
	cut := record(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("half"))
	})
	for _, c := range []struct {
		server *recorder
		code   spec.Code
		want   string
	}{
		{gone, spec.CodeUnavailable, "refuses connections"},
		{cut, spec.CodeUnavailable, "broke before the answer was complete"},
	} {
		r := httpTool(t, c.server, "url: ADDR/x?token=t").Call(t.Context(), use(`{}`))
		if codeOf(r) != c.code || !r.Metadata.Error.Retryable || !strings.Contains(text(r), c.want) || strings.Contains(text(r), "token") {
			t.Errorf("have %s %s", codeOf(r), text(r))
		}
	}
}

func TestDeadlineAndCancellationHoldForTheWholeCall(t *testing.T) {
	release := make(chan struct{})
	reached := make(chan struct{}, 4)
	server := record(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			_, _ = w.Write([]byte("start"))
			w.(http.Flusher).Flush()
		}
		reached <- struct{}{}
		<-release
	})
	defer close(release)
	for _, path := range []string{"head", "body"} {
		tool := httpTool(t, server, "url: ADDR/"+path)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-reached; cancel() }()
		if r := tool.Call(ctx, use(`{}`)); codeOf(r) != spec.CodeCanceled {
			t.Errorf("%s: have %s %s", path, codeOf(r), text(r))
		}
		late := compile(t, "timeout: 20ms\nexecutor: {http: {url: '"+server.URL+"/"+path+"'}}\n", nil)
		if r := late.Call(t.Context(), use(`{}`)); codeOf(r) != spec.CodeTimeout {
			t.Errorf("%s: have %s %s", path, codeOf(r), text(r))
		}
		<-reached
	}
}

func TestForeignHostStaysForeign(t *testing.T) {
	at, err := url.Parse("https://b.example/a")
	if err != nil {
		t.Fatal(err)
	}
	out := &outgoing{method: http.MethodGet, url: at, header: http.Header{}, foreign: true}
	for _, location := range []string{"/x", "https://b.example/x", "https://a.example/"} {
		if next, err := out.redirected(http.StatusFound, location); err != nil || !next.foreign {
			t.Errorf("%s: have %+v, %v", location, next, err)
		}
	}
}
