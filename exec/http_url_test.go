package exec

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// section reads one text of a tool file as the section that stands under a key.
func section(t testing.TB, key, value string) spec.Section {
	t.Helper()
	quoted, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	doc, ds := spec.ReadDocument("t.json", []byte(`{"`+key+`": `+string(quoted)+`}`))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return doc.Get(key)
}

// testEnv lets files read the variables of inputVars.
func testEnv() *Env {
	env := (&Env{}).complete()
	env.Policy.EnvNames = append(env.Policy.EnvNames, "BASE", "HOST")
	return env
}

func urlOf(t testing.TB, text string) *urlTemplate {
	t.Helper()
	u, ds := compileURL(&Site{Env: testEnv(), needs: &needs{}}, section(t, "url", text))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return u
}

func inputVars(input map[string]any) *Vars {
	return (*Vars)(nil).With("input", input).With("env", map[string]any{"BASE": "http://base.example/api/", "HOST": "h.example"})
}

// hostile are values that climbed out of their place somewhere.
var hostile = []string{
	"../../admin/config", "..", ".", "", "%2e%2e%2fadmin", "%2e%2e", "%2E%2E", "%252e%252e", ".%2e", "%2e.", "a/b", "a?x=1", "a#frag", "a b", "ä", "a;v=1",
	"//evil.example/x", "/etc/passwd", "a\r\nX: y", "\r\n\r\nGET / HTTP/1.1", "\\..\\x", "..\\..\\x", "..;/", "..;", "./", "../", "/..", "/.", "/", "//", "\\", "\\\\evil.example", "...", "....//",
	"a&b=c", "a=b", "&", "=", "?", "#", "?#", "%", "%%", "%0", "%00", "%0d%0a", "%2f", "%2F", "%5c", "%c0%af", "%c0%ae%c0%ae/", "%u002e", "\x00", "a\x00b", "\t", "\n", "\x7f", "\u0085", "\u2028", "\ufeff",
	"\uff0e\uff0e\uff0f", "\u2024\u2024", "\u2215", "\u29f8", "\uff0f", "\u3002", "\u202e", "\U0001f600", "e\u0301", "+", "a+b", "a,b", "a:b", "http://evil.example/", "https:evil", "javascript:alert(1)",
	"@evil.example", "user:pw@evil.example", ":80", ":80/", "[::1]", "{x}", "${input.other}", "$${x}", "${env.HOME}", "{{7*7}}", "<script>", "\"", "'", "`", "|", "^", "~", "~root", "*", "$(id)", "`id`", "a;id",
	"..%2f..%2f", "..%5c", "%2e%2e/", "..%00/", "a/../b", "a/./b", "a//b", " ..", ".. ", "..\t", " ", "-", "--x", "_", "0", "-1", "1e309", "null", "true", "nil", "undefined", "NaN",
	strings.Repeat("../", 50), strings.Repeat("a", 10_000), "\xff\xfe", "\xc3", "\xed\xa0\x80", "index.php/..", "a%20b", "a%2520b", ".git", "..git", "…", ".\u200b.", ".\u00ad.", "\u202e..", "CON", "a|b", "a>b",
}

