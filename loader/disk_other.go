//go:build !unix

package loader

import "os"

const openFlags = os.O_RDONLY
