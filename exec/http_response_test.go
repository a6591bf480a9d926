package exec

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// answering is a server that always answers with this.
func answering(t testing.TB, status int, header map[string]string, body []byte) *recorder {
	t.Helper()
	return record(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = w.Write(body)
	})
}

func gzipped(t testing.TB, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBodyIsReadByItsContentType(t *testing.T) {
	for _, c := range []struct{ contentType, output, body, want string }{
		{"application/json", "", `{"n": 12345678901234567890}`, `map {"n":12345678901234567890}`},
		{"application/problem+json; charset=utf-8", "", `[1]`, `list [1]`},
		{"text/json", "", `null`, `nil null`},
		{"application/json", "", ``, `nil null`},
		{"application/json", "", " \n", `nil null`},
		{"", "", ``, `nil null`},
		{"text/plain", "", ``, `text ""`},
		{"text/plain", "", "a\nb\n", `text "a\nb\n"`},
		{"text/html; charset=UTF-8", "", "\xEF\xBB\xBF<p>ä", `text "<p>ä"`},
		{"text/html; charset=iso-8859-1", "", "<p>\xE4\xC3\xA4", `text "<p>äÃ¤"`},
		{"text/html", "", "<p>\xE4", `text "<p>ä"`},
		{"text/plain; charset=utf-8", "", "a\xE4", `text "a` + "\uFFFD" + `"`},
		{"text/plain; charset=shift_jis", "", "\x82\xA0", `bytes "gqA="`},
		{"text/plain; charset=shift_jis", "", "ascii", `text "ascii"`},
		{"text/csv", "", "a,b\n1,2\n", `text "a,b\n1,2\n"`},
		{"application/xml", "", "<a/>", `text "<a/>"`},
		{"application/atom+xml", "", "<a/>", `text "<a/>"`},
		{"image/svg+xml", "", "<svg/>", `text "<svg/>"`},
		{"application/yaml", "", "a: 1", `text "a: 1"`},
		{"image/png", "", "\x89PNG", `bytes "iVBORw=="`},
		{"application/pdf", "", "%PDF", `bytes "JVBERg=="`},
		{"application/octet-stream", "", "abc", `bytes "YWJj"`},
		{"application/zip", "", "PK", `bytes "UEs="`},
		{"", "", "plain", `text "plain"`},
		{"", "", "\xff\x00", `bytes "/wA="`},
		{"text/plain", "json", `{"a":1}`, `map {"a":1}`},
		{"application/json", "text", `{"a":1}` + "\n", `text "{\"a\":1}\n"`},
		{"application/json", "bytes", `{}`, `bytes "e30="`},
		{"application/x-ndjson", "jsonl", "1\n{}\n", `list [1,{}]`},
		{"text/csv", "csv", "a,b\n1,ä\n", `list [{"a":"1","b":"ä"}]`},
		{"text/csv; charset=latin1", "csv", "a\n\xE4\n", `list [{"a":"ä"}]`},
		{"text/plain", "lines", "a\r\nb\n", `list ["a","b"]`},
	} {
		header := http.Header{}
		if c.contentType != "" {
			header.Set("Content-Type", c.contentType)
		}
		value, err := decodeBody(outputFormat(c.output), header, []byte(c.body), 1<<20, nil)
		if err != nil {
			t.Errorf("%s as %s: %v", c.contentType, c.output, err)
			continue
		}
		form := "other"
		switch value.(type) {
		case nil:
			form = "nil"
		case string:
			form = "text"
		case []byte:
			form = "bytes"
		case []any:
			form = "list"
		case map[string]any:
			form = "map"
		}
		if have := form + " " + plainJSON(t, value); have != c.want {
			t.Errorf("%s as %s of %q: have %s, want %s", c.contentType, c.output, c.body, have, c.want)
		}
	}
}

func TestBodyThatIsNotWhatItSays(t *testing.T) {
	for _, c := range []struct{ contentType, output, encoding, body, want string }{
		{"application/json", "", "", "<html>", "not JSON"},
		{"text/plain", "json", "", "{} {}", "not JSON"},
		{"text/plain; charset=shift_jis", "text", "", "\x82\xA0", "shift_jis"},
		{"text/plain", "", "br", "xx", `packed with "br"`},
		{"text/plain", "", "gzip", "this is no gzip", "packed with gzip"},
		{"text/plain", "", "gzip", string(gzipped(t, []byte("abc"))[:20]), "broke"},
	} {
		server := answering(t, 200, map[string]string{"Content-Type": c.contentType, "Content-Encoding": c.encoding}, []byte(c.body))
		section := "url: ADDR"
		if c.output != "" {
			section += "\noutput: " + c.output
		}
		r := httpTool(t, server, section).Call(t.Context(), use(`{}`))
		if r.Status != spec.StatusError || !strings.Contains(text(r), c.want) {
			t.Errorf("%+v: have %s", c, text(r))
		}
	}
}

func TestPackedBodiesAreUnpacked(t *testing.T) {
	server := answering(t, 200, map[string]string{"Content-Type": "text/plain", "Content-Encoding": "gzip"}, gzipped(t, []byte("unpacked")))
	tool := httpTool(t, server, "url: ADDR")
	if r := tool.Call(t.Context(), use(`{}`)); text(r) != "unpacked" || server.only(t).header.Get("Accept-Encoding") != "gzip" {
		t.Error(text(r))
	}
	head := httpTool(t, server, "url: ADDR\nmethod: HEAD\nheaders: {Range: bytes=0-1}")
	if r := head.Call(t.Context(), use(`{}`)); r.Status != spec.StatusSuccess || server.only(t).header.Get("Accept-Encoding") != "" {
		t.Error(text(r))
	}
}

func TestTooMuchIsAnErrorAndNeverCut(t *testing.T) {
	const limit = 1000
	stored := func(size int) []byte { // gzip that does not shrink: empty members, one after the other
		return bytes.Repeat(gzipped(t, nil), size/len(gzipped(t, nil)))
	}
	for name, c := range map[string]struct {
		encoding string
		body     []byte
		fits     bool
	}{
		"exactly":    {"", bytes.Repeat([]byte("x"), limit), true},
		"one more":   {"", bytes.Repeat([]byte("x"), limit+1), false},
		"bomb":       {"gzip", gzipped(t, make([]byte, 1<<20)), false},
		"packed":     {"gzip", gzipped(t, bytes.Repeat([]byte("x"), limit)), true},
		"of nothing": {"gzip", stored(100 * limit), false},
	} {
		server := answering(t, 200, map[string]string{"Content-Type": "text/plain", "Content-Encoding": c.encoding}, c.body)
		tool := compile(t, "executor: {http: {url: '"+server.URL+"'}}\n", nil, func(e *Env) { e.Policy.Defaults.Read = limit })
		r := tool.Call(t.Context(), use(`{}`))
		switch {
		case c.fits && len(text(r)) != limit:
			t.Errorf("%s: have %d bytes: %.80s", name, len(text(r)), text(r))
		case !c.fits && (codeOf(r) != spec.CodeFailed || !strings.Contains(text(r), "larger than 1000 bytes")):
			t.Errorf("%s: have %.80s", name, text(r))
		}
	}
}

func TestHeadersAreLimited(t *testing.T) {
	server := answering(t, 200, map[string]string{"X-Long": strings.Repeat("x", 80<<10)}, nil)
	if r := httpTool(t, server, "url: ADDR").Call(t.Context(), use(`{}`)); r.Status != spec.StatusError {
		t.Error(text(r))
	}
}

func TestStatusThatIsNoSuccess(t *testing.T) {
	for _, c := range []struct {
		status int
		codes  string
		want   spec.Code
	}{
		{200, "", ""}, {204, "", ""}, {302, "", ""}, {399, "", ""}, {400, "", spec.CodeFailed}, {404, "", spec.CodeFailed}, {500, "", spec.CodeFailed},
		{429, "", spec.CodeUnavailable}, {502, "", spec.CodeUnavailable}, {503, "", spec.CodeUnavailable}, {504, "", spec.CodeUnavailable},
		{404, "[200, 404]", ""}, {201, "[200, 404]", spec.CodeFailed}, {250, "['200-299']", ""}, {302, "[200-299]", spec.CodeFailed},
	} {
		var body []byte
		if c.status != 204 {
			body = []byte(`{"reason": "because"}`)
		}
		server := answering(t, c.status, map[string]string{"Content-Type": "application/json"}, body)
		section := "url: ADDR"
		if c.codes != "" {
			section += "\nsuccessCodes: " + c.codes
		}
		r := httpTool(t, server, section).Call(t.Context(), use(`{}`))
		if codeOf(r) != c.want {
			t.Errorf("%d with %q: have %s %s", c.status, c.codes, codeOf(r), text(r))
		}
		if c.want != "" && (!strings.Contains(text(r), strconv.Itoa(c.status)) || !strings.Contains(text(r), "because") || r.Metadata.Error.Retryable != (c.want == spec.CodeUnavailable)) {
			t.Errorf("%d: have %s, %+v", c.status, text(r), r.Metadata.Error)
		}
	}
}

func TestResultSeesWhatAFailedRequestAnswered(t *testing.T) {
	server := answering(t, 404, map[string]string{"Content-Type": "application/json", "X-Two": "1"}, []byte(`{"reason": "nowhere"}`))
	tool := compile(t, anyInput+"executor: {http: {url: '"+server.URL+"'}}\nresult:\n  error: '${ response.status == 404 ? \"No city: \" + output.reason + \", \" + response.headers[\"x-two\"] : null }'\n", nil)
	if r := tool.Call(t.Context(), use(`{}`)); codeOf(r) != spec.CodeFailed || !strings.Contains(text(r), "No city: nowhere, 1") {
		t.Errorf("have %s", text(r))
	}
}

func TestShownHeaders(t *testing.T) {
	shown := shownResponse(&http.Response{StatusCode: 201, Header: http.Header{"X-A": {"1", "2"}, "Content-Type": {"text/plain"}}})
	b, err := json.Marshal(shown)
	if err != nil || string(b) != `{"headers":{"content-type":"text/plain","x-a":"1, 2"},"status":201}` {
		t.Errorf("have %s, %v", b, err)
	}
}

func TestStatusErrorShowsTheStartOfALongBody(t *testing.T) {
	body := strings.Repeat("ä", 5000)
	r := &http.Response{StatusCode: 500, Header: http.Header{"Content-Type": {"text/plain"}}}
	if m := statusError(r, []byte(body), &attempts{}, nil).Error(); len(m) > 2200 || !strings.HasSuffix(m, "ä…") || !strings.HasPrefix(m, "the server answered 500 Internal Server Error: ä") {
		t.Errorf("have %d bytes, %.60s", len(m), m)
	}
	r.Header.Set("Content-Type", "image/png")
	if m := statusError(r, []byte("\x89PNG"), &attempts{}, nil).Error(); m != "the server answered 500 Internal Server Error and 4 bytes of image/png" {
		t.Errorf("have %s", m)
	}
}

func plainJSON(t testing.TB, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}
