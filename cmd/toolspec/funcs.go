package main

import (
	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/gofunc"
)

// functions are the Go functions that shipped tool files, and any other, name with {func: NAME}.
func functions() map[string]exec.Executor {
	return map[string]exec.Executor{
		"calculator": gofunc.Func(calculate),
		"json_query": gofunc.Func(queryJSON),
		"page_text":  gofunc.Func(pageText),
	}
}
