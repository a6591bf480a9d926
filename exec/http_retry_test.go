package exec

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// scripted answers requests one after the other, the last answer again and again: "503", "429 Retry-After: 3", refused, cut, or a
// place to go to. It notes when each came, and what its body was.
type scripted struct {
	answers []string
	start   time.Time
	came    []string
}

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		b, _ := io.ReadAll(r.Body)
		body = " " + string(b)
		_ = r.Body.Close()
	}
	s.came = append(s.came, r.Method+" "+r.URL.Path+body)
	answer := s.answers[min(len(s.came), len(s.answers))-1]
	status, header, _ := strings.Cut(answer, " ")
	response := &http.Response{Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer)), ContentLength: -1}
	name, value, _ := strings.Cut(header, ": ")
	response.Header.Set(name, value)
	switch status {
	case "refused":
		return nil, &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case "broken":
		return nil, io.ErrUnexpectedEOF
	case "cut":
		status, response.Body = "200", io.NopCloser(io.MultiReader(strings.NewReader("half"), brokenReader{}))
	}
	response.StatusCode, _ = strconv.Atoi(status)
	return response, nil
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// retried makes a tool whose requests are answered by a script, and calls it under a clock of its own.
func retried(t *testing.T, section string, answers ...string) (r spec.ToolResult, s *scripted, took time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		s = &scripted{answers: answers, start: time.Now()}
		file := anyInput + "timeout: 1m\nexecutor:\n  http:\n    url: https://api.example.com/x\n    " + strings.ReplaceAll(section, "\n", "\n    ") + "\n"
		tool := compile(t, file, nil, func(e *Env) { e.Transport = s })
		r = tool.Call(t.Context(), use(`{}`))
		took = time.Since(s.start)
	})
	return r, s, took
}

func TestWhatIsTriedAgain(t *testing.T) {
	const three = "retry: {attempts: 3}"
	for _, c := range []struct {
		section string
		answers []string
		made    int
		want    string // what the result says
	}{
		{three, []string{"503", "200"}, 2, "200"},
		{three, []string{"429", "502", "200"}, 3, "200"},
		{three, []string{"504"}, 3, "Error: the server answered 504 Gateway Timeout (attempt 3 of 3): 504"},
		{three, []string{"refused", "200"}, 2, "200"},
		{three, []string{"refused"}, 3, "Error: api.example.com refuses connections (attempt 3 of 3)"},
		{three, []string{"503", "404"}, 2, "Error: the server answered 404 Not Found (attempt 2 of 3): 404"},
		{three, []string{"500"}, 1, "Error: the server answered 500 Internal Server Error: 500"},
		{three, []string{"broken"}, 1, "Error: the connection to api.example.com broke before the answer was complete"},
		{three, []string{"cut", "200"}, 1, "Error: the connection to api.example.com broke before the answer was complete"},
		{"method: HEAD\n" + three, []string{"503", "200"}, 2, "200"},
		{"method: PUT\nbody: {text: b}\n" + three, []string{"503", "200"}, 2, "200"},
		{"method: DELETE\n" + three, []string{"503", "200"}, 2, "200"},
		{"body: {text: b}\n" + three, []string{"503", "200"}, 1, "Error: the server answered 503 Service Unavailable: 503"},
		{"method: PATCH\nbody: {text: b}\n" + three, []string{"429", "200"}, 1, "Error: the server answered 429 Too Many Requests: 429"},
		{"body: {text: b}\n" + three, []string{"refused", "200"}, 2, "200"},
		{"method: PATCH\nbody: {text: b}\n" + three, []string{"refused", "refused", "503"}, 3, "Error: the server answered 503 Service Unavailable (attempt 3 of 3): 503"},
		{three + "\nsuccessCodes: [200-599]", []string{"503", "200"}, 1, "503"},
		{"redirects: 0", []string{"503"}, 1, "Error: the server answered 503 Service Unavailable: 503"},
		{"redirects: 0", []string{"refused"}, 1, "Error: api.example.com refuses connections"},
		{"redirects: 3\n" + three, []string{"503", "302 Location: /y", "503", "200"}, 4, "200"},
		{"redirects: 3\n" + three, []string{"503", "302 Location: /y", "503", "503"}, 4, "Error: the server answered 503 Service Unavailable (attempt 3 of 3): 503"},
		{"redirects: 3\nbody: {text: b}\n" + three, []string{"303 Location: /y", "503", "200"}, 3, "200"},
	} {
		r, s, _ := retried(t, c.section, c.answers...)
		if have := text(r); have != c.want || len(s.came) != c.made {
			t.Errorf("%s, answered %v: have %q after %v", c.section, c.answers, have, s.came)
		}
		for _, came := range s.came {
			if strings.Contains(c.section, "body") && !strings.HasSuffix(came, " b") && !strings.HasPrefix(came, "GET /y") {
				t.Errorf("%s: the body was not sent again: %v", c.section, s.came)
			}
		}
		redirects := strings.Count(strings.Join(c.answers, " "), "Location")
		if r.Metadata.Retries != c.made-1-redirects {
			t.Errorf("%s: have %d retries", c.section, r.Metadata.Retries)
		}
	}
}

func TestHowLongIsWaited(t *testing.T) {
	hour := time.Date(2000, 1, 1, 1, 0, 0, 0, time.UTC).Format(http.TimeFormat) // synctest's clock starts at midnight
	for _, c := range []struct {
		answers     []string
		least, most time.Duration
		want        string
	}{
		{[]string{"503", "200"}, 125 * time.Millisecond, 250 * time.Millisecond, "200"},
		{[]string{"503", "503", "503", "503", "200"}, (125 + 250 + 500 + 1000) * time.Millisecond, (250 + 500 + 1000 + 2000) * time.Millisecond, "200"},
		{[]string{"503 Retry-After: 7", "200"}, 7 * time.Second, 7 * time.Second, "200"},
		{[]string{"429 Retry-After: 0", "200"}, 0, 0, "200"},
		{[]string{"429 Retry-After: " + time.Date(2000, 1, 1, 0, 0, 9, 0, time.UTC).Format(http.TimeFormat), "200"}, 9 * time.Second, 9 * time.Second, "200"},
		{[]string{"429 Retry-After: Fri, 31 Dec 1999 00:00:00 GMT", "200"}, 0, 0, "200"},
		{[]string{"429 Retry-After: soon", "200"}, 125 * time.Millisecond, 250 * time.Millisecond, "200"},
		{[]string{"429 Retry-After: -5", "200"}, 125 * time.Millisecond, 250 * time.Millisecond, "200"},
		{[]string{"429 Retry-After: 2147483648", "200"}, 0, 0, "Error: the server answered 429 Too Many Requests (attempt 1 of 5; it says to try again in 596523h14m7s, after this call's deadline): 429 Retry-After: 2147483648"},
		{[]string{"429 Retry-After: 99999999999999999999", "200"}, 0, 0, "Error: the server answered 429 Too Many Requests (attempt 1 of 5; it says to try again in 596523h14m7s, after this call's deadline): 429 Retry-After: 99999999999999999999"},
		{[]string{"429 Retry-After: 60", "200"}, 0, 0, "Error: the server answered 429 Too Many Requests (attempt 1 of 5; it says to try again in 1m0s, after this call's deadline): 429 Retry-After: 60"},
		{[]string{"429 Retry-After: 50", "503 Retry-After: 50"}, 50 * time.Second, 50 * time.Second, "Error: the server answered 503 Service Unavailable (attempt 2 of 5; it says to try again in 50s, after this call's deadline): 503 Retry-After: 50"},
		{[]string{"429 Retry-After: " + hour, "200"}, 0, 0, "Error: the server answered 429 Too Many Requests (attempt 1 of 5; it says to try again in 1h0m0s, after this call's deadline): 429 Retry-After: " + hour},
	} {
		r, s, took := retried(t, "retry: {attempts: 5}", c.answers...)
		if text(r) != c.want || took < c.least || took > c.most || r.Status == spec.StatusError && !r.Metadata.Error.Retryable {
			t.Errorf("%v: have %q after %s, %v", c.answers, text(r), took, s.came)
		}
	}
	if r, _, _ := retried(t, "redirects: 0", "429 Retry-After: 5"); !strings.Contains(text(r), "429 Too Many Requests (it says to try again in 5s)") {
		t.Errorf("who does not try again says when to: have %s", text(r))
	}
}

func TestRetryAfterByTheServersClock(t *testing.T) {
	response := &http.Response{StatusCode: 503, Header: http.Header{
		"Date": {"Sat, 01 Jan 2000 12:00:00 GMT"}, "Retry-After": {"Sat, 01 Jan 2000 12:00:30 GMT"},
	}}
	if wait, named := retryAfter(response, time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)); wait != 30*time.Second || !named {
		t.Errorf("have %s", wait)
	}
}

