//go:build unix

package audit

import "syscall"

// noWaiting has a pipe that nobody reads be an error, and not be waited for.
const noWaiting = syscall.O_NONBLOCK
