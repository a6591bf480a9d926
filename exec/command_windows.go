package exec

import (
	"errors"
	"os"
	osexec "os/exec"
	"strconv"
	"syscall"
)

// startAttributes keep the server's Ctrl-C away from a process.
func startAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// killGroup ends the process and its descendants; taskkill finds them by their parents, so it comes first.
func killGroup(p *os.Process) error {
	kill := osexec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)) // #nosec G204 -- a number
	if err := kill.Run(); err == nil {
		return nil
	}
	return p.Kill()
}

// endLeftovers cannot tell what an ended process has started.
func endLeftovers(*os.Process) {}

// endedBy is never known: Windows has no signals.
func endedBy(*os.ProcessState) (name string, number int) { return "", 0 }

func signalName(int) string { return "" }

const (
	errSharingViolation syscall.Errno = 32
	errNameTooLong      syscall.Errno = 206
)

func isBusy(err error) bool     { return errors.Is(err, errSharingViolation) }
func isTooLarge(err error) bool { return errors.Is(err, errNameTooLong) }
func isShort(error) bool        { return false }

// platformEnv is what programs need here beside what they need everywhere.
func platformEnv() []string {
	return []string{"SystemRoot", "SYSTEMROOT", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA"}
}
