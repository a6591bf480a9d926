//go:build amd64 || arm64

package stage

import (
	"encoding/binary"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// supervise is the first process of its namespaces while the program runs: it fetches the ends of processes that have lost
// their parents, and when the program has ended it says how, and ends too, whereupon the system ends whatever is left there.
func supervise(program string, argv, env []string) {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil { // the program cannot look at its supervisor
		refuse(&failedStep{"hiding from the program", err})
	}
	pid, err := syscall.ForkExec(program, argv, &syscall.ProcAttr{Env: env, Files: []uintptr{0, 1, 2}}) // #nosec G204 G702 -- the server says which
	if err != nil {
		refuse(err)
	}
	say(SaysStarted, nil)
	ignoreSignals()
	closeStandard()
	go endWithServer()
	status := await(pid)
	var text [4]byte
	binary.NativeEndian.PutUint32(text[:], uint32(status))
	say(SaysEnded, text[:])
	if status.Signaled() {
		os.Exit(128 + int(status.Signal()))
	}
	os.Exit(status.ExitStatus())
}

// ignoreSignals leaves nothing for the program to send here. Its own signals are as they should be: it was started before.
func ignoreSignals() {
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM,
		syscall.SIGPIPE, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU, syscall.SIGXCPU, syscall.SIGXFSZ, syscall.SIGABRT, syscall.SIGTRAP)
}

// closeStandard lets go of the program's pipes, so that whoever reads them sees their end when it ends.
func closeStandard() {
	for fd := range 3 {
		_ = unix.Close(fd)
	}
}

// endWithServer ends everything here when the server is no longer there.
func endWithServer() {
	var b [1]byte
	for {
		n, err := unix.Read(Descriptor, b[:])
		if err != unix.EINTR && n <= 0 {
			os.Exit(exitRefused)
		}
	}
}

// await waits for the end of one process, and fetches those of all others that come by.
func await(pid int) syscall.WaitStatus {
	for {
		var status syscall.WaitStatus
		ended, err := syscall.Wait4(-1, &status, unix.WALL, nil) // threads, too, of which one has us trace it
		switch {
		case err == syscall.EINTR:
		case err != nil:
			refuse(&failedStep{"waiting for the program", err})
		case ended == pid && (status.Exited() || status.Signaled()):
			return status
		}
	}
}
