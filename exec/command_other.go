//go:build !unix && !windows

package exec

import (
	"os"
	"syscall"
)

func startAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

func killGroup(p *os.Process) error { return p.Kill() }

func endLeftovers(*os.Process) {}

func endedBy(*os.ProcessState) (name string, number int) { return "", 0 }

func signalName(int) string { return "" }

func isBusy(error) bool     { return false }
func isTooLarge(error) bool { return false }
func isShort(error) bool    { return false }

func platformEnv() []string { return nil }
