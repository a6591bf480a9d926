//go:build !unix

package versus

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
