//go:build !unix

package loader

import (
	"time"
)

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
