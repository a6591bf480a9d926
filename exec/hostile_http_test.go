package exec_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// requestPlace is a place of a request.
type requestPlace struct {
	name    string
	section string                        // of the kind http; $SERVER is the address of the recorder
	text    bool                          // only for texts
	refuses func(v hostileValue) bool     // nil: nothing
	want    func(v hostileValue) []string // nil: the value
	found   func(t *testing.T, r rawRequest) []string
}

func (p requestPlace) wants(v hostileValue) []string {
	if p.want == nil {
		return []string{v.text}
	}
	return p.want(v)
}

// holds tells of a value with one of these characters.
func holds(characters string) func(hostileValue) bool {
	return func(v hostileValue) bool { return strings.ContainsAny(v.text, characters) }
}

// noSegment are the values that are no segment of a path.
func noSegment(v hostileValue) bool { return slices.Contains([]string{"", ".", ".."}, v.text) }

// noHeader are the values that no header can hold as they are.
func noHeader(v hostileValue) bool {
	return controlled(v.text) || strings.Trim(v.text, " \t") != v.text
}

func controlled(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F })
}

// pathPlaces are those of a url before its query.
func pathPlaces() []requestPlace {
	segments := func(from, to int) func(*testing.T, rawRequest) []string {
		return func(t *testing.T, r rawRequest) []string {
			path, _, _ := strings.Cut(r.target, "?")
			var all []string
			for _, s := range strings.Split(path, "/")[from:] {
				all = append(all, unescaped(t, s))
			}
			if to > 0 && len(all) != to {
				t.Errorf("%q has %d segments, want %d", path, len(all), to)
			}
			return all
		}
	}
	return []requestPlace{
		{name: "path", section: "url: '$SERVER/items/${input.x}'", refuses: noSegment, found: segments(2, 1)},
		{name: "path, within a segment", section: "url: '$SERVER/items/v-${input.x}.json'", want: one("v-%s.json"), found: segments(2, 1)},
		{name: "path, in the middle", section: "url: '$SERVER/items/${input.x}/notes?a=1'", refuses: noSegment, want: func(v hostileValue) []string { return []string{v.text, "notes"} }, found: segments(2, 2)},
		{name: "path, list", section: "url: '$SERVER/items/${input.l}'", refuses: noSegment, want: hostileValue.list, found: segments(2, 2)},
		{name: "path, map", section: "url: '$SERVER/items/${input.m}'", want: func(v hostileValue) []string { return []string{asJSON(v.fields())} }, found: segments(2, 1)},
	}
}

