package loader_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/gofunc"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// Tool files that a program carries with it, one of which names a Go function of the program.
func ExampleLoad() {
	type square struct{ Side float64 }
	area := gofunc.Func(func(_ context.Context, in square) (float64, error) { return in.Side * in.Side, nil })
	env := &exec.Env{Funcs: map[string]exec.Executor{"area": area}}
	files := fstest.MapFS{"square.yaml": {Data: []byte("{name: square, description: Area of a square., executor: {func: area}}")}}

	reg := registry.New()
	tools, diagnostics := loader.Load(files, exec.StandardKinds(), env)
	reg.Replace("mine", tools, diagnostics)

	use := spec.ToolUse{Name: "square", Input: []byte(`{"Side": 3}`)}
	result := reg.Snapshot().Call(context.Background(), exec.Call{Use: use})
	fmt.Println(result.Status, *result.Content[0].Text)
	// Output: success 9
}

// A directory of tool files, one of which names a Go function of the program, kept true until ctx is done.
func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	type query struct {
		City string `json:"city" jsonschema:"name of the city, such as Oslo"`
	}
	weather := gofunc.Func(func(ctx context.Context, in query) (string, error) { return in.City + ": 21 °C", nil })
	env := &exec.Env{Funcs: map[string]exec.Executor{"weather": weather}}
	reg := registry.New()
	tools := loader.New(reg, "testdata/tools", exec.StandardKinds(), env, loader.Options{})
	go tools.Run(ctx)
	<-tools.Loaded()

	use := spec.ToolUse{ID: "1", Name: "weather", Input: []byte(`{"city": "Oslo"}`)}
	result := reg.Snapshot().Call(ctx, exec.Call{Use: use})
	fmt.Println(result.Status, *result.Content[0].Text)
	// Output: success Oslo: 21 °C
}
