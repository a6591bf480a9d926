//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"errors"
	osexec "os/exec"
	"runtime"

	"github.com/toolspec/toolspec/exec"
)

func try(exec.Level) error {
	return errors.New("programs are confined on Linux only (amd64, arm64); this is " + runtime.GOOS + " on " + runtime.GOARCH)
}

// Confine refuses.
func (s *Sandbox) Confine(_ *osexec.Cmd, within exec.Confinement) (exec.Confined, error) {
	return nil, &exec.SandboxError{Message: s.Has(within.Level).Error()}
}
