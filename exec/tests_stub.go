package exec

import (
	"encoding/base64"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// stubConfig is the section stub of a test.
type stubConfig struct {
	HTTP    *httpStub               `spec:"http" doc:"The answer to every request."`
	Command *commandStub            `spec:"command" doc:"What every command leaves behind."`
	Steps   map[string]spec.Section `spec:"steps" doc:"Values of steps of the pipeline, by their id: these steps are not run."`
	Tools   map[string]spec.Section `spec:"tools" doc:"Values of tools that steps call, by name: these tools are not called. Others are, with the same stub."`
	Env     map[string]spec.Text    `spec:"env" doc:"Variables of the server that the call finds, over those that every test has."`
	State   map[string]spec.Section `spec:"state" doc:"The state of the session."`
	Self    map[string]spec.Section `spec:"self" doc:"The tool's own state."`
	Now     spec.Text               `spec:"now" doc:"The time that now() gives, such as 2031-05-04T12:00:00Z. Default: the clock's."`
}

// httpStub is the section stub.http: at most one of JSON, Text and Base64 is given.
type httpStub struct {
	Status  int                   `spec:"status" doc:"The status; default 200."`
	Headers map[string]stubHeader `spec:"headers" doc:"Headers: a text, or a list of texts, each. Content-Type is by default that of the body."`
	JSON    spec.Section          `spec:"json" doc:"The body as JSON."`
	Text    spec.Text             `spec:"text" doc:"The body as text."`
	Base64  spec.Text             `spec:"base64" doc:"The body as base64."`
}

// commandStub is the section stub.command.
type commandStub struct {
	Stdout   stubBytes            `spec:"stdout" doc:"Standard output: a text, or one of {json, text, base64}."`
	Stderr   stubBytes            `spec:"stderr" doc:"Standard error: a text, or one of {json, text, base64}."`
	ExitCode int                  `spec:"exitCode" doc:"The exit code; default 0."`
	Files    map[string]stubBytes `spec:"files" doc:"What is in dir.scratch afterwards: a text, or one of {json, text, base64}, by path."`
}

// compile makes the stub that the calls of a test get.
func (c *stubConfig) compile(at spec.Section) (*Stub, spec.Diagnostics) {
	s := &Stub{Steps: valuesOf(c.Steps), Tools: valuesOf(c.Tools), State: valuesOf(c.State), Self: valuesOf(c.Self)}
	var ds, faults spec.Diagnostics
	if c.HTTP != nil {
		s.HTTP, faults = c.HTTP.compile(at.Get("http"))
		ds = append(ds, faults...)
	}
	if c.Command != nil {
		s.Command, faults = c.Command.compile(at.Get("command"))
		ds = append(ds, faults...)
	}
	if len(c.Env) > 0 {
		s.Env = make(map[string]string, len(c.Env))
	}
	for name, value := range c.Env {
		s.Env[name] = value.Value
	}
	if now := at.Get("now"); now.Form().Scalar() {
		var err error
		if s.Now, err = time.Parse(time.RFC3339, c.Now.Value); err != nil {
			ds = append(ds, now.Want("a time such as 2031-05-04T12:00:00Z"))
		}
	}
	return s, ds
}

func valuesOf(sections map[string]spec.Section) map[string]any {
	if len(sections) == 0 {
		return nil
	}
	values := make(map[string]any, len(sections))
	for name, sec := range sections {
		values[name] = sec.Value()
	}
	return values
}

func (c *httpStub) compile(at spec.Section) (*StubResponse, spec.Diagnostics) {
	r := &StubResponse{Status: c.Status, Header: http.Header{}}
	body, ds := oneBody(at, c.JSON, c.Text, c.Base64)
	r.Body = body
	if status := at.Get("status"); status.Form() == spec.FormNumber && (c.Status < 100 || c.Status > 599) {
		ds = append(ds, status.Want("a status from 100 to 599"))
	}
	switch {
	case !c.JSON.IsZero():
		r.Header.Set("Content-Type", "application/json")
	case !c.Text.IsZero():
		r.Header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	ds = append(ds, checkTestHeaders(at.Get("headers"))...)
	for name, values := range c.Headers {
		r.Header.Del(name)
		for _, value := range values {
			r.Header.Add(name, value)
		}
	}
	return r, ds
}

// checkTestHeaders refuses headers that no message has.
func checkTestHeaders(headers spec.Section) (ds spec.Diagnostics) {
	for _, f := range headers.Fields() {
		if !isToken(f.Key.Value) {
			ds.Add(f.Key.Pos, ruleTests, "%s: %q is not the name of a header", headers.Path(), f.Key.Value)
		}
		for _, value := range append(f.Value.Items(), f.Value) {
			if text, _ := value.Text(); headerFault(text.Value) != "" {
				ds = append(ds, value.Errorf(ruleTests, "%s", headerFault(text.Value)))
			}
		}
	}
	return ds
}

func (c *commandStub) compile(at spec.Section) (*StubProcess, spec.Diagnostics) {
	p := &StubProcess{Stdout: c.Stdout, Stderr: c.Stderr, ExitCode: c.ExitCode}
	for name, content := range c.Files {
		if p.Files == nil {
			p.Files = map[string][]byte{}
		}
		p.Files[name] = content
	}
	ds := checkStubFiles(at.Get("files"))
	if code := at.Get("exitCode"); code.Form() == spec.FormNumber && (c.ExitCode < 0 || c.ExitCode > 255) {
		ds = append(ds, code.Want("an exit code from 0 to 255"))
	}
	return p, ds
}

// checkStubFiles refuses paths that lead out of dir.scratch, and those of which one would have to be a file and a directory.
func checkStubFiles(files spec.Section) (ds spec.Diagnostics) {
	paths := map[string]string{} // as written
	for _, f := range files.Fields() {
		name := stubFile(f.Key.Value)
		switch earlier, twice := paths[name]; {
		case !filepath.IsLocal(name) || name == "." || strings.Contains(name, "\x00"):
			ds.Add(f.Key.Pos, ruleTests, "%s: want a path in dir.scratch such as out/chart.png, have %q", files.Path(), f.Key.Value)
		case twice:
			ds.Add(f.Key.Pos, ruleTests, "%s: %q is the same file as %q", files.Path(), f.Key.Value, earlier)
		}
		if paths[name] == "" {
			paths[name] = f.Key.Value
		}
	}
	for _, f := range files.Fields() {
		for dir := filepath.Dir(stubFile(f.Key.Value)); dir != "." && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if file, ok := paths[dir]; ok {
				ds.Add(f.Key.Pos, ruleTests, "%s: %q cannot be beside %q, which is a file", files.Path(), f.Key.Value, file)
			}
		}
	}
	return ds
}

// stubHeader is the values of one header.
type stubHeader []string

// DecodeSection takes a text, or a list of texts.
func (h *stubHeader) DecodeSection(sec spec.Section) (ds spec.Diagnostics) {
	values := sec.Items()
	if sec.Form() != spec.FormList {
		values = []spec.Section{sec}
	}
	for _, value := range values {
		text, ok := value.Text()
		if !ok {
			ds = append(ds, value.Want("a text, or a list of texts"))
		}
		*h = append(*h, text.Value)
	}
	return ds
}

// DescribeSection says so to editors.
func (*stubHeader) DescribeSection() spec.Grammar {
	text := spec.GrammarOf(spec.Text{})
	return spec.Grammar{"anyOf": []spec.Grammar{text, {"type": "array", "items": text}}}
}

// stubBytes are what a program writes.
type stubBytes []byte

// bytesConfig is bytes that are more than a text.
type bytesConfig struct {
	JSON   spec.Section `spec:"json,one" doc:"The bytes as JSON."`
	Text   spec.Text    `spec:"text,one" doc:"The bytes as text."`
	Base64 spec.Text    `spec:"base64,one" doc:"The bytes as base64."`
}

// Grammars says that any JSON is.
func (bytesConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"json": {}, "base64": base64Grammar()}
}

