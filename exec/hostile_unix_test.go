//go:build unix

package exec_test

import "syscall"

// keepDescriptors keeps what this test was started with from programs, as the program itself does.
func keepDescriptors() {
	for fd := 3; fd < 256; fd++ {
		syscall.CloseOnExec(fd)
	}
}
