package exec

import (
	"context"

	"github.com/toolspec/toolspec/spec"
)

// Tool is a spec bound to its executor. It is immutable and safe for concurrent calls.
type Tool struct {
	Spec   *spec.Spec // Input is never nil here
	Digest string     // over contract, executor and the scripts it names

	missing string
}

// Compile binds a spec to the executor that its kind makes.
func (k Kinds) Compile(env *Env, s *spec.Spec) (*Tool, spec.Diagnostics) {
	return nil, nil
}

// Unavailable is why the tool cannot work on this machine now; empty if it can.
func (t *Tool) Unavailable() string { return t.missing }

// Call accepts the input, executes, and shapes the result. Whatever goes wrong is a result of status error.
func (t *Tool) Call(ctx context.Context, call Call) spec.ToolResult {
	return spec.ToolResult{}
}
