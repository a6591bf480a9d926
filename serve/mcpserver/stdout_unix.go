//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package mcpserver

import (
	"fmt"
	"os"
	"syscall"
)

// ClaimStdout takes standard output for the protocol: it returns a private descriptor of it, which no child inherits,
// and makes descriptor 1 another of standard error. Whatever then prints to standard output, this process or a child
// that opens /proc/PPID/fd/1, cannot break the protocol.
func ClaimStdout() (*os.File, error) {
	syscall.ForkLock.RLock()
	private, err := syscall.Dup(syscall.Stdout)
	if err == nil {
		syscall.CloseOnExec(private)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, fmt.Errorf("standard output: %w", err)
	}
	out := os.NewFile(uintptr(private), "protocol")
	if err := replaceDescriptor(syscall.Stderr, syscall.Stdout); err != nil {
		return nil, fmt.Errorf("standard output: %w", err)
	}
	return out, nil
}
