//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package mcpserver

import "os"

// ClaimStdout is standard output itself: this system has no descriptors to move.
func ClaimStdout() (*os.File, error) { return os.Stdout, nil }
