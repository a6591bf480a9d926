package registry_test

import (
	"context"
	"fmt"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/gofunc"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// A registry with a Go function of the program's own.
func ExampleNew() {
	type numbers struct{ A, B int }
	add := func(_ context.Context, in numbers) (int, error) { return in.A + in.B, nil }
	tool, err := gofunc.Tool("add", "Adds two numbers.", add)
	if err != nil {
		fmt.Println(err)
		return
	}
	reg := registry.New()
	reg.Replace("go", []*exec.Tool{tool}, nil)

	use := spec.ToolUse{Name: "add", Input: []byte(`{"A": 1, "B": 2}`)}
	result := reg.Snapshot().Call(context.Background(), exec.Call{Use: use})
	fmt.Println(result.Status, *result.Content[0].Text)
	// Output: success 3
}
