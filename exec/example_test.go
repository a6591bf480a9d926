package exec_test

import (
	"context"
	"fmt"
	"strings"

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

// A kind of one's own: its config is declared, decoded strictly, and becomes an executor.
func ExampleKindOf() {
	type repeatConfig struct {
		Text  string `spec:"text,required" doc:"What is said."`
		Times int    `spec:"times" doc:"How often."`
	}
	kinds := exec.StandardKinds()
	kinds["repeat"] = exec.KindOf("Says a text several times.", func(_ *exec.Site, c *repeatConfig) (exec.Executor, spec.Diagnostics) {
		return exec.ExecutorFunc(func(context.Context, *exec.Call) (any, error) {
			return strings.Repeat(c.Text, c.Times), nil
		}), nil
	})
	for _, executor := range []string{"{repeat: {text: ha, times: 2}}", "{repeat: {text: hip, time: 2}}"} {
		s, ds := spec.Parse("cheer.yaml", []byte("name: cheer\ndescription: Cheers.\nexecutor: "+executor+"\n"))
		tool, faults := kinds.Compile(nil, s)
		if ds = append(ds, faults...); ds.HasErrors() {
			fmt.Println(ds[0].Error())
			continue
		}
		fmt.Println(*tool.Call(context.Background(), exec.Call{}).Content[0].Text)
	}
	// Output:
	// haha
	// cheer.yaml:3:32: unknown key executor.repeat.time: did you mean times?
}
