package exec

import (
	"context"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// resultConfig is the section result of a tool file.
type resultConfig struct {
	Error       spec.Section   `spec:"error" doc:"Null: no error. A text, or {text, code, retryable}: the call failed, whatever the executor says."`
	Suggestion  spec.Text      `spec:"suggestion" doc:"What to do instead; goes with every error of this tool."`
	Content     []spec.Section `spec:"content" doc:"The blocks of the result: text, json, image, document, audio, video, resource. Default: what the value itself makes."`
	Message     spec.Text      `spec:"message" doc:"With message or instruction the content is one json block {status, message, data, instruction}."`
	Instruction spec.Text      `spec:"instruction" doc:"What the model should do with the result."`
	Limit       limitConfig    `spec:"limit" doc:"How large the result may be."`
}

// Words are the keys of versions to come.
func (*resultConfig) Words() map[string]string {
	return map[string]string{
		"":      "what the model reads is a list of blocks: write result: {content: [{text: …}]}",
		"state": spec.NoState, "self": spec.NoState, "actions": spec.NotSupported, "artifacts": spec.NoArtifacts,
		"text": "put it into the list content, as - text: …", "json": "put it into the list content, as - json: …",
		"output": "content", "errors": "error", "max": "limit",
	}
}

// Grammars says what may stand in these sections.
func (*resultConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{
		"error":   {"anyOf": []spec.Grammar{spec.GrammarOf(spec.Text{}), spec.GrammarOf(faultConfig{})}},
		"content": {"items": spec.GrammarOf(blockConfig{})},
	}
}

// result is how a tool's value becomes the result that the model reads.
type result struct {
	quiet       bool // the file says nothing of the result, so that no expression looks at output
	fault       *fault
	suggestion  *Template
	content     []block // nil: what the value itself makes
	message     *Template
	instruction *Template
	limit       limit
	output      *spec.Schema
	read        int64 // the most that is taken from a file
	theirs      bool  // what the executor answers, a server may have written
}

// outcome is what came of a call that did not fail in the executor.
type outcome struct {
	value   any            // the tool's value, plain
	content []spec.Content // nil: what the value itself makes
	failed  *spec.Error    // the executor answered a ready result of status error
}

// compileResult compiles the section in the scope that an executor of this kind leaves behind.
func (s *Site) compileResult(executor Executor) (*result, spec.Diagnostics) {
	var c resultConfig
	site := s.withoutSecrets().With("output", s.outputShape())
	r := &result{quiet: s.Spec.Result.IsZero(), output: s.Spec.Output, read: int64(s.Env.Policy.Defaults.Read)}
	r.theirs = s.Spec.Kind == "http" || s.Spec.Kind == "pipeline"
	var ds spec.Diagnostics
	if !s.Spec.Result.IsZero() {
		ds = s.Spec.Result.Decode(&c)
	}
	add := func(faults spec.Diagnostics) { ds = append(ds, faults...) }
	limit, faults := s.compileLimit(c.Limit)
	r.limit = limit
	add(faults)
	for name, shape := range shownBy(s.Spec.Kind, executor) {
		site = site.With(name, shape)
	}
	for _, each := range []struct {
		text spec.Text
		into **Template
	}{{c.Suggestion, &r.suggestion}, {c.Message, &r.message}, {c.Instruction, &r.instruction}} {
		if !each.text.IsZero() {
			t, faults := site.Template(each.text)
			*each.into = t
			add(faults)
		}
	}
	r.fault, faults = site.compileFault(c.Error)
	add(faults)
	r.content, faults = site.compileBlocks(s.Spec.Result.Get("content"), c.Content)
	add(faults)
	add(c.checkEnvelope(s.Spec.Result))
	return r, ds
}

// checkEnvelope keeps blocks from being lost in an envelope, which has room for one.
func (c *resultConfig) checkEnvelope(sec spec.Section) spec.Diagnostics {
	if c.Message.IsZero() && c.Instruction.IsZero() || len(c.Content) == 0 {
		return nil
	}
	if len(c.Content) == 1 && !c.Content[0].Get("json").IsZero() {
		return nil
	}
	return spec.Diagnostics{sec.Get("content").Errorf("result", "with message or instruction the result is one json block; content may hold one json entry, which becomes its data")}
}

// shape makes the outcome of what the executor answered. Where the executor failed, value may still be what it had
// got, such as the parsed body of a refusal; an expression of result never hides the executor's own error.
func (r *result) shape(ctx context.Context, call *Call, value any, err error) (*outcome, error) {
	if e, ok := value.(error); ok && err == nil {
		value, err = nil, e
	}
	if err != nil {
		return nil, r.explained(ctx, call, value, err)
	}
	ready, isResult, err := spec.AsResult(value)
	if err == nil && r.theirs {
		err = checkNoLocation(ready.Content)
	}
	if err != nil {
		return nil, err
	}
	if isResult && ready.Status == spec.StatusError {
		return &outcome{content: ready.Content, failed: failureOf(ready)}, nil
	}
	out := &outcome{content: ready.Content}
	if out.value, err = spec.Plain(value); err != nil {
		return nil, err
	}
	if err := r.say(ctx, call, out); err != nil {
		return nil, err
	}
	if isResult && r.content == nil && ready.Value != nil {
		out.value = ready.Value
	}
	if err := r.checkOutput(out.value); err != nil {
		return nil, err
	}
	return out, r.envelop(ctx, call, out)
}

// checkNoLocation refuses an answer that says where a medium lies instead of bringing it: whoever reads the result would fetch it with
// rights of their own, which the server that wrote the answer has not.
func checkNoLocation(content []spec.Content) error {
	for _, c := range content {
		for _, m := range []*spec.Media{c.Image, c.Document, c.Audio, c.Video} {
			if m != nil && m.Source.Location != nil {
				return spec.NewError(spec.CodeDenied, "the answer of the server names a place to fetch a file from, %s, which only a command or a Go function may", shorten(m.Source.Location.URI, 100))
			}
		}
	}
	return nil
}

// say makes of the outcome what the file says of it: an error, or its blocks.
func (r *result) say(ctx context.Context, call *Call, out *outcome) error {
	if r.quiet {
		return nil
	}
	call.Show("output", out.value)
	if r.fault != nil {
		if e, err := r.fault.eval(ctx, call.Vars()); err != nil {
			return err
		} else if e != nil {
			return e
		}
	}
	if r.content == nil {
		return nil
	}
	return r.build(ctx, call, out)
}

// explained is the executor's error, unless result.error has better words for it. It is asked only where there is
// something to judge by, an answer or at least its status: of a host that was never reached it would say the wrong thing.
func (r *result) explained(ctx context.Context, call *Call, value any, err error) error {
	if r.fault == nil || value == nil && !call.shown {
		return err
	}
	if value != nil {
		plain, fault := spec.Plain(value)
		if fault != nil {
			return err
		}
		call.Show("output", plain)
	}
	e, fault := r.fault.eval(ctx, call.Vars())
	if fault != nil {
		call.log().Debug("result.error failed", "tool", call.Use.Name, "error", fault)
		return err
	}
	if e == nil {
		return err
	}
	said := spec.AsError(err)
	e.Err, e.ExitCode, e.Signal = err, said.ExitCode, said.Signal
	return e
}

func failureOf(r spec.ToolResult) *spec.Error {
	info := r.Metadata.Error
	e := &spec.Error{Code: info.Code, Retryable: info.Retryable, Message: "the tool failed", ExitCode: info.ExitCode, Signal: info.Signal}
	for _, block := range r.Content {
		if block.Text != nil {
			e.Message = *block.Text
			break
		}
	}
	return e
}

// checkOutput holds the tool to its own word.
func (r *result) checkOutput(value any) error {
	if r.output == nil {
		return nil
	}
	if err := r.output.Validate(value); err != nil {
		return &spec.Error{Code: spec.CodeFailed, Err: err, Message: "the tool's answer does not fit its own outputSchema, which is the tool's fault, not the input's: " + spec.AsError(err).Message}
	}
	return nil
}

// present is the result of an outcome.
func (r *result) present(call *Call, out *outcome) spec.ToolResult {
	res := spec.ToolResult{ID: call.Use.ID, Status: spec.StatusSuccess, Content: out.content, Value: out.value}
	if out.failed != nil {
		res.Status, res.Value = spec.StatusError, nil
		res.Metadata.Error = out.failed.Info()
	} else if out.content == nil {
		block, err := spec.Convert(call.Use.ID, out.value)
		if err != nil {
			return spec.Failure(call.Use.ID, err)
		}
		res.Content = []spec.Content{block}
	}
	return res
}

// suggestionTime is what a suggestion may take after the call's own time is over.
const suggestionTime = time.Second

// failure is the result of an error, with the tool's suggestion.
func (r *result) failure(ctx context.Context, call *Call, err error) spec.ToolResult {
	res := spec.Failure(call.Use.ID, err)
	e := spec.AsError(err)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), suggestionTime)
	defer cancel()
	suggestion := r.words(ctx, call, r.suggestion)
	switch {
	case r.message != nil || r.instruction != nil:
		envelope := map[string]any{"status": "error", "message": e.Message}
		if suggestion != "" {
			envelope["suggestion"] = suggestion
		}
		if block, err := spec.JSONBlock(envelope); err == nil {
			res.Content = []spec.Content{block}
		}
	case suggestion != "":
		res.Content = []spec.Content{spec.TextBlock("Error: " + e.Message + "\n" + suggestion)}
	}
	return res
}

// words is a template's text; empty where it is null or fails.
func (r *result) words(ctx context.Context, call *Call, t *Template) string {
	if t == nil {
		return ""
	}
	text, _, err := t.text(ctx, call.Vars())
	if err != nil {
		call.log().Debug("result.suggestion failed", "tool", call.Use.Name, "error", err)
		return ""
	}
	return text
}
