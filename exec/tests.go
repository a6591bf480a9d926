package exec

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// ruleTests is the rule of every diagnostic about a test that is written wrong.
const ruleTests = "tests"

// Test is one entry of a tool file's tests, compiled: a call, what stands in for the world, and what must come of it.
type Test struct {
	Name   string
	Pos    spec.Pos
	Input  json.RawMessage
	Stub   *Stub // never nil: no test touches the world
	Expect Expect

	that *Expr // nil: nothing is asked
	at   spec.Section
}

// testConfig is an entry of the section tests of a tool file.
type testConfig struct {
	Name   spec.Text    `spec:"name" doc:"What the test shows, in a few words; no other test of the file has the name. Default: its number, from 1."`
	Input  spec.Section `spec:"input" doc:"The input of the call, as a model gives it: defaults are filled, and what is wrong is refused. Default: {}."`
	Stub   stubConfig   `spec:"stub" doc:"What stands in for the world: answers to requests, commands, steps and tools, and what the call finds around it."`
	Expect Expect       `spec:"expect" doc:"What must come of the call. Default: success."`
}

// Expect is what must come of a test. What it does not say is not looked at, but for the status.
type Expect struct {
	Status  spec.Text        `spec:"status" doc:"success (the default) or error."`
	Text    spec.Text        `spec:"text" doc:"A text that the text of the result contains."`
	JSON    spec.Section     `spec:"json" doc:"What the result's JSON, else the tool's value, holds: of a map the keys given here, of a list all entries, in their order."`
	Argv    []spec.Text      `spec:"argv" doc:"The command that is run: the program as the file has it, and each argument."`
	Request *ExpectedRequest `spec:"request" doc:"The request that is sent: each key given here, exactly."`
	That    spec.Text        `spec:"that" doc:"An expression over input and result that must be true."`
}

// ExpectedRequest is a request that a test must send. Of the body at most one of JSON, Text and Base64 is given.
type ExpectedRequest struct {
	Method  spec.Text            `spec:"method" doc:"GET, POST, …"`
	URL     spec.Text            `spec:"url" doc:"All of the url, as it is sent: values encoded, the query with it."`
	Headers map[string]spec.Text `spec:"headers" doc:"Headers and their values; others may be sent too. Several values are joined with a comma and a space."`
	JSON    spec.Section         `spec:"json" doc:"The body as JSON, all of it."`
	Text    spec.Text            `spec:"text" doc:"The body as text, all of it."`
	Base64  spec.Text            `spec:"base64" doc:"The body as base64, all of it."`
}

// Tests are the tests of the tool's file, in its order.
func (t *Tool) Tests() []*Test { return t.tests }

// At is the place of what a JSON pointer names in the test, such as /expect/text; of its nearest parent where it has
// none.
func (t *Test) At(pointer string) spec.Pos { return t.at.At(pointer) }

// compileTests compiles the section; what is wrong in it is wrong with the file.
func (s *Site) compileTests(executor Executor) ([]*Test, spec.Diagnostics) {
	var configs []testConfig
	if s.Spec.Tests.IsZero() {
		return nil, nil
	}
	ds := s.Spec.Tests.Decode(&configs)
	tests := make([]*Test, len(configs))
	names := map[string]spec.Pos{}
	for i, item := range s.Spec.Tests.Items() {
		c := &configs[i]
		if c.Name.IsZero() {
			c.Name = spec.Text{Value: strconv.Itoa(i + 1), Pos: item.Pos()}
		}
		if first, twice := names[c.Name.Value]; twice && c.Name.Value != "" {
			ds.Add(c.Name.Pos, ruleTests, "%s.name: there is a test %q already, in line %d", item.Path(), c.Name.Value, first.Line)
		}
		names[c.Name.Value] = c.Name.Pos
		test, faults := s.compileTest(c, item, executor)
		tests[i], ds = test, append(ds, faults...)
	}
	return tests, ds
}

func (s *Site) compileTest(c *testConfig, at spec.Section, executor Executor) (*Test, spec.Diagnostics) {
	t := &Test{Name: strings.TrimSpace(c.Name.Value), Pos: at.Pos(), Expect: c.Expect, at: at}
	var ds spec.Diagnostics
	if name := at.Get("name"); t.Name == "" && name.Form().Scalar() {
		ds = append(ds, name.Errorf(ruleTests, "want a few words on what the test shows, have nothing"))
	}
	if !c.Input.IsZero() {
		t.Input = c.Input.JSON()
	}
	var faults spec.Diagnostics
	t.Stub, faults = c.Stub.compile(at.Get("stub"))
	ds = append(ds, faults...)
	ds = append(ds, s.checkStub(at.Get("stub"), executor)...)
	ds = append(ds, s.checkExpect(&c.Expect, at.Get("expect"))...)
	if !c.Expect.That.IsZero() {
		t.that, faults = s.compileThat(c.Expect.That)
		ds = append(ds, faults...)
	}
	return t, ds
}

