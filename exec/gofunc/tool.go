package gofunc

import (
	"context"
	"encoding/json"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// Option says more of a tool than [Tool] asks for.
type Option func(*contract)

// contract is a tool file, whose executor is the function.
type contract struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Title       string            `json:"title,omitempty"`
	Tags        []string          `json:"tags,omitempty"`
	Annotations *spec.Annotations `json:"annotations,omitempty"`
	Timeout     string            `json:"timeout,omitempty"`
	Executor    map[string]string `json:"executor"`

	env *exec.Env
}

// WithTitle gives the tool a name for people.
func WithTitle(title string) Option { return func(c *contract) { c.Title = title } }

// WithTags gives it words to be selected by.
func WithTags(tags ...string) Option { return func(c *contract) { c.Tags = tags } }

// WithAnnotations gives MCP's hints.
func WithAnnotations(a spec.Annotations) Option { return func(c *contract) { c.Annotations = &a } }

// WithTimeout says how long one call may take; 30 s unless said.
func WithTimeout(d time.Duration) Option { return func(c *contract) { c.Timeout = d.String() } }

// WithEnv gives the tool the policy, middleware, observer and log of a program's other tools.
func WithEnv(env *exec.Env) Option { return func(c *contract) { c.env = env } }

// Tool is a tool without a file: its schemas are those of the function's types, and everything that is checked in a
// tool file is checked here. The error is a [spec.Diagnostics].
func Tool[In, Out any](name, description string, fn func(context.Context, In) (Out, error), options ...Option) (*exec.Tool, error) {
	c := contract{Name: name, Description: description, Executor: map[string]string{"func": name}}
	for _, option := range options {
		option(&c)
	}
	file, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	s, ds := spec.Parse("go:"+name+".json", file)
	if ds.HasErrors() {
		return nil, ds
	}
	env := &exec.Env{Funcs: map[string]exec.Executor{name: Func(fn)}}
	if c.env != nil {
		env.Policy, env.Middleware, env.Observe, env.Admit = c.env.Policy, c.env.Middleware, c.env.Observe, c.env.Admit
		env.WorkDir, env.Log = c.env.WorkDir, c.env.Log
	}
	t, ds := exec.StandardKinds().Compile(env, s)
	if ds.HasErrors() {
		return nil, ds
	}
	return t, nil
}
