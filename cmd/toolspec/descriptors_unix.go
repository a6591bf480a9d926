//go:build unix

package main

import (
	"os"
	"strconv"
	"syscall"
)

// mostDescriptors is how many are looked at where the system does not say which there are.
const mostDescriptors = 1024

// keepDescriptors keeps what this program was started with, beyond standard input, output and error, from every process
// that it starts: whoever started it may have left open a file, or a socket, that no tool should have.
func keepDescriptors() {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		for fd := syscall.Stderr + 1; fd < mostDescriptors; fd++ {
			syscall.CloseOnExec(fd)
		}
		return
	}
	for _, entry := range open {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > syscall.Stderr {
			syscall.CloseOnExec(fd)
		}
	}
}
