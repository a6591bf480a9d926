package serve

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// TestPendingOverHTTP offers two tools under a lock that approves one, and an earlier version of the other.
func TestPendingOverHTTP(t *testing.T) {
	add, before, after := compile(t, "add", addFile, nil), compile(t, "say", "executor: {expr: '1'}", nil), compile(t, "say", "executor: {expr: '2'}", nil)
	reg, web := offer(t, Options{}, add, after)
	reg.Enforce(registry.NewLock("the.lock", []registry.Approval{registry.Approve(add), registry.Approve(before)}))
	doc := strictDocument(t)
	for _, c := range []struct {
		status                       int
		method, template, path, body string
		holds, lacks                 string
	}{
		{200, "GET", "/v1/tools", "/v1/tools", "", `"name":"add"`, `"say"`},
		{200, "GET", "/v1/tools", "/v1/tools?status=pending", "", `"name":"say"`, `"add"`},
		{200, "GET", "/v1/tools", "/v1/tools?status=stale", "", `[]`, `"name"`},
		{400, "GET", "/v1/tools", "/v1/tools?status=broken", "", `want one of [ready stale unavailable pending]`, ""},
		{400, "GET", "/v1/tools", "/v1/tools?status=ready&status=stale", "", `want one of`, ""},
		{403, "GET", "/v1/tools/{name}", "/v1/tools/say", "", `waits for the approval`, "A tool for tests"},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/say", "{}", `"code":"denied"`, "A tool for tests"},
		{200, "POST", "/v1/tools/{name}", "/v1/tools/say?dryRun=1", "{}", `"code":"denied"`, ""},
		{200, "POST", "/v1/call", "/v1/call", `{"toolUseId": "x", "name": "say"}`, `"code":"denied"`, ""},
		{200, "GET", "/v1/status", "/v1/status", "", `-executor: {expr: '1'}\n+executor: {expr: '2'}\n`, ""},
	} {
		res, body := ask(t, c.method, web.URL+c.path, c.body)
		if res.StatusCode != c.status || !strings.Contains(body, c.holds) || c.lacks != "" && strings.Contains(body, c.lacks) {
			t.Errorf("%s %s: %d %s", c.method, c.path, res.StatusCode, body)
		}
		hold(t, doc, c.method, c.template, res.StatusCode, res.Header, []byte(body))
	}
	var s Status
	_, body := ask(t, "GET", web.URL+"/v1/status", "")
	if err := json.Unmarshal([]byte(body), &s); err != nil {
		t.Fatal(err)
	}
	if s.Lock == nil || s.Lock.File != "the.lock" || s.Lock.Approved != 2 || s.Lock.Fault != "" {
		t.Errorf("lock %+v", s.Lock)
	}
	for _, f := range s.Files {
		if f.Tool == "say" && (f.State != registry.StatePending || f.Approved != before.Digest || f.Digest != after.Digest || f.Reason != "it changed since it was approved") {
			t.Errorf("%+v", f)
		}
	}
	reg.Enforce(registry.BrokenLock("the.lock", "no bytes"))
	res, body := ask(t, "GET", web.URL+"/v1/status", "")
	if !strings.Contains(body, `"fault":"no bytes"`) || res.StatusCode != http.StatusOK {
		t.Error(body)
	}
	hold(t, doc, "GET", "/v1/status", res.StatusCode, res.Header, []byte(body))
	if _, body := ask(t, "GET", web.URL+"/v1/tools", ""); strings.TrimSpace(body) != "[]" {
		t.Error(body)
	}
	reg.Replace("test", []*exec.Tool{add}, spec.Diagnostics{})
	if _, body := ask(t, "GET", web.URL+"/v1/tools", ""); strings.TrimSpace(body) != "[]" {
		t.Error(body)
	}
}

// TestCallsThatReachNoToolAreTold tells who keeps a record: of what is no JSON, no tool use, or asks for what there is not.
func TestCallsThatReachNoToolAreTold(t *testing.T) {
	reg, web := offer(t, Options{}, compile(t, "add", addFile, nil))
	var told []exec.Event
	reg.Observe = func(e exec.Event) error { told = append(told, e); return nil }
	for _, c := range []struct{ path, body, tool, refusal string }{
		{"/v1/tools/add", "{", "add", "invalid_input"},
		{"/v1/tools/nothing", "{}", "nothing", "not_found"},
		{"/v1/tools/add?dry=1", "{}", "add", "invalid_input"},
		{"/v1/call", "[", "", "invalid_input"},
		{"/v1/call", `{"toolUseId": "x", "nam": "add"}`, "", "invalid_input"},
		{"/v1/call", `{"toolUseId": "x", "name": "nothing"}`, "nothing", "not_found"},
	} {
		told = nil
		ask(t, "POST", web.URL+c.path, c.body, SessionHeader, "s1", "User-Agent", "curl/8")
		if len(told) != 1 || told[0].Tool != c.tool || told[0].Refusal != c.refusal || told[0].Session != "s1" ||
			told[0].Caller != (exec.Caller{Transport: "http", Client: "curl/8"}) || told[0].ID == "" {
			t.Errorf("%s %s: %+v", c.path, c.body, told)
		}
	}
}
