package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/serve"
	"github.com/toolspec/toolspec/spec"
)

func ExampleHandler() {
	file, _ := spec.Parse("shout.yaml", []byte(`
name: shout
description: Says it louder.
inputSchema: {type: object, required: [text], properties: {text: {type: string}}}
executor: {expr: upper(input.text)}
`))
	tool, _ := exec.StandardKinds().Compile(&exec.Env{Policy: exec.DefaultPolicy()}, file)
	tools := registry.New()
	tools.Replace("go", []*exec.Tool{tool}, nil)

	handler := serve.Handler(context.Background(), tools, serve.Options{})

	answer := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodPost, "http://localhost/v1/tools/shout", strings.NewReader(`{"text": "hello"}`))
	request.Header.Set("Content-Type", "application/json")
	handler.ServeHTTP(answer, request)
	fmt.Println(answer.Code, strings.Contains(answer.Body.String(), `"content":[{"text":"HELLO"}]`))
	// Output: 200 true
}
