package loader_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing/fstest"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// A Go program with tool files of its own, and a function of its own under the name area.
func Example() {
	env := &exec.Env{Funcs: map[string]exec.Executor{"area": exec.ExecutorFunc(func(_ context.Context, call *exec.Call) (any, error) {
		side, err := call.Args["side"].(json.Number).Float64()
		return side * side, err
	})}}
	files := fstest.MapFS{"square.yaml": {Data: []byte(`{name: square, description: Area of a square.,
  inputSchema: {type: object, required: [side], properties: {side: {type: number}}}, executor: {func: area}}`)}}
	reg := registry.New()
	tools, diagnostics := loader.Load(files, exec.StandardKinds(), env)
	reg.Replace("mine", tools, diagnostics)
	use := spec.ToolUse{ID: "1", Name: "square", Input: json.RawMessage(`{"side": 3}`)}
	fmt.Println(*reg.Snapshot().Call(context.Background(), exec.Call{Use: use}).Content[0].Text)
	// Output: 9
}
