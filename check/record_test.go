package check

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// world answers requests by their path.
type world map[string]*http.Response

func (w world) RoundTrip(r *http.Request) (*http.Response, error) {
	res := w[r.URL.Path]
	if res == nil {
		return nil, errors.New("refused")
	}
	res.Request = r
	return res, nil
}

func answer(status int, contentType, body string, more ...string) *http.Response {
	h := http.Header{"Content-Type": {contentType}, "Set-Cookie": {"sid=1"}}
	for i := 0; i < len(more); i += 2 {
		h.Add(more[i], more[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

const recordedHTTP = `# a comment
name: get
description: Gets.
inputSchema:
  type: object
  properties: {id: {type: string, default: x}, pin: {type: string, writeOnly: true}}
executor:
  http:
    url: https://api.example.com/${input.id}
    body: {json: {pin: '${input.pin}', left: 1.50}}
result:
  error: '${ response.headers["x-left"] == "0" ? "none left" : null }'
`

const recordedSecret = `name: private
description: Private.
executor:
  http: {url: https://api.example.com/x, auth: {bearer: '${secret.T}'}}
`

const recordedPipeline = `name: two
description: Two.
executor:
  pipeline:
    - {id: one, http: {url: 'https://api.example.com/one'}}
    - {id: two, http: {url: 'https://api.example.com/two/${steps.one.id}'}}
`

// TestRecording makes a test of real calls, holds it to what is wanted, and runs it where there is no world.
func TestRecording(t *testing.T) {
	t.Setenv("TOOLSPEC_SECRET_T", "tok-98765")
	for _, c := range []struct {
		name, source, input string
		world               world
		want                []string // lines of the file
		none                []string // what is not in it
		fault               string   // why there is no test
	}{
		{"json", recordedHTTP, `{"pin": "1234", "id": "a b"}`, world{"/a b": answer(200, "application/json; charset=utf-8", `{"b": 1.0, "token": "0123456789abc", "echo": "pin 1234"}`, "X-Left", "3", "X-Other", "y")},
			[]string{
				"  - name: 'recorded with pin=secret:pin, id=a b'", "    input: {pin: 'secret:pin', id: a b}",
				"      http: {headers: {x-left: '3'}, json: {b: 1.0, echo: 'pin secret:pin', token: 'secret:token'}}",
				"      request: {method: POST, url: 'https://api.example.com/a%20b', json: {left: 1.50, pin: 'secret:pin'}}",
				"      json: {b: 1.0, echo: 'pin secret:pin', token: 'secret:token'}",
			}, []string{"1234", "0123456789abc", "sid=1", "x-other", "content-type"}, ""},
		{"a secret in other spellings", recordedHTTP, `{"pin": "p/n & \"é", "id": "p/n & \"é"}`,
			world{"/p/n & \"é": answer(200, "application/json", `{"url": "?p=p%2Fn%20%26%20%22%C3%A9", "form": "p%2fn+%26+%22%c3%a9", "base64": "cC9uICYgIsOp", "in": "eDpwL24gJiAiw6k=", "html": "p/n &amp; &#34;é"}`)},
			[]string{"          base64: 'secret:pin'", "          form: 'secret:pin'", "          html: 'secret:pin'", "          url: '?p=secret:pin'"},
			[]string{"p/n", "p%2", "cC9u", "L24gJiAi"}, ""},
		{"a secret number", strings.Replace(recordedHTTP, "pin: {type: string", "pin: {type: [string, integer]", 1), `{"pin": 12345}`, world{"/x": answer(200, "application/json", `{"n": 12345, "m": 123456}`)},
			[]string{"    input: {pin: 'secret:pin'}", "      http: {json: {m: 123456, 'n': 'secret:pin'}}"}, []string{"12345}"}, ""},
		{"secrets in lists", strings.Replace(recordedHTTP, "pin: {type: string", "users: {type: array, items: {properties: {key: {writeOnly: true}}}}, pin: {type: [string, array]", 1),
			`{"users": [{"key": "k3y"}, {"password": 4711}], "pin": ["p1n"]}`, world{"/x": answer(200, "application/json", `{"n": 4711}`)},
			[]string{"      users: [{key: 'secret:key'}, {password: 'secret:password'}]", "      http: {json: {'n': 'secret:password'}}"}, []string{"k3y", "4711}", "p1n"}, ""},
		{"the name of a text with quotes", recordedHTTP, `{"id": "say \"é\" \\"}`, world{`/say "é" \`: answer(200, "text/plain", "ok")},
			[]string{`  - name: 'recorded with id=say "é" \'`}, nil, ""},
		{"text", recordedHTTP, ``, world{"/x": answer(200, "text/plain", "one\ntwo\n")},
			[]string{"  - name: recorded", "        headers: {content-type: text/plain}", "          one", "      text: |"}, nil, ""},
		{"an error", recordedHTTP, `{}`, world{"/x": answer(404, "application/json", `{"why": "gone"}`, "X-Left", "0")},
			[]string{"      http: {status: 404, headers: {x-left: '0'}, json: {why: gone}}", "      status: error", "      text: 'Error: none left'"}, nil, ""},
		{"bytes", recordedHTTP, `{}`, world{"/x": answer(200, "image/png", "\x89PNG\r\n\x1a\n")}, []string{"      http: {headers: {content-type: image/png}, base64: iVBORw0KGgo=}"}, nil, ""},
		{"nobody", recordedHTTP, `{}`, world{}, nil, nil, "the call got no answer that a stub could give: stub.http is missing: the test would send POST https://api.example.com/x"},
		{"no object", recordedHTTP, `[1]`, world{}, nil, nil, "the input is no JSON object"},
		{"refused", recordedHTTP, `{"di": 1}`, world{}, []string{"    expect: {status: error, text: 'Error: Field `di` is not known (accepted: `id`, `pin`)'}"}, nil, ""},
		{"a secret", recordedSecret, ``, world{"/x": answer(200, "application/json", `{"echo": "you said tok-98765"}`)},
			[]string{"      http: {json: {echo: 'you said secret:T'}}"}, []string{"98765"}, ""},
		{"steps", recordedPipeline, ``, world{"/one": answer(200, "application/json", `{"id": 7}`), "/two/7": answer(200, "application/json", `["x"]`)},
			[]string{"      steps: {one: {id: 7}, two: [x]}", "    expect: {json: [x]}"}, []string{"http:\n"}, ""},
		{"a step fails", recordedPipeline, ``, world{"/one": answer(200, "application/json", `{"id": 7}`), "/two/7": answer(500, "text/plain", `broken`)},
			[]string{"      http: {status: 500, headers: {content-type: text/plain}, text: broken}", "      steps: {one: {id: 7}}", "      status: error", "      request: {method: GET, url: 'https://api.example.com/two/7'}"}, nil, ""},
		{"too large", recordedHTTP, ``, world{"/x": answer(200, "text/plain", strings.Repeat("word\n", 4000))}, nil, nil, "a recorded test holds at most 16 KiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := &exec.Env{Transport: c.world}
			tool, snapshot := load(t, env, c.source)
			call := exec.Call{Use: spec.ToolUse{ID: "1", Name: tool.Spec.Name, Input: []byte(c.input)}}
			r := Recording{File: "tool.yaml", Source: []byte(c.source), Tools: snapshot, Compile: compiler(env)}
			r.Listen(tool, &call)
			result := snapshot.Call(t.Context(), call)
			out, _, err := r.Write(t.Context(), result, time.Now())
			if c.fault != "" || err != nil {
				if err == nil || c.fault == "" || !strings.Contains(err.Error(), c.fault) {
					t.Fatalf("have %v, want %q, in\n%s", err, c.fault, out)
				}
				return
			}
			added := strings.TrimPrefix(string(out), c.source)
			for _, want := range c.want {
				if !strings.Contains(added, want+"\n") {
					t.Errorf("there is no line %q in\n%s", want, added)
				}
			}
			for _, none := range c.none {
				if strings.Contains(added, none) {
					t.Errorf("%q is in\n%s", none, added)
				}
			}
			again, ds := compiler(&exec.Env{Transport: world{}})(out)
			if ds.HasErrors() {
				t.Fatal(ds)
			}
			reg := registry.New()
			reg.Replace("go", []*exec.Tool{again}, nil)
			for _, v := range Tests(t.Context(), reg.Snapshot(), []*exec.Tool{again}, nil) {
				if len(v.Faults) > 0 {
					t.Errorf("%s in\n%s", v.FaultText(), added)
				}
			}
		})
	}
}

func compiler(env *exec.Env) func([]byte) (*exec.Tool, spec.Diagnostics) {
	return func(source []byte) (*exec.Tool, spec.Diagnostics) {
		s, ds := spec.Parse("tool.yaml", source)
		if ds.HasErrors() {
			return nil, ds
		}
		return exec.StandardKinds().Compile(env, s)
	}
}
