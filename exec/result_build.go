package exec

import (
	"context"
	"strconv"

	"github.com/toolspec/toolspec/spec"
)

// build makes the blocks of result.content; if they are one json block, that is the tool's value.
func (r *result) build(ctx context.Context, call *Call, out *outcome) error {
	out.content = make([]spec.Content, 0, len(r.content))
	for i, b := range r.content {
		c, made, err := b.build(ctx, call, r)
		if err != nil {
			e := *spec.AsError(err)
			e.Message, e.Err = "result.content["+strconv.Itoa(i)+"]: "+e.Message, err
			return &e
		}
		if made {
			out.content = append(out.content, c)
		}
	}
	if len(out.content) == 1 && out.content[0].JSON != nil {
		value, err := spec.Plain(out.content[0].JSON)
		if err != nil {
			return err
		}
		out.value = value
	}
	return nil
}

// envelop puts the value into the envelope {status, message, data, instruction}, where the file asks for one.
func (r *result) envelop(ctx context.Context, call *Call, out *outcome) error {
	if r.message == nil && r.instruction == nil {
		return nil
	}
	envelope := map[string]any{"status": "success", "data": out.value}
	for _, each := range []struct {
		key  string
		text *Template
	}{{"message", r.message}, {"instruction", r.instruction}} {
		if each.text == nil {
			continue
		}
		text, null, err := each.text.text(ctx, call.Vars())
		if err != nil {
			return err
		}
		if !null || !each.text.whole() {
			envelope[each.key] = text
		}
	}
	c, err := spec.JSONBlock(envelope)
	out.content = []spec.Content{c}
	return err
}

// outputShape is what is known of output when the file is read: nothing.
func (s *Site) outputShape() *spec.Shape { return nil }

// shownBy are the names that an executor leaves behind for the expressions of result.
func shownBy(kind string, executor Executor) map[string]*spec.Shape {
	if shows, ok := executor.(interface{ shows() map[string]*spec.Shape }); ok {
		return shows.shows()
	}
	switch kind {
	case "http":
		return map[string]*spec.Shape{"response": closed("status", "headers")}
	case "command":
		return map[string]*spec.Shape{"process": closed("exitCode", "stdout", "stderr")}
	case "pipeline": // one that is wrong
		return map[string]*spec.Shape{"steps": open()}
	case "expr", "func":
		return nil
	}
	if executor == nil { // of a kind that is not known
		return map[string]*spec.Shape{"response": open(), "process": open(), "steps": open()}
	}
	return nil
}

// closed is an object of these fields and no others; nothing is known of their values, and any may be null.
func closed(fields ...string) *spec.Shape {
	s := &spec.Shape{Types: []string{"object"}, Fields: map[string]*spec.Shape{}, Sure: map[string]bool{}}
	for _, name := range fields {
		s.Fields[name] = open()
	}
	return s
}
