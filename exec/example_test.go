package exec_test

import (
	"context"
	"fmt"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

func ExampleKinds_Compile() {
	s, ds := spec.Parse("add.yaml", []byte(`
name: add
description: Adds two numbers.
inputSchema:
  type: object
  required: [a]
  properties: {a: {type: integer}, b: {type: integer, default: 1}}
executor: {expr: input.a + input.b}
`))
	if ds.HasErrors() {
		fmt.Println(ds)
		return
	}
	kinds := exec.StandardKinds()
	delete(kinds, "command") // files of this program run no commands
	tool, ds := kinds.Compile(&exec.Env{Policy: exec.DefaultPolicy()}, s)
	if ds.HasErrors() {
		fmt.Println(ds)
		return
	}
	for _, input := range []string{`{"a": 41}`, `{"a": "many"}`} {
		r := tool.Call(context.Background(), exec.Call{Use: spec.ToolUse{ID: "1", Name: "add", Input: []byte(input)}})
		fmt.Println(r.Status, *r.Content[0].Text)
	}
	// Output:
	// success 42
	// error Error: Field `a`: must be an integer, was "many"
}