// checkStub refuses what would stand in for nothing: most of all a misspelled step.
func (s *Site) checkStub(stub spec.Section, executor Executor) (ds spec.Diagnostics) {
	idle := func(key, why string) {
		if at := stub.Get(key); !at.IsZero() {
			ds = append(ds, at.Errorf(ruleTests, "it stands in for nothing: %s", why))
		}
	}
	p, isPipeline := executor.(*pipeline)
	if !isPipeline && executor != nil {
		idle("steps", "the executor is no pipeline")
		idle("tools", "the executor is no pipeline, whose steps call tools")
	}
	if isPipeline {
		for _, f := range stub.Get("steps").Fields() {
			if !slices.Contains(p.ids(), f.Key.Value) {
				ds = append(ds, spec.UnknownKey(stub.Get("steps"), f.Key, p.ids(), nil))
			}
		}
	}
	for _, f := range stub.Get("env").Fields() {
		if name := f.Key.Value; name != "PATH" && !inherits(name) && !slices.Contains(s.Env.Policy.EnvNames, name) {
			ds = append(ds, spec.UnknownKey(stub.Get("env"), f.Key, s.Env.Policy.EnvNames, nil))
		}
	}
	switch s.Spec.Kind {
	case "command":
		idle("http", "the executor is a command")
	case "http":
		idle("command", "the executor is a request")
	case "expr":
		idle("http", "the executor is an expression")
		idle("command", "the executor is an expression")
	}
	return ds
}

// checkExpect checks what of an expectation can be wrong whatever the call does.
func (s *Site) checkExpect(e *Expect, at spec.Section) (ds spec.Diagnostics) {
	if status := at.Get("status"); status.Form().Scalar() && e.Status.Value != string(spec.StatusSuccess) && e.Status.Value != string(spec.StatusError) {
		ds = append(ds, status.Want("success or error"))
	}
	argv, request := at.Get("argv"), at.Get("request")
	switch {
	case argv.Form() == spec.FormList && len(argv.Items()) == 0:
		ds = append(ds, argv.Errorf(ruleTests, "want the program and its arguments, have an empty list"))
	case !argv.IsZero() && slices.Contains([]string{"http", "expr", "func"}, s.Spec.Kind):
		ds = append(ds, argv.Errorf(ruleTests, "there is no command: the executor is of kind %s", s.Spec.Kind))
	}
	if !request.IsZero() && slices.Contains([]string{"command", "expr", "func"}, s.Spec.Kind) {
		ds = append(ds, request.Errorf(ruleTests, "there is no request: the executor is of kind %s", s.Spec.Kind))
	}
	if e.Request == nil {
		return ds
	}
	_, faults := oneBody(request, e.Request.JSON, e.Request.Text, e.Request.Base64)
	return append(append(ds, faults...), checkTestHeaders(request.Get("headers"))...)
}

// compileThat compiles a condition over the input and the result.
func (s *Site) compileThat(text spec.Text) (*Expr, spec.Diagnostics) {
	input := open()
	if s.Spec.Input != nil {
		input = s.Spec.Input.Shape()
	}
	site := &Site{
		Env: &Env{}, Spec: &spec.Spec{}, onlyScope: true, needs: &needs{},
		scope: map[string]*spec.Shape{"input": input, "result": resultShape()},
	}
	return site.Condition(text)
}

// resultShape is a result as it travels.
func resultShape() *spec.Shape {
	object := func(fields map[string]*spec.Shape, sure ...string) *spec.Shape {
		s := &spec.Shape{Types: []string{"object"}, Fields: fields, Sure: map[string]bool{}}
		for _, name := range sure {
			s.Sure[name] = true
		}
		return s
	}
	of := func(kind string) *spec.Shape { return &spec.Shape{Types: []string{kind}} }
	block := map[string]*spec.Shape{"text": of("string"), "json": open()}
	for _, name := range []string{"image", "document", "audio", "video", "resource"} {
		block[name] = open()
	}
	metadata := object(map[string]*spec.Shape{
		"generation": of("integer"), "digest": of("string"), "durationMs": of("number"), "truncated": of("boolean"),
		"repaired": {Types: []string{"array"}, Items: of("string")},
		"error":    object(map[string]*spec.Shape{"code": of("string"), "retryable": of("boolean"), "exitCode": of("integer"), "signal": of("string")}, "code", "retryable"),
	}, "durationMs")
	return object(map[string]*spec.Shape{
		"toolUseId": of("string"), "status": of("string"), "metadata": metadata,
		"content": {Types: []string{"array"}, Items: object(block)},
	}, "toolUseId", "status", "metadata", "content")
}

// Holds tells whether what the test asks with that is true; true where it asks nothing.
func (t *Test) Holds(ctx context.Context, input map[string]any, result spec.ToolResult) (bool, error) {
	if t.that == nil {
		return true, nil
	}
	plain, err := spec.Plain(result)
	if err != nil {
		return false, err
	}
	vars := &Vars{name: "input", value: maps.Clone(input), call: &Call{Stub: t.Stub}}
	yes, err := t.that.Eval(ctx, vars.With("result", plain))
	return yes == true, err
}
