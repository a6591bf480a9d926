//go:build !unix

package loader

import (
	"io/fs"
	"os"
)

const openFlags = os.O_RDONLY

// isOwn is not known here.
func isOwn(fs.FileInfo) bool { return true }
