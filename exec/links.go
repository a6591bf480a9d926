package exec

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxLinks is how many links one path may lead through, as in Linux.
const maxLinks = 40

// FollowLinks follows a path as the system does. Real is where it leads, empty if nowhere. Hops are the names that decide
// it: each link on the way, and the last name, or the first that is missing; each in a directory that is named by its
// real path.
func FollowLinks(full string) (real string, hops []string) {
	volume := filepath.VolumeName(full)
	root := volume + string(filepath.Separator)
	rest := pathParts(full[len(volume):])
	at := root
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		info, err := os.Lstat(next)
		if err != nil {
			return "", append(hops, next)
		}
		if info.Mode()&os.ModeSymlink == 0 {
			at = next
			if len(rest) == 0 {
				hops = append(hops, next)
			}
			continue
		}
		hops = append(hops, next)
		target, err := os.Readlink(next)
		if links++; err != nil || links > maxLinks {
			return "", hops
		}
		if filepath.IsAbs(target) {
			at, target = root, target[len(filepath.VolumeName(target)):]
		}
		rest = append(pathParts(target), rest...)
	}
	return at, hops
}

func pathParts(p string) []string {
	names := strings.FieldsFunc(p, func(r rune) bool {
		return r < 0x80 && os.IsPathSeparator(uint8(r)) // #nosec G115 -- of ASCII alone
	})
	return slices.DeleteFunc(names, func(name string) bool { return name == "." })
}