func TestHostileValueStaysInItsSegment(t *testing.T) {
	u := urlOf(t, "https://api.example/items/${input.id}/end?q=${input.id}&z=1")
	for _, value := range hostile {
		built, err := u.build(t.Context(), inputVars(map[string]any{"id": value}))
		if value == "" || value == "." || value == ".." {
			var e *spec.Error
			if !errors.As(err, &e) || e.Code != spec.CodeInvalidInput || !strings.HasPrefix(e.Message, "Field `id`") {
				t.Errorf("%q: want it refused by name, have %v", value, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", value, err)
			continue
		}
		if fault := strayed(built, value); fault != "" {
			t.Errorf("%q: %s: %s", value, fault, built)
		}
	}
	if len(hostile) < 100 {
		t.Errorf("only %d values", len(hostile))
	}
}

// strayed tells where a value that belongs into one segment and one query value went instead.
func strayed(built *url.URL, value string) string {
	path, query, _ := strings.Cut(built.RequestURI(), "?")
	segments := strings.Split(path, "/")
	pairs := strings.Split(query, "&")
	switch {
	case built.Scheme != "https" || built.Host != "api.example" || built.User != nil || built.Fragment != "":
		return "it changed the origin"
	case len(segments) != 4 || segments[1] != "items" || segments[3] != "end":
		return "it changed the segments"
	case len(pairs) != 2 || pairs[1] != "z=1":
		return "it changed the pairs"
	case strings.ContainsFunc(built.String(), func(c rune) bool { return c <= ' ' || c >= 0x7F }):
		return "it is not encoded"
	}
	for _, encoded := range []string{segments[2], strings.TrimPrefix(pairs[0], "q=")} {
		if once, err := url.PathUnescape(encoded); err != nil || once != value {
			return "it does not arrive as it was"
		}
	}
	return ""
}

func FuzzURLValue(f *testing.F) {
	for _, value := range hostile {
		f.Add(value)
	}
	u := urlOf(f, "https://api.example/items/${input.id}/end?q=${input.id}&z=1")
	whole := urlOf(f, "${input.url}")
	f.Fuzz(func(t *testing.T, value string) {
		built, err := u.build(t.Context(), inputVars(map[string]any{"id": value}))
		if err == nil {
			if fault := strayed(built, value); fault != "" {
				t.Errorf("%q: %s: %s", value, fault, built)
			}
		} else if value != "" && value != "." && value != ".." {
			t.Errorf("%q: %v", value, err)
		}
		if built, err := whole.build(t.Context(), inputVars(map[string]any{"url": value})); err == nil {
			if built.User != nil || built.Hostname() == "" || built.Scheme != "http" && built.Scheme != "https" || strings.ContainsFunc(built.RequestURI(), isControl) {
				t.Errorf("%q: %s", value, built)
			}
		}
	})
}

func FuzzURLTemplate(f *testing.F) {
	for _, text := range []string{"https://a.example/x/${input.id}?q=${input.id}#f", "${input.url}", "${env.BASE}/v1/${input.id}", "http://${env.HOST}:80/$${x}%", "http://[::1%25eth0]/", "//x"} {
		f.Add(text, "v")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		doc := spec.Text{Value: text, Pos: spec.Pos{File: "t.yaml", Line: 1, Column: 1}}
		if strings.ToValidUTF8(text, "") != text || len(text) > 1000 {
			t.Skip()
		}
		sec := section(t, "url", doc.Value)
		u, ds := compileURL(&Site{Env: testEnv(), needs: &needs{}}, sec)
		if ds.HasErrors() {
			return
		}
		_, _ = u.build(t.Context(), inputVars(map[string]any{"id": value, "url": value}))
	})
}

func TestURLIsCheckedWhenTheFileIsRead(t *testing.T) {
	for _, c := range []struct {
		text   string
		column int // of the fault, counted from the first character of the text
		want   string
	}{
		{"", 1, "have nothing"},
		{"api.example.com/x", 1, "starts with https:// or http://"},
		{"/x", 1, "starts with https:// or http://"},
		{"ftp://a.example/x", 1, "starts with https:// or http://"},
		{"https:///x", 1, "with a host"},
		{"https://user:pw@a.example/x", 1, "without a user name"},
		{"https://a.example/x#top", 20, "never sent"},
		{"https://a.example/x#${input.a}", 20, "never sent"},
		{"https://${input.host}/x", 9, "only env may"},
		{"https://api.${input.region}.example/x", 13, "only env may"},
		{"https://a.example:${input.port}/x", 19, "only env may"},
		{"${input.scheme}://a.example/x", 1, "only env may"},
		{"${input.base}/x", 1, "the whole url is one template"},
		{"${env.HOME}${input.x}/y", 12, "only env may"},
		{"https://${input.user}@a.example/", 9, "only env may"},
		{"https://a.example/100%/x", 22, "write %25"},
		{"https://a.example/$${a}/100%/x", 28, "write %25"},
		{"https://a.example/${input.a}%2", 29, "write %25"},
		{"https://a exa/", 1, "invalid character"},
		{"https://a.example/a\nb", 20, "line breaks"},
		{"http://169.254.169.254/x", 1, "metadata"},
		{"http://metadata.google.internal/x", 1, "metadata"},
		{"http://127.1/x", 1, "four decimal numbers"},
		{"http://0x7f000001/x", 1, "four decimal numbers"},
	} {
		_, ds := compileURL(&Site{Env: testEnv(), needs: &needs{}}, section(t, "url", c.text))
		if len(ds) != 1 || !strings.Contains(ds[0].Message, c.want) || !strings.HasPrefix(ds[0].Message, "url: ") {
			t.Errorf("%q: want %q, have %v", c.text, c.want, ds)
			continue
		}
		// {"url": "…: the text starts at column 10
		if have := ds[0].Pos.Column - 9; have != c.column && !strings.ContainsAny(c.text, "\n") {
			t.Errorf("%q: want column %d, have %d", c.text, c.column, have)
		}
	}
}

func TestURLOrigins(t *testing.T) {
	for _, c := range []struct {
		text, want string
		foreign    bool
	}{
		{"https://a.example/x", "https://a.example/x", false},
		{"${env.BASE}/v1/${input.id}", "http://base.example/api/v1/7", false},
		{"${env.BASE}", "http://base.example/api/", false},
		{"https://${env.HOST}:8443/x?a=b", "https://h.example:8443/x?a=b", false},
		{"${input.url}", "https://other.example/p?q=%20#", true},
		{`${ "https://a.example/" + input.id }`, "https://a.example/7", true},
		{`${ "https://a.example/" + "x" }`, "https://a.example/x", false},
		{"https://a.example?x=${input.id}", "https://a.example?x=7", false},
		{"https://a.example/go?to=http://b.example/${input.id}", "https://a.example/go?to=http://b.example/7", false},
	} {
		u := urlOf(t, c.text)
		built, err := u.build(t.Context(), inputVars(map[string]any{"id": "7", "url": "https://other.example/p?q= #frag"}))
		if err != nil || built.String() != strings.TrimSuffix(c.want, "#") || u.foreign != c.foreign {
			t.Errorf("%s: have %v, %v, foreign %v", c.text, built, err, u.foreign)
		}
	}
}

func TestURLFromTheInputIsRefused(t *testing.T) {
	u := urlOf(t, "${input.url}")
	for _, value := range []any{
		nil, 7, []any{"https://a.example"}, "", "a.example", "//a.example/x", "/x", "file:///etc/hostname", "gopher://a.example/", "ftp://a.example", "http:", "http:a.example",
		"http://", "http:///x", "http://user@a.example/", "http://u:p@a.example/", "http://a.example:x/", "http://a.example\r\nX: y/", "http://a.example/\x00", " http://a.example", "http://a b/", "http://[::1/", "javascript:alert(1)", "data:text/plain,x", "HTTP//x",
	} {
		_, err := u.build(t.Context(), inputVars(map[string]any{"url": value}))
		var e *spec.Error
		if !errors.As(err, &e) || e.Code != spec.CodeInvalidInput || !strings.HasPrefix(e.Message, "Field `url`: ") {
			t.Errorf("%v: have %v", value, err)
		}
	}
}

func TestNullAndEmptyListsInAPathAreRefused(t *testing.T) {
	u := urlOf(t, "https://a.example/${input.a}/${input.b}x")
	for _, in := range []map[string]any{
		{"a": nil, "b": "1"}, {"a": "1", "b": nil}, {"a": []any{}, "b": "1"}, {"a": []any{"x", nil}, "b": "1"}, {"a": []any{"x", ".."}, "b": "1"}, {"a": []any{""}, "b": "1"}, {},
	} {
		if built, err := u.build(t.Context(), inputVars(in)); err == nil {
			t.Errorf("%v: have %s", in, built)
		}
	}
	if built, err := u.build(t.Context(), inputVars(map[string]any{"a": []any{"x/", json.Number("1")}, "b": ".."})); err != nil || built.Path != "/x//1/..x" || built.EscapedPath() != "/x%2F/1/..x" {
		t.Errorf("have %v, %v", built, err)
	}
}
