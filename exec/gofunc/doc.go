// Package gofunc makes executors and tools of Go functions: what a function takes and gives is read from its types.
//
// A tool file may describe the function ({func: NAME} in its executor, the function under that name in Env.Funcs), or
// the program describes it itself, with [Tool]. This package is the only one that knows google/jsonschema-go.
package gofunc
