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

// A directory that a registry is kept true to, until ctx is done.
func ExampleLoader() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	reg := registry.New()
	l := loader.New(reg, "testdata/none", exec.StandardKinds(), nil, loader.Options{})
	l.Sync() // the first load: what is called from here on finds its tools
	go func() { _ = l.Run(ctx) }()
	fmt.Println(reg.Snapshot().Generation(), l.Status().Missing)
	// Output: 0 true
}
