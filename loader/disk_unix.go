//go:build unix

package loader

import (
	"os"
	"syscall"
)

// openFlags let a pipe that took a file's place be opened, and then refused, without waiting for a writer.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK
