package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
)

// strictDocument is openapi.json, where an object has no properties but those that it describes.
func strictDocument(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(openAPIDocument)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range doc.Components.Schemas {
		closeObjects(s.Value)
	}
	return doc
}

func closeObjects(s *openapi3.Schema) {
	for _, p := range s.Properties {
		closeObjects(p.Value)
	}
	if s.Items != nil {
		closeObjects(s.Items.Value)
	}
	if len(s.Properties) > 0 {
		no := false
		s.AdditionalProperties = openapi3.AdditionalProperties{Has: &no}
	}
}

// hold says how an answer differs from what the document says of it.
func hold(t *testing.T, doc *openapi3.T, method, template string, status int, header http.Header, body []byte) {
	t.Helper()
	answers := doc.Paths.Find(template).GetOperation(method).Responses
	described := answers.Status(status)
	if described == nil {
		t.Errorf("%s %s: the document knows no status %d: %s", method, template, status, body)
		return
	}
	mediaType, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	content := described.Value.Content.Get(mediaType)
	if content == nil {
		t.Errorf("%s %s %d: the document knows no %q", method, template, status, mediaType)
		return
	}
	var value any = string(body)
	if mediaType != "text/plain" {
		if err := json.Unmarshal(body, &value); err != nil {
			t.Errorf("%s %s %d: %v in %s", method, template, status, err, body)
			return
		}
	}
	if err := content.Schema.Value.VisitJSON(value, openapi3.VisitAsResponse()); err != nil {
		t.Errorf("%s %s %d: %v\n%s", method, template, status, err, body)
	}
}

