//go:build !linux || !(amd64 || arm64)

package promise

import (
	"errors"
	"os"
	"runtime"

	"github.com/toolspec/toolspec/exec"
)

type target struct{}

func promises() []promise { return nil }

func system() System { return System{OS: runtime.GOOS, User: os.Getuid()} }

func attackAt(exec.Sandbox, exec.Level, []string) (map[string]string, error) {
	return map[string]string{}, nil
}

// Attack attacks nothing here.
func Attack() error { return errors.New("there is nothing to attack here") }
