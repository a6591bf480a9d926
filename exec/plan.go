package exec

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Plan is one thing that a call does, exactly as it is done, told to [Call.Planned] just before. One of its parts is set.
type Plan struct {
	Step    string          `json:"step,omitempty"` // ids of the steps that lead here, as in place/0 or days[2]; empty without a pipeline
	Command *PlannedCommand `json:"command,omitempty"`
	Request *PlannedRequest `json:"request,omitempty"`
	Func    *PlannedFunc    `json:"func,omitempty"`
	Tool    *PlannedFunc    `json:"tool,omitempty"` // what that tool does itself follows as plans of its own
	Expr    string          `json:"expr,omitempty"` // the expression's text

	// What follows is told by a dry run alone.
	Value    json.RawMessage `json:"value,omitempty"`    // of the expression
	Kind     string          `json:"kind,omitempty"`     // of an executor of which no more can be told
	Skipped  bool            `json:"skipped,omitempty"`  // the step is not run: its when is false
	Waits    []string        `json:"waits,omitempty"`    // the values that the step needs, as steps.ID, and that only a call finds
	Template any             `json:"template,omitempty"` // of a step that waits: what its file says
	From     []Source        `json:"from,omitempty"`     // where the values come from that all this is made of
}

// PlannedCommand is a process to be started.
type PlannedCommand struct {
	Program   string            `json:"program"` // absolute; in a stubbed call, or where it was not found, as the file has it
	Argv      []string          `json:"argv"`
	Dir       string            `json:"cwd"`
	Env       map[string]string `json:"env"`       // what the tool adds, the variables of its input too
	Inherited []string          `json:"inherited"` // names of what comes from the server's environment
	Stdin     string            `json:"stdin,omitempty"`
	Sandbox   *Granted          `json:"sandbox,omitempty"` // nil: it is not confined
}

// PlannedRequest is the first request of the kind http; those that redirects ask for are not told.
type PlannedRequest struct {
	Method string
	URL    string
	Header http.Header // names as HTTP writes them; Host and Content-Length follow from the rest
	Body   []byte      // in JSON a text, or bodyBase64
	Tries  int         // how often it is made at most; in JSON attempts; 0: once
}

// MarshalJSON writes a body that is text as text.
func (r PlannedRequest) MarshalJSON() ([]byte, error) {
	out := struct {
		Method string      `json:"method"`
		URL    string      `json:"url"`
		Header http.Header `json:"headers"`
		Body   string      `json:"body,omitempty"`
		Base64 []byte      `json:"bodyBase64,omitempty"`
		Tries  int         `json:"attempts,omitempty"`
	}{Method: r.Method, URL: r.URL, Header: r.Header, Tries: r.Tries}
	if utf8.Valid(r.Body) {
		out.Body = string(r.Body)
	} else {
		out.Base64 = r.Body
	}
	return []byte(renderJSON(out)), nil
}

// PlannedFunc is a Go function, or a tool that a step calls, with its arguments.
type PlannedFunc struct {
	Name        string `json:"name"`
	Input       any    `json:"input"`
	Unavailable string `json:"unavailable,omitempty"` // why it would fail; told by a dry run alone
}

// tell tells who asked of what is about to be done; making it costs something, so it is made only then.
func (c *Call) tell(plan func() Plan) {
	if c.Planned == nil {
		return
	}
	p := plan()
	p.Step = c.step
	if c.dry != nil {
		p.From = c.dry.sources(c, p)
	}
	c.Planned(p)
}

// plan is the process as it is told. What is inherited is told by name alone, unless the tool sets it too.
func (p *process) plan() Plan {
	c := &PlannedCommand{Program: p.path, Argv: p.argv, Dir: p.dir, Env: map[string]string{}, Inherited: []string{}, Stdin: p.stdin, Sandbox: p.granted}
	for _, pair := range p.env[p.inherited:] {
		name, value, _ := strings.Cut(pair, "=")
		c.Env[name] = value
	}
	for _, pair := range p.env[:p.inherited] {
		name, _, _ := strings.Cut(pair, "=")
		if _, set := c.Env[name]; !set {
			c.Inherited = append(c.Inherited, name)
		}
	}
	return Plan{Command: c}
}

// planOf is the request as it is told.
func (h *httpRequest) planOf(o *outgoing) func() Plan {
	return func() Plan {
		p := o.plan()
		if h.attempts > 1 {
			p.Request.Tries = h.attempts
		}
		return p
	}
}

func (o *outgoing) plan() Plan {
	r := &PlannedRequest{Method: o.method, URL: o.url.String(), Header: o.header.Clone()}
	if o.header["Range"] == nil {
		r.Header["Accept-Encoding"] = acceptEncoding
	}
	if o.body != nil {
		body := o.body.open()
		defer body.Close()
		r.Body, _ = io.ReadAll(body) // what cannot be read is said when it is sent
	}
	return Plan{Request: r}
}
