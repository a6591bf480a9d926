//go:build !unix

package loader

import (
	"errors"
	"time"
)

func makePipe(string) error { return errors.ErrUnsupported }

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
