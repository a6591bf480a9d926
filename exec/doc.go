// Package exec is not os/exec: package exec executes tools.
//
// It turns a [spec.Spec] into a [Tool] that can be called. The work is done by an [Executor], built by the [Kind]
// that the file's executor section names; each kind is one file here. Everything in a file that can be wrong is said
// when the tool is compiled, at its place; a compiled tool is immutable and safe for concurrent calls.
package exec