// unescaped is a text of a url as servers read it; what may not stand in one is a fault.
func unescaped(t *testing.T, text string) string {
	if strings.ContainsFunc(text, func(r rune) bool {
		return !strings.ContainsRune("-._~%", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		t.Errorf("not encoded: %q", text)
	}
	plain, err := url.PathUnescape(text)
	if err != nil {
		t.Error(err)
	}
	return plain
}

// queryPlaces are those of a url's query.
func queryPlaces() []requestPlace {
	values := func(t *testing.T, r rawRequest) []string {
		_, query, _ := strings.Cut(r.target, "?")
		var all []string
		for _, pair := range strings.Split(query, "&") {
			name, value, ok := strings.Cut(pair, "=")
			if !ok || unescaped(t, name) != "q" {
				t.Errorf("a pair %q in %q", pair, query)
			}
			all = append(all, unescaped(t, value))
		}
		return all
	}
	asMap := func(v hostileValue) []string { return []string{asJSON(v.fields())} }
	return []requestPlace{
		{name: "query of the url", section: "url: '$SERVER/s?q=${input.x}'", found: values},
		{name: "query of the url, list", section: "url: '$SERVER/s?q=a${input.l}b'", want: func(v hostileValue) []string { return []string{"a" + v.first() + "b", "a" + v.text + "b"} }, found: values},
		{name: "query", section: "url: $SERVER/s\n    query: {q: '${input.x}'}", found: values},
		{name: "query, within text", section: "url: $SERVER/s\n    query: {q: 'a${input.x}b'}", want: one("a%sb"), found: values},
		{name: "query, list", section: "url: $SERVER/s?q=0\n    query: {q: '${input.l}'}", want: func(v hostileValue) []string { return append([]string{"0"}, v.list()...) }, found: values},
		{name: "query, keys of a map", section: "url: $SERVER/s\n    query: {q: '${keys(input.m)}'}", want: hostileValue.keys, found: values},
		{name: "query, map", section: "url: $SERVER/s\n    query: {q: '${input.m}'}", want: asMap, found: values},
		{name: "auth, apiKey of the query", section: "url: $SERVER/s\n    auth: {apiKey: {in: query, name: q, value: '${input.x}'}}", found: values},
	}
}

// headerPlaces are those of headers.
func headerPlaces() []requestPlace {
	header := func(name string) func(*testing.T, rawRequest) []string {
		return func(_ *testing.T, r rawRequest) []string { return r.header(name) }
	}
	basic := func(t *testing.T, r rawRequest) []string {
		encoded, ok := strings.CutPrefix(strings.Join(r.header("Authorization"), "|"), "Basic ")
		plain, err := base64.StdEncoding.DecodeString(encoded)
		user, password, colon := strings.Cut(string(plain), ":")
		if !ok || err != nil || !colon {
			t.Errorf("no credentials: %q", encoded)
		}
		return []string{user, password}
	}
	within := func(v hostileValue) bool { return controlled(v.text) }
	return []requestPlace{
		{name: "header", section: "url: $SERVER/h\n    headers: {X-Q: '${input.x}'}", refuses: noHeader, found: header("X-Q")},
		{name: "header, within text", section: "url: $SERVER/h\n    headers: {X-Q: 'a${input.x}b'}", refuses: within, want: one("a%sb"), found: header("X-Q")},
		{name: "header, list", section: "url: $SERVER/h\n    headers: {X-Q: '${input.l}'}", refuses: noHeader, want: hostileValue.list, found: header("X-Q")},
		{name: "header, map", section: "url: $SERVER/h\n    headers: {X-Q: '${input.m}'}", refuses: holds("\x7f"), want: func(v hostileValue) []string { return []string{asJSON(v.fields())} }, found: header("X-Q")},
		{name: "header, name of the session", section: "url: $SERVER/h\n    headers: {X-Q: 'a${call.session ?? \"\"}b'}", text: true, refuses: within, want: one("a%sb"), found: header("X-Q")},
		{name: "auth, bearer", section: "url: $SERVER/h\n    auth: {bearer: 'a${input.x}b'}", refuses: within, want: one("Bearer a%sb"), found: header("Authorization")},
		{name: "auth, basic, user", section: "url: $SERVER/h\n    auth: {basic: {username: '${input.x}', password: p}}", refuses: holds(":"), want: func(v hostileValue) []string { return []string{v.text, "p"} }, found: basic},
		{name: "auth, basic, password", section: "url: $SERVER/h\n    auth: {basic: {username: u, password: '${input.x}'}}", want: func(v hostileValue) []string { return []string{"u", v.text} }, found: basic},
		{name: "auth, apiKey of a header", section: "url: $SERVER/h\n    auth: {apiKey: {name: X-Key, value: '${input.x}'}}", refuses: noHeader, found: header("X-Key")},
	}
}

// bodyPlaces are those of a body but for files.
func bodyPlaces() []requestPlace {
	form := func(_ *testing.T, r rawRequest) []string {
		var all []string
		for _, pair := range strings.Split(r.body, "&") {
			name, value, _ := strings.Cut(pair, "=")
			plain, err := url.QueryUnescape(value)
			if name != "q" || err != nil {
				plain = "no pair: " + pair
			}
			all = append(all, plain)
		}
		return all
	}
	asIs := func(_ *testing.T, r rawRequest) []string { return []string{r.body} }
	parsed := func(_ *testing.T, r rawRequest) []string {
		var b struct {
			X, Glued json.RawMessage
			L, M     json.RawMessage
			Fixed    string
		}
		d := json.NewDecoder(strings.NewReader(r.body))
		d.DisallowUnknownFields()
		if err := d.Decode(&b); err != nil || b.Fixed != "f" {
			return []string{fmt.Sprintf("not what the file has: %v", err)}
		}
		return []string{string(b.X), string(b.Glued), string(b.L), string(b.M)}
	}
	xml := func(_ *testing.T, r rawRequest) []string {
		text := strings.TrimSuffix(strings.TrimPrefix(r.body, `<a b="`), `"/>`)
		if strings.ContainsAny(text, `<>"'`) {
			return []string{"it ends the text: " + r.body}
		}
		return []string{html.UnescapeString(text)}
	}
	return []requestPlace{
		{name: "body, json", section: "url: $SERVER/b\n    body: {json: {x: '${input.x}', glued: 'a${input.x}b', l: '${input.l}', m: '${input.m}', fixed: f}}", found: parsed, want: func(v hostileValue) []string {
			x := any(v.text)
			l := any(v.list())
			if v.number {
				x, l = json.Number(v.text), []json.Number{"0", json.Number(v.text)}
			}
			return []string{asJSON(x), asJSON("a" + v.text + "b"), asJSON(l), asJSON(v.fields())}
		}},
		{name: "body, json, a whole map", section: "url: $SERVER/b\n    body: {json: '${input.m}'}", want: func(v hostileValue) []string { return []string{asJSON(v.fields())} }, found: asIs},
		{name: "body, form", section: "url: $SERVER/b\n    body: {form: {q: '${input.x}'}}", found: form},
		{name: "body, form, within text", section: "url: $SERVER/b\n    body: {form: {q: 'a${input.x}b'}}", want: one("a%sb"), found: form},
		{name: "body, form, list", section: "url: $SERVER/b\n    body: {form: {q: '${input.l}'}}", want: hostileValue.list, found: form},
		{name: "body, text of XML", section: "url: $SERVER/b\n    body: {text: '<a b=\"${input.x}\"/>'}", found: xml},
		{name: "body, plain text", section: "url: $SERVER/b\n    headers: {Content-Type: text/plain}\n    body: {text: 'a${input.x}b'}", want: one("a%sb"), found: asIs},
		{name: "body, bytes", section: "url: $SERVER/b\n    body: {bytes: '${toBase64(input.x)}'}", text: true, found: asIs},
	}
}

// partPlaces are those of a multipart body.
func partPlaces() []requestPlace {
	part := func(of func(p *multipart.Part, content string) string) func(*testing.T, rawRequest) []string {
		return func(_ *testing.T, r rawRequest) []string {
			_, parameters, err := mime.ParseMediaType(strings.Join(r.header("Content-Type"), ""))
			if err != nil {
				return []string{err.Error()}
			}
			var all []string
			for reader := multipart.NewReader(strings.NewReader(r.body), parameters["boundary"]); ; {
				p, err := reader.NextRawPart()
				if err == io.EOF {
					return all
				}
				if err != nil {
					return append(all, err.Error())
				}
				content, _ := io.ReadAll(p)
				if p.FormName() != "q" {
					return append(all, "a part called "+p.FormName())
				}
				all = append(all, of(p, string(content)))
			}
		}
	}
	content := part(func(_ *multipart.Part, content string) string { return content })
	name := part(func(p *multipart.Part, _ string) string {
		_, parameters, _ := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
		return parameters["filename"]
	})
	contentType := part(func(p *multipart.Part, _ string) string { return p.Header.Get("Content-Type") })
	return []requestPlace{
		{name: "body, part", section: "url: $SERVER/b\n    body: {multipart: {q: '${input.x}'}}", found: content},
		{name: "body, part, list", section: "url: $SERVER/b\n    body: {multipart: {q: '${input.l}'}}", want: hostileValue.list, found: content},
		{name: "body, part, text", section: "url: $SERVER/b\n    body: {multipart: {q: {text: 'a${input.x}b', type: text/plain}}}", want: one("a%sb"), found: content},
		{name: "body, part, bytes", section: "url: $SERVER/b\n    body: {multipart: {q: {bytes: '${toBase64(input.x)}'}}}", text: true, found: content},
		{name: "body, part, name of a file", section: "url: $SERVER/b\n    body: {multipart: {q: {text: t, name: 'a${input.x}b'}}}", want: one("a%sb"), found: name, refuses: func(v hostileValue) bool {
			return controlled(v.text) || strings.ContainsAny(v.text, "\"\\\t")
		}},
		{name: "body, part, type", section: "url: $SERVER/b\n    body: {multipart: {q: {text: t, type: 'a/${input.x}b'}}}", want: one("a/%sb"), found: contentType, refuses: func(v hostileValue) bool { return controlled(v.text) }},
	}
}

// TestHostileValuesInRequests: each arrives as itself, byte for byte in its place, or is refused.
func TestHostileValuesInRequests(t *testing.T) {
	g := newGround(t)
	server := recordRaw(t)
	values := hostileValues(t, g.port, g.dir)
	files := filePlaces(g, values)
	g.fence()
	var y tally
	heads := slices.Concat(pathPlaces(), queryPlaces(), headerPlaces())
	for i, p := range slices.Concat(heads, bodyPlaces(), partPlaces(), files) {
		file := "executor:\n  http:\n    " + strings.ReplaceAll(p.section, "$SERVER", server.url) + "\n"
		texts, numbers := hostileTool(t, g.env, "string", file), hostileTool(t, g.env, "string", file)
		if !p.text {
			numbers = hostileTool(t, g.env, "number", file)
		}
		for _, v := range values {
			tool, refused := texts, v.broken || v.number && p.text || p.refuses != nil && p.refuses(v) || i < len(heads) && len(v.text) > 64<<10
			if v.number {
				tool = numbers
			}
			r := callHostile(t, tool, v)
			seen, faults := server.taken()
			y.add(p.name, !refused)
			if v.number && p.text { // it is no place for a number
				continue
			}
			switch fault := refusalFault(r); {
			case len(faults) > 0:
				t.Errorf("%s, %s, %.100q: the server read %.500q", p.name, v.name, v.text, faults)
			case refused && (fault != "" || len(seen) > 0):
				t.Errorf("%s, %s, %.100q: want a refusal; %.300s; %d requests", p.name, v.name, v.text, fault, len(seen))
			case refused:
			case len(seen) != 1:
				t.Errorf("%s, %s, %.100q: %d requests, want one: %.300s", p.name, v.name, v.text, len(seen), textOf(r))
			default:
				if have := p.found(t, seen[0]); !slices.Equal(have, p.wants(v)) {
					t.Errorf("%s, %s: arrived as %.300q, want %.300q", p.name, v.name, have, p.wants(v))
				}
			}
		}
	}
	g.check()
	y.report(t, len(values))
}

// filePlaces are files that a value names, below a directory that the file's author wrote.
func filePlaces(g *ground, values []hostileValue) []requestPlace {
	dir := g.furnish("files", values, func(path string) error {
		return os.WriteFile(path, []byte("this is "+filepath.Base(path)), 0o600)
	})
	content := func(v hostileValue) []string {
		path, _ := belowOnly(dir, v)
		text, err := os.ReadFile(path)
		if err != nil {
			g.t.Error(err)
		}
		return []string{string(text)}
	}
	none := func(v hostileValue) bool {
		path, ok := belowOnly(dir, v)
		info, err := os.Stat(path)
		return !ok || err != nil || !info.Mode().IsRegular()
	}
	return []requestPlace{
		{name: "body, file", section: "url: $SERVER/b\n    body: {file: '${dir.work}/files/${input.x}'}", text: true, refuses: none, want: content,
			found: func(_ *testing.T, r rawRequest) []string { return []string{r.body} }},
		{name: "body, part, file", section: "url: $SERVER/b\n    body: {multipart: {q: {file: 'files/${input.x}', name: n}}}", text: true, refuses: none, want: content, found: partPlaces()[0].found},
	}
}

// TestHostileURLs: a value that is the whole url leads nowhere on this machine, and one that ends a url stays on its host.
func TestHostileURLs(t *testing.T) {
	g := newGround(t)
	server := recordRaw(t)
	values := hostileValues(t, g.port, g.dir)
	g.fence()
	var y tally
	whole := hostileTool(t, g.env, "string", "executor: {http: {url: '${input.x}', redirects: 3}}\n")
	allowed := &exec.Env{Policy: g.env.Policy, WorkDir: g.dir}
	allowed.Policy.Egress.Private = []string{"127.0.0.1"}
	end := hostileTool(t, allowed, "string", "executor: {http: {url: '${\""+server.url+"/\" + input.x}'}}\n")
	for _, v := range values {
		y.add("url, the whole", false)
		if fault := refusalFault(callHostile(t, whole, v)); fault != "" {
			t.Errorf("%s, %.100q: want a refusal; %.300s", v.name, v.text, fault)
		}
		r := callHostile(t, end, v)
		seen, faults := server.taken()
		arrived := r.Status == spec.StatusSuccess
		y.add("url, its end", arrived)
		if fault := refusalFault(r); len(faults) > 0 || arrived != (len(seen) == 1) || !arrived && fault != "" {
			t.Errorf("%s, %.100q: %.300s; %d requests %.300q", v.name, v.text, textOf(r), len(seen), faults)
		}
	}
	g.check()
	y.report(t, len(values))
}
