package gofunc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// Func is a Go function as an executor. In is a struct (its fields by their json tags, described by jsonschema:"…"
// tags, optional where the json tag says omitempty) or a map with string keys; Out is anything JSON has a form for.
// An error of the function becomes the message of a result; best is an [*spec.Error]. A panic is a result too.
//
// The function must heed its context: a call is answered when the function has returned, however late that is. The
// [exec.Call] it serves is in the context, see [exec.CallFrom].
//
// What cannot be read from the types is said when a tool is made of the executor.
func Func[In, Out any](fn func(context.Context, In) (Out, error)) exec.Executor {
	return &function[In, Out]{
		fn:     fn,
		input:  sync.OnceValues(inputSchema[In]),
		output: sync.OnceValues(outputSchema[Out]),
	}
}

type function[In, Out any] struct {
	fn            func(context.Context, In) (Out, error)
	input, output func() (*spec.Schema, error)
}

// InputSchema is the schema of In.
func (f *function[In, Out]) InputSchema() (*spec.Schema, error) { return f.input() }

// OutputSchema is the schema of Out; nil where Out is not an object.
func (f *function[In, Out]) OutputSchema() (*spec.Schema, error) { return f.output() }

// Execute calls the function.
func (f *function[In, Out]) Execute(ctx context.Context, call *exec.Call) (any, error) {
	var in In
	if err := decode(call.Args, &in); err != nil {
		return nil, err
	}
	out, err := f.fn(call.Context(ctx), in)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// decode takes the way through JSON text, on which numbers keep their digits: an int64 is exact.
func decode(args map[string]any, into any) error {
	if m, ok := into.(*map[string]any); ok {
		*m = args
		return nil
	}
	text, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("the input does not encode: %w", err)
	}
	err = json.NewDecoder(bytes.NewReader(text)).Decode(into)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return &spec.Error{Code: spec.CodeInvalidInput, Err: err, Message: fmt.Sprintf("Field `%s`: %s does not fit into %s", wrong.Field, wrong.Value, wrong.Type)}
	case err != nil:
		return &spec.Error{Code: spec.CodeInvalidInput, Err: err, Message: err.Error()}
	}
	return nil
}