// Every answer is one that the document describes: its status, its media type, its body to the last key.
func TestOpenAPITellsTheTruth(t *testing.T) {
	doc := strictDocument(t)
	tools := []*exec.Tool{
		compile(t, "add", addFile, nil),
		compile(t, "far", "requires: {commands: [no-such-program-here]}\nexecutor: {expr: '1'}", nil),
		compile(t, "secret", "executor: {command: {shell: 'true', env: {K: '${secret.NO_SUCH}'}}}", nil),
		compile(t, "all", `
inputSchema: {type: object, properties: {a: {type: integer}, b: {type: integer, default: 1}}}
executor:
  pipeline:
    - {id: one, command: {argv: [sh, '${input.a}'], stdin: x}}
    - {id: two, http: {url: 'https://a.example', body: {bytes: /wD/}}}
    - {id: three, http: {url: 'https://a.example', body: {text: '${steps.one}'}}}
    - {id: four, tool: far}
    - {id: five, func: echo, input: {a: '${input.b}'}}
    - {id: six, when: 'false', expr: '1'}
    - {id: seven, expr: 'null'}`, map[string]exec.Executor{"echo": exec.ExecutorFunc(func(context.Context, *exec.Call) (any, error) { return nil, nil })}),
		compile(t, "long", "executor: {expr: 'map(1..9, #)'}\nresult: {limit: {items: 3}}", nil),
		compile(t, "media", `
outputSchema: {type: object}
annotations: {readOnlyHint: true}
tags: [a]
executor: {expr: '1'}
result:
  content:
    - image: {format: png, bytes: iVBORw0KGgo=}
    - document: {format: txt, name: note, text: hello}
    - resource: {uri: 'x:y', mimeType: text/plain, text: hello}
    - resource: {uri: 'x:z', mimeType: image/png, bytes: iVBORw0KGgo=}
    - json: {a: 1}`, nil),
	}
	watch := func() []WatchStatus { return []WatchStatus{{Dir: "tools", Mode: "events", Warning: "slow"}} }
	metrics := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("up 1\n")) }
	_, web := offer(t, Options{Watch: watch, Metrics: http.HandlerFunc(metrics)}, tools...)
	loading := make(chan struct{})
	_, early := offer(t, Options{Ready: loading}, tools...)
	for _, c := range []struct {
		status                       int
		method, template, path, body string
		headers                      []string
	}{
		{200, "GET", "/v1/tools", "", "", nil},
		{403, "GET", "/v1/tools", "", "", []string{"Host", "evil.example"}},
		{200, "GET", "/v1/tools/{name}", "/v1/tools/media", "", nil},
		{404, "GET", "/v1/tools/{name}", "/v1/tools/nothing", "", nil},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/add", `{"a": "1", "b": 2}`, nil},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/add", `{}`, nil},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/far", ``, nil},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/long", ``, nil},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/media", ``, nil},
		{404, "POST", "/v1/tools/{name}", "/v1/tools/nothing", `{}`, nil},
		{400, "POST", "/v1/tools/{name}", "/v1/tools/add", `{`, nil},
		{400, "POST", "/v1/tools/{name}", "/v1/tools/add", "{\"a\": \"\xff\"}", nil},
		{400, "POST", "/v1/tools/{name}", "/v1/tools/add", `{}`, []string{SessionHeader, strings.Repeat("x", 129)}},
		{413, "POST", "/v1/tools/{name}", "/v1/tools/add", strings.Repeat(" ", MaxBody+1), nil},
		{415, "POST", "/v1/tools/{name}", "/v1/tools/add", `{}`, []string{"Content-Type", "text/plain"}},
		{403, "POST", "/v1/tools/{name}", "/v1/tools/add", `{}`, []string{"Origin", "null"}},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/all?dryRun=1", `{"a": "1"}`, nil},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/add?dryRun=true", `{"c": "1"}`, nil},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/far?dryRun=1", ``, nil},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/add?dryRun=0", `{"a": 1, "b": 2}`, nil},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/secret", ``, nil},
		{400, "POST", "/v1/tools/{name}", "/v1/tools/add?dryRun=yes", `{"a": 1, "b": 2}`, nil},
		{400, "POST", "/v1/tools/{name}", "/v1/tools/add?dry_run=1", `{"a": 1, "b": 2}`, nil},
		{404, "POST", "/v1/tools/{name}", "/v1/tools/nothing?dryRun=1", `{}`, nil},
		{200, "POST", "/v1/call", "/v1/call?dryRun=1", `{"toolUseId": "x", "name": "all"}`, nil},
		{200, "POST", "/v1/call", "", `{"toolUseId": "x", "name": "add", "input": {"a": 1, "b": 2}}`, nil},
		{200, "POST", "/v1/call", "", `{"toolUseId": "x", "name": "add", "input": 3}`, nil},
		{200, "POST", "/v1/call", "", `{"name": "add", "name": "media"}`, nil},
		{200, "POST", "/v1/call", "", `[]`, nil},
		{404, "POST", "/v1/call", "", `{"toolUseId": "x", "name": "nothing", "input": 3}`, nil},
		{400, "POST", "/v1/call", "", `{"name`, nil},
		{200, "GET", "/v1/status", "", "", nil},
		{200, "GET", "/healthz", "", "", nil},
		{200, "GET", "/readyz", "", "", nil},
		{200, "GET", "/metrics", "", "", nil},
		{403, "GET", "/metrics", "", "", []string{"Host", "evil.example"}},
		{200, "GET", "/openapi.json", "", "", nil},
		{503, "GET", "/v1/tools", "", "", nil},
		{503, "GET", "/v1/tools/{name}", "/v1/tools/add", "", nil},
		{503, "POST", "/v1/tools/{name}", "/v1/tools/add", "{}", nil},
		{503, "POST", "/v1/call", "", `{"name": "add"}`, nil},
		{503, "GET", "/readyz", "", "", nil},
	} {
		at := web.URL
		if c.status == http.StatusServiceUnavailable {
			at = early.URL
		}
		if c.path == "" {
			c.path = c.template
		}
		res, body := ask(t, c.method, at+c.path, c.body, c.headers...)
		if res.StatusCode != c.status {
			t.Errorf("%s %s %.80q: status %d, want %d: %s", c.method, c.path, c.body, res.StatusCode, c.status, body)
		}
		hold(t, doc, c.method, c.template, res.StatusCode, res.Header, []byte(body))
	}
}

// What an answer cannot show at will, the document has to know all the same.
func TestOpenAPIKnowsEveryEventAndRefusal(t *testing.T) {
	doc := strictDocument(t)
	reg, web := offer(t, Options{})
	res, err := http.Get(web.URL + "/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	lines.Scan() // it listens now
	reg.Replace("test", []*exec.Tool{compile(t, "far", "requires: {commands: [no-such-program-here]}\nexecutor: {expr: '1'}", nil)}, nil)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			hold(t, doc, "GET", "/v1/events", res.StatusCode, res.Header, []byte(data))
			break
		}
	}
	for _, template := range []string{"/v1/call", "/v1/tools/{name}"} {
		body := `{"error": {"code": "timeout", "message": "late"}}`
		hold(t, doc, "POST", template, http.StatusRequestTimeout, http.Header{"Content-Type": {"application/json"}}, []byte(body))
	}
	var states []any
	for _, s := range []registry.State{registry.StateReady, registry.StateStale, registry.StateUnavailable, registry.StateBroken, registry.StateShadowed, registry.StatePending} {
		states = append(states, string(s))
	}
	described := doc.Components.Schemas["Status"].Value.Properties["files"].Value.Items.Value.Properties["state"].Value.Enum
	if !reflect.DeepEqual(described, states) {
		t.Errorf("states: described %v, have %v", described, states)
	}
}
