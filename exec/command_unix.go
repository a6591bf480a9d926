//go:build unix

package exec

import (
	"errors"
	"os"
	"strconv"
	"syscall"
)

// startAttributes start a process in a group of its own, so that it can be ended together with what it starts. A session
// of its own would do too, but Linux gives each session its own share of the processor, which doubles the time of a start
// on a busy machine.
func startAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a process that leads a group, and all its descendants that have not left its group.
func killGroup(p *os.Process) error {
	if err := syscall.Kill(-p.Pid, syscall.SIGKILL); errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	} else if err != nil {
		return p.Kill()
	}
	return nil
}

// endLeftovers ends what an ended process has left running in its group.
func endLeftovers(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// endedBy names the signal that ended a process; empty if none did.
func endedBy(state *os.ProcessState) (name string, number int) {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String(), int(status.Signal())
	}
	return "", 0
}

// signalName is what programs call a signal, such as SIGSEGV.
func signalName(number int) string {
	names := map[syscall.Signal]string{
		syscall.SIGABRT: "SIGABRT", syscall.SIGALRM: "SIGALRM", syscall.SIGBUS: "SIGBUS", syscall.SIGFPE: "SIGFPE", syscall.SIGHUP: "SIGHUP",
		syscall.SIGILL: "SIGILL", syscall.SIGINT: "SIGINT", syscall.SIGIO: "SIGIO", syscall.SIGKILL: "SIGKILL", syscall.SIGPIPE: "SIGPIPE",
		syscall.SIGPROF: "SIGPROF", syscall.SIGQUIT: "SIGQUIT", syscall.SIGSEGV: "SIGSEGV", syscall.SIGSYS: "SIGSYS", syscall.SIGTERM: "SIGTERM",
		syscall.SIGTRAP: "SIGTRAP", syscall.SIGUSR1: "SIGUSR1", syscall.SIGUSR2: "SIGUSR2", syscall.SIGVTALRM: "SIGVTALRM", syscall.SIGXCPU: "SIGXCPU",
		syscall.SIGXFSZ: "SIGXFSZ",
	}
	if name, ok := names[syscall.Signal(number)]; ok {
		return name
	}
	return "signal " + strconv.Itoa(number)
}

func isBusy(err error) bool     { return errors.Is(err, syscall.ETXTBSY) }
func isTooLarge(err error) bool { return errors.Is(err, syscall.E2BIG) }

// isShort tells that the system has no process, memory or descriptor to give just now.
func isShort(err error) bool {
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// platformEnv is what programs need here beside what they need everywhere.
func platformEnv() []string { return nil }
