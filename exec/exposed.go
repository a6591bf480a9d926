package exec

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// RuleExposed is the rule of diagnostics that say that every user of the machine could change a tool.
const RuleExposed = "exposed"

// Exposure finds out whether every user of the machine may write a file, or put another in its place: then nobody knows
// whose file it is. It remembers directories, and is made anew for each look. A nil one finds nothing.
type Exposure struct {
	dirs   map[string]string // by real path: the one, of it and those above it, that is open; empty if none is
	inside map[string]string // by path, what Inside said
}

// NewExposure is one that has looked at nothing yet; nil where the policy does not mind, and on Windows, which keeps such rights where a
// mode does not show them.
func (p Policy) NewExposure() *Exposure {
	if p.WorldWritable || runtime.GOOS == "windows" {
		return nil
	}
	return &Exposure{dirs: map[string]string{}, inside: map[string]string{}}
}

// isOpenToAll tells whether every user of the machine may write a file, or put another in the place of one that a directory holds:
// where the sticky bit is set they can only take away what is theirs.
func isOpenToAll(info fs.FileInfo) bool {
	sticky := info.IsDir() && info.Mode()&fs.ModeSticky != 0
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o002 != 0 && !sticky
}

// File says why a file of this mode is exposed; empty if it is not.
func (x *Exposure) File(full string, mode fs.FileMode) string {
	if x == nil || mode.Perm()&0o002 == 0 {
		return ""
	}
	return "every user of this machine may write it; take that right away, as with: chmod o-w " + full
}

// Place says why another file could be put in the place of the one that a path leads to; empty if none could.
func (x *Exposure) Place(full string) string {
	if x == nil {
		return ""
	}
	full, err := filepath.Abs(full)
	if err != nil {
		return "" // the working directory is gone
	}
	_, hops := FollowLinks(full)
	for _, hop := range hops {
		if why := replaceable(x.dir(filepath.Dir(hop))); why != "" {
			return why
		}
	}
	return ""
}

// Of is why a file of which that is known is exposed, by its mode or by its place; empty if it is not.
func (x *Exposure) Of(full string, info fs.FileInfo) string {
	if why := x.File(full, info.Mode()); why != "" {
		return why
	}
	return x.Place(full)
}

func replaceable(open string) string {
	if open == "" {
		return ""
	}
	return "every user of this machine may put another in its place; take that right away, as with: chmod o-w " + open
}

// Inside says why files of a directory could be replaced, or others added to them; empty if none could.
func (x *Exposure) Inside(dir string) string {
	if x == nil {
		return ""
	}
	if why, known := x.inside[dir]; known {
		return why
	}
	why := x.Place(dir)
	if full, err := filepath.Abs(dir); err == nil && why == "" {
		if real, _ := FollowLinks(full); real != "" {
			why = replaceable(x.dir(real))
			if info, err := os.Lstat(real); err == nil && why == "" && info.Mode().Perm()&0o002 != 0 { // sticky or not
				why = replaceable(real)
			}
		}
	}
	x.inside[dir] = why
	return why
}

// dir is which directory, of one named by its real path and of those above it, every user may write.
func (x *Exposure) dir(real string) string {
	if open, known := x.dirs[real]; known {
		return open
	}
	open := ""
	if up := filepath.Dir(real); up != real {
		open = x.dir(up)
	}
	if info, err := os.Lstat(real); open == "" && err == nil && isOpenToAll(info) {
		open = real
	}
	x.dirs[real] = open
	return open
}
