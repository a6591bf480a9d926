package loader

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// exposure finds out whether every user of the machine may write a file, or put another in its place: then nobody knows
// whose file it is. It remembers directories, and is made anew for each look. Windows keeps such rights where a mode does not
// show them.
type exposure struct {
	dirs map[string]string // by real path: the one, of it and those above it, that is open; empty if none is
}

func newExposure() *exposure {
	if runtime.GOOS == "windows" {
		return nil
	}
	return &exposure{dirs: map[string]string{}}
}

// isOpen tells whether every user of the machine may write there.
func isOpen(info fs.FileInfo) bool { return info.Mode().Perm()&0o002 != 0 }

// of says why a file, or a directory, is exposed, of which info is known; empty if it is not.
func (x *exposure) of(full string, info fs.FileInfo) string {
	switch {
	case x == nil:
		return ""
	case info != nil && isOpen(info):
		return "every user of this machine may write it; take that right away, as with: chmod o-w " + full
	}
	return x.place(full)
}

// place says why another file could be put in the place of one.
func (x *exposure) place(full string) string {
	if x == nil {
		return ""
	}
	full, err := filepath.Abs(full)
	if err != nil {
		return "" // the working directory is gone
	}
	_, hops := resolve(full)
	for _, hop := range hops {
		if dir := x.dir(filepath.Dir(hop)); dir != "" {
			return "every user of this machine may put another in its place; take that right away, as with: chmod o-w " + dir
		}
	}
	return ""
}

// dir is which directory, of one named by its real path and of those above it, every user may write. Where the sticky bit
// is set users can only take away what is theirs.
func (x *exposure) dir(real string) string {
	if open, known := x.dirs[real]; known {
		return open
	}
	open := ""
	if up := filepath.Dir(real); up != real {
		open = x.dir(up)
	}
	if info, err := os.Lstat(real); open == "" && err == nil && isOpen(info) && info.Mode()&fs.ModeSticky == 0 {
		open = real
	}
	x.dirs[real] = open
	return open
}
