//go:build !unix

package versus

import "time"

// CPU is not known here.
func CPU() time.Duration { return 0 }