// DecodeSection takes a text, or one of json, text and base64.
func (b *stubBytes) DecodeSection(sec spec.Section) spec.Diagnostics {
	if text, ok := sec.Text(); ok {
		*b = []byte(text.Value)
		return nil
	}
	if sec.Form() != spec.FormMap {
		return spec.Diagnostics{sec.Want("a text, or one of {json, text, base64}")}
	}
	var c bytesConfig
	ds := sec.Decode(&c)
	if ds.HasErrors() {
		return ds
	}
	*b, ds = oneBody(sec, c.JSON, c.Text, c.Base64)
	return ds
}

// DescribeSection says so to editors.
func (*stubBytes) DescribeSection() spec.Grammar {
	return spec.Grammar{"anyOf": []spec.Grammar{spec.GrammarOf(spec.Text{}), spec.GrammarOf(bytesConfig{})}}
}

// oneBody is the bytes that one of three keys of a section gives.
func oneBody(at, json spec.Section, text, encoded spec.Text) ([]byte, spec.Diagnostics) {
	var given []string
	for _, key := range []string{"json", "text", "base64"} {
		if !at.Get(key).IsZero() {
			given = append(given, key)
		}
	}
	switch {
	case len(given) > 1:
		return nil, spec.Diagnostics{at.Get(given[1]).Errorf(ruleTests, "want one of json, text and base64, have %s", strings.Join(given, " and "))}
	case !json.IsZero():
		return json.JSON(), nil
	case encoded.IsZero():
		return []byte(text.Value), nil
	}
	body, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(encoded.Value), ""))
	if err != nil {
		return nil, spec.Diagnostics{at.Get("base64").Errorf(ruleTests, "want base64, as in aGVsbG8=")}
	}
	return body, nil
}
