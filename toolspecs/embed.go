// Package toolspecs holds the tools we ship: plain tool files by subject, loaded like any directory. They are also
// the examples to copy.
package toolspecs

import "embed"

// FS is the shipped tool files.
//
//go:embed */*.yaml
var FS embed.FS
