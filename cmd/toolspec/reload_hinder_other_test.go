//go:build !linux

package main

import (
	"errors"
	"os/exec"
)

func (b *server) command(path string, args []string) *exec.Cmd { return exec.Command(path, args...) }

// canLimit: limits of a process's own are known on Linux alone, and so is stopping it for a while here.
func canLimit() error { return errors.ErrUnsupported }