func TestWaitingForAnotherAttemptEndsWithTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answers: []string{"503 Retry-After: 30"}}
		tool := compile(t, "timeout: 1m\nexecutor: {http: {url: 'https://api.example.com/', retry: {attempts: 3}}}\n", nil, func(e *Env) { e.Transport = s })
		ctx, cancel := context.WithCancel(t.Context())
		came := make(chan spec.ToolResult, 1)
		go func() { came <- tool.Call(ctx, use(`{}`)) }()
		synctest.Wait()
		cancel()
		if r := <-came; codeOf(r) != spec.CodeCanceled || len(s.came) != 1 {
			t.Errorf("have %s", text(r))
		}
	})
}

// TestAFileIsSentAgain opens the body anew for each attempt, over real connections, of which one is used.
func TestAFileIsSentAgain(t *testing.T) {
	times := 0
	server := record(t, func(w http.ResponseWriter, _ *http.Request) {
		if times++; times < 3 {
			w.Header().Set("Retry-After", "0")
			http.Error(w, "busy", http.StatusServiceUnavailable)
		}
	})
	path := filepath.Join(t.TempDir(), "big")
	content := strings.Repeat("x", 300_000)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	r := httpTool(t, server, "url: ADDR\nmethod: PUT\nbody: {file: '"+path+"'}\nretry: {attempts: 3}").Call(t.Context(), use(`{}`))
	seen := server.seen()
	if r.Status != spec.StatusSuccess || len(seen) != 3 || r.Metadata.Retries != 2 {
		t.Fatalf("have %s after %d", text(r), len(seen))
	}
	for _, q := range seen {
		if q.body != content || q.from != seen[0].from {
			t.Errorf("have %d bytes from %s", len(q.body), q.from)
		}
	}
}

// TestEachAttemptIsLookedAt: a name that turns private between two attempts is refused.
func TestEachAttemptIsLookedAt(t *testing.T) {
	resolver, asked := fakeDNS(t, "127.0.0.1", "169.254.169.254")
	gone := record(t, nil)
	_, port, _ := net.SplitHostPort(gone.Listener.Addr().String())
	gone.Close()
	tool := compile(t, "executor: {http: {url: 'http://intern.example:"+port+"/', retry: {attempts: 3}}}\n", nil, func(e *Env) { e.egress.resolver = resolver })
	r := tool.Call(t.Context(), use(`{}`))
	if codeOf(r) != spec.CodeDenied || asked.Load() != 2 || r.Metadata.Retries != 1 {
		t.Errorf("have %s after %d lookups", text(r), asked.Load())
	}
}

func TestRetriesOfStepsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{answers: []string{"503", "200", "503", "200"}}
		step := "{url: 'https://api.example.com/', retry: {attempts: 2}}"
		h := newHall(t, Bounds{}, "other: executor: {expr: '1'}")
		h.env = &Env{Transport: s}
		h.load("inner: executor: {http: " + step + "}")
		h.load("outer: executor: {pipeline: [{id: a, http: " + step + "}, {id: b, tool: inner}]}")
		if r := <-h.call(t.Context(), "outer", "1"); r.Status != spec.StatusSuccess || r.Metadata.Retries != 2 {
			t.Errorf("have %s, %d", text(r), r.Metadata.Retries)
		}
	})
}

func TestRetryFaults(t *testing.T) {
	for section, want := range map[string]string{
		"{attempts: 1}":                          "want 2 to 5 attempts, the first one counted, have 1",
		"{attempts: 6}":                          "want 2 to 5 attempts, the first one counted, have 6",
		"{attempts: many}":                       "executor.http.retry.attempts: want a whole number",
		"{}":                                     "executor.http.retry: attempts is missing",
		"3":                                      "write retry: {attempts: 3}",
		"{max: 3, attempts: 3}":                  "unknown key executor.http.retry.max: write attempts",
		"{attempts: 3}, successCodes: [100-599]": "executor.http.retry: only a refused connection is tried again",
		"{backoff: 1, attempts: 3}":              "the wait is what Retry-After says",
	} {
		s, _ := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\nexecutor: {http: {url: 'https://a.example/', retry: "+section+"}}\n"))
		if _, ds := StandardKinds().Compile(&Env{}, s); !strings.Contains(ds.Error(), want) {
			t.Errorf("%s: have %s\nwant %s", section, ds.Error(), want)
		}
	}
}
