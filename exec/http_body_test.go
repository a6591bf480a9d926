package exec

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// TestJSONBodyIsBuilt is a value that wants to be more than a value.
func TestJSONBodyIsBuilt(t *testing.T) {
	server := record(t, nil)
	tool := httpTool(t, server, "url: ADDR/people\nbody:\n  json: {name: '${input.name}', age: '${input.age}', tags: '${input.tags}', note: 'of ${input.name}'}")
	for _, name := range []string{`a","admin":true,"b":"`, "line\nbreak \\ \u2028", `"`, `\`, "</script>", "${input.age}", "\x00", "ä"} {
		r := tool.Call(t.Context(), input(t, map[string]any{"name": name, "age": 7, "tags": []any{true, nil, 1.5}}))
		if r.Status != spec.StatusSuccess {
			t.Fatal(text(r))
		}
		request := server.only(t)
		var have map[string]any
		if err := json.Unmarshal([]byte(request.body), &have); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"name": name, "age": 7.0, "tags": []any{true, nil, 1.5}, "note": "of " + name}
		if plainJSON(t, have) != plainJSON(t, want) || request.header.Get("Content-Type") != "application/json" {
			t.Errorf("%q: have %v with %v", name, have, request.header)
		}
	}
	if r := tool.Call(t.Context(), use(`{"name": "x", "age": null}`)); r.Status != spec.StatusSuccess || server.only(t).body != `{"age":null,"name":"x","note":"of x"}` {
		t.Error(text(r))
	}
}

func TestMultipartBody(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "my \"pic\".png"), bytes.Repeat([]byte("p"), 100_000), 0o600); err != nil {
		t.Fatal(err)
	}
	server := record(t, nil)
	file := anyInput + "executor:\n  http:\n    url: " + server.URL + `
    body:
      multipart:
        'a "b"': 'x ${input.text}'
        tag: '${input.tags}'
        gone: '${input.none}'
        both: [1, {text: '{}', type: application/json}]
        pic: {file: '${dir.work}/${input.file}'}
        raw: {bytes: '${input.raw}', name: '${input.name}', type: application/x-raw}
        nofile: {file: '${dir.work}/${input.none}'}
`
	tool := compile(t, file, nil, func(e *Env) { e.WorkDir = dir })
	r := tool.Call(t.Context(), input(t, map[string]any{"text": "--\r\nboundary", "tags": []any{"t1", 2}, "file": `my "pic".png`, "raw": "AP8", "name": "r\u00e4w.bin"}))
	if r.Status != spec.StatusSuccess {
		t.Fatal(text(r))
	}
	request := server.only(t)
	_, parameters, err := mime.ParseMediaType(request.header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	reader := multipart.NewReader(strings.NewReader(request.body), parameters["boundary"])
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		if len(content) > 1000 {
			content = []byte("much")
		}
		have = append(have, part.FormName()+"|"+part.FileName()+"|"+part.Header.Get("Content-Type")+"|"+string(content))
	}
	want := []string{
		"a \"b\"|||x --\r\nboundary", "tag|||t1", "tag|||2", "both|||1", "both||application/json|{}", "pic|my \"pic\".png|image/png|much", "raw|r\u00e4w.bin|application/x-raw|\x00\xff",
	}
	if strings.Join(have, "\n") != strings.Join(want, "\n") {
		t.Errorf("have %q", have)
	}
	for _, name := range []string{"a\r\nX: y", "a\x00", "a\n"} {
		r := tool.Call(t.Context(), input(t, map[string]any{"file": `my "pic".png`, "raw": "", "name": name}))
		if codeOf(r) != spec.CodeInvalidInput || len(server.seen()) != 0 {
			t.Errorf("%q: have %s", name, text(r))
		}
	}
}

func TestFileBodyIsStreamed(t *testing.T) {
	dir := t.TempDir()
	content := bytes.Repeat([]byte("0123456789"), 100_000)
	if err := os.WriteFile(filepath.Join(dir, "data.json"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	server := record(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/moved", http.StatusPermanentRedirect)
		}
	})
	tool := compile(t, anyInput+"executor: {http: {method: PUT, url: '"+server.URL+"', redirects: 1, body: {file: '${dir.work}/${input.file}'}}}\n", nil, func(e *Env) { e.WorkDir = dir })
	if r := tool.Call(t.Context(), use(`{"file": "data.json"}`)); r.Status != spec.StatusSuccess {
		t.Fatal(text(r))
	}
	for _, request := range server.seen() {
		if request.body != string(content) || request.header.Get("Content-Type") != "application/json" || request.header.Get("Content-Length") != "1000000" {
			t.Errorf("have %d bytes with %v", len(request.body), request.header)
		}
	}
	for _, file := range []string{"none", ".", "/dev/null", "/", "a\u0000b"} {
		if r := tool.Call(t.Context(), input(t, map[string]any{"file": file})); codeOf(r) != spec.CodeInvalidInput || strings.Contains(text(r), dir) {
			t.Errorf("%q: have %s %s", file, codeOf(r), text(r))
		}
	}
}

func TestBytesBody(t *testing.T) {
	server := record(t, nil)
	tool := httpTool(t, server, "url: ADDR\nbody: {bytes: '${input.b}'}")
	for in, want := range map[string]string{"": "", "AAH/": "\x00\x01\xff", "AAH_": "\x00\x01\xff", "AA==": "\x00", "AA": "\x00", "A A\nH/": "\x00\x01\xff"} {
		r := tool.Call(t.Context(), input(t, map[string]any{"b": in}))
		if r.Status != spec.StatusSuccess || server.only(t).body != want {
			t.Errorf("%q: have %s", in, text(r))
		}
	}
	for _, in := range []any{"?", "A", 7, []any{"AA"}} {
		if r := tool.Call(t.Context(), input(t, map[string]any{"b": in})); codeOf(r) != spec.CodeInvalidInput {
			t.Errorf("%v: have %s %s", in, codeOf(r), text(r))
		}
	}
}

func TestHeadersOfARequest(t *testing.T) {
	server := record(t, nil)
	tool := httpTool(t, server, "url: ADDR\nheaders:\n  x-one: 'a ${input.a}'\n  X-Many: ['1', '${input.many}']\n  X-None: '${input.none}'\n  X-Half: 'b ${input.none}'\n  Date: 2022-11-28")
	r := tool.Call(t.Context(), use(`{"a": "ä", "many": ["2", null, 3]}`))
	if r.Status != spec.StatusSuccess {
		t.Fatal(text(r))
	}
	h := server.only(t).header
	if h.Get("X-One") != "a ä" || strings.Join(h["X-Many"], "|") != "1|2|3" || h["X-None"] != nil || h["X-Half"] != nil || h.Get("Date") != "2022-11-28" || h.Get("Accept") == "" || h.Get("User-Agent") != userAgent {
		t.Errorf("have %v", h)
	}
	for _, value := range []string{"a\r\nX-Evil: 1", "a\nb", "a\rb", "a\x00b", "a\x7f", "\x1b[0m"} {
		if r := tool.Call(t.Context(), input(t, map[string]any{"a": value})); codeOf(r) != spec.CodeInvalidInput || len(server.seen()) != 0 {
			t.Errorf("%q: have %s %s", value, codeOf(r), text(r))
		}
	}
}

func TestHTTPSectionIsCheckedWhenTheFileIsRead(t *testing.T) {
	const ok = "url: https://a.example\n"
	for section, want := range map[string]string{
		"method: GET":                                 "http: url is missing",
		ok + "method: get":                            "http.method: want a method such as GET or POST, in capitals",
		ok + "method: 'G T'":                          "http.method: want a method",
		ok + "method: '${input.m}'":                   "http.method: the method is literal",
		ok + "method: CONNECT":                        "http.method: the method CONNECT",
		ok + "auth: {oauth2: {}}":                     "unknown key executor.http.auth.oauth2: not supported by this version",
		ok + "retry: {attempts: 1}":                   "executor.http.retry.attempts: want 2 to 5 attempts",
		ok + "params: {}":                             "unknown key executor.http.params: write query",
		ok + "timeout: 5s":                            "at the top of the file",
		ok + "query: [a]":                             "http.query: want a map",
		ok + "query: {a: null}":                       "http.query.a: want a text",
		ok + "query: {a: {b: c}}":                     "http.query.a: want a text",
		ok + "query: {'${input.a}': b}":               "a name is literal",
		ok + "query: {a: '${'}":                       "is not closed",
		ok + "headers: {'a b': c}":                    `http.headers.a b: "a b" is not the name of a header`,
		ok + "headers: {Host: c}":                     "Host is not a file's to set: it follows from the url",
		ok + "headers: {content-length: 1}":           "Content-Length is not a file's to set",
		ok + "headers: {accept: a, Accept: b}":        "the header is given twice",
		ok + `headers: {A: "a\r\nb"}`:                 "http.headers.A: the value of a header holds no line breaks",
		ok + "headers: {A: '${input.a}', B: [1, {}]}": "http.headers.B[1]: want a text",
		ok + "body: text":                             "http.body: want a map with json, form, text, multipart, file, bytes",
		ok + "body: {}":                               "http.body: want exactly one of json, form, text, multipart, file, bytes, have none",
		ok + "body: {json: {}, text: a}":              "http.body: want exactly one",
		ok + "body: {xml: a}":                         "unknown key executor.http.body.xml: write text",
		ok + "body: {json: {a: '${'}}":                "is not closed",
		ok + "headers: {Content-Type: application/vnd.a+json}\nbody: {text: '{\"a\": \"${input.a}\"}'}": "http.body.text: a value that is spliced into JSON text can change what it says: write body: {json: …}",
		ok + "headers: {content-type: '${input.a}'}\nbody: {text: a}":                                   "http.headers.content-type: of a text body it is literal",
		ok + "headers: {Content-Type: multipart/form-data}\nbody: {multipart: {a: b}}":                  "http.body.multipart: a multipart body makes its own Content-Type",
		ok + "body: {multipart: {a: {file: x, text: y}}}":                                               "http.body.multipart.a: want exactly one of file, bytes, text, have file and text",
		ok + "body: {multipart: {a: {filename: x, text: y}}}":                                           "unknown key executor.http.body.multipart.a.filename: write name",
		ok + "body: {multipart: [a]}":                                                                   "http.body.multipart: want a map",
		ok + "redirects: 21":                                                                            "http.redirects: want 0 to 20",
		ok + "redirects: yes":                                                                           "http.redirects: want a whole number",
		ok + "output: xml":                                                                              "http.output: want text, json, jsonl, csv, lines or bytes",
		ok + "successCodes: 200":                                                                        "http.successCodes: want a list",
		ok + "successCodes: []":                                                                         "http.successCodes: want at least one status",
		ok + "successCodes: [20]":                                                                       "http.successCodes[0]: want a status such as 200",
		ok + "successCodes: [200, 299-200]":                                                             "http.successCodes[1]: want a status such as 200",
		ok + "successCodes: [2xx]":                                                                      "http.successCodes[0]: want a status such as 200",
	} {
		file := "name: t\ndescription: A tool.\n" + anyInput + "executor:\n  http:\n    " + strings.ReplaceAll(section, "\n", "\n    ") + "\n"
		s, ds := spec.Parse("t.yaml", []byte(file))
		if !ds.HasErrors() {
			_, ds = StandardKinds().Compile(&Env{}, s)
		}
		if len(ds) != 1 || !strings.Contains(ds[0].Message, want) || ds[0].Pos.Line < 5 {
			t.Errorf("%s\nhave %v, want %s", section, ds, want)
		}
	}
}
