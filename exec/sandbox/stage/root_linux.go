//go:build amd64 || arm64

package stage

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// before is where the server's files are while the new root is built.
const before = "/.before"

// build makes a root in which only what is granted exists: each path at the place where it was, the links that lead to it too.
func (o *Order) build() error {
	steps := []struct {
		what string
		do   func() error
	}{
		{"mounting a new root", func() error { return mountEmpty("/proc", "755", "16m") }},
		{"making a place for the old root", func() error { return unix.Mkdir("/proc"+before, 0o700) }},
		{"entering the new root", func() error { return unix.Chdir("/proc") }},
		{"changing roots", func() error { return unix.PivotRoot(".", "."+before) }},
		{"standing in the new root", func() error { return unix.Chdir("/") }},
		{"furnishing the new root", o.furnish},
		{"leaving the old root", func() error { return unix.Unmount(before, unix.MNT_DETACH) }},
		{"removing its place", func() error { return unix.Rmdir(before) }},
		{"closing the new root", func() error {
			return unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
		}},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			return &failedStep{step.what, err}
		}
	}
	return nil
}

// furnish puts everything into the new root.
func (o *Order) furnish() error {
	for _, dir := range []string{"/proc", "/tmp", "/dev", "/dev/shm"} {
		if err := unix.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if err := mountOwn("/"); err != nil {
		return err
	}
	if err := mountEmpty("/tmp", "1777", "256m"); err != nil {
		return err
	}
	for link, to := range map[string]string{"/dev/fd": "/proc/self/fd", "/dev/stdin": "fd/0", "/dev/stdout": "fd/1", "/dev/stderr": "fd/2"} {
		if err := unix.Symlink(to, link); err != nil {
			return err
		}
	}
	for _, g := range o.grants() {
		switch err := g.bind(); {
		case err == nil, errors.Is(err, unix.ENOENT), errors.Is(err, unix.ELOOP), errors.Is(err, unix.EACCES): // it is not there, or not any more, or out of reach for the server, too
		default:
			return &failedStep{g.path, err}
		}
	}
	if o.Dir != "" {
		_, err := place(o.Dir, true)
		return err
	}
	return nil
}

// grant is a path of the server's files, without links, and what it is there for.
type grant struct {
	path                  string
	write, execute, isDev bool
}

// grants are all, what stands above others first; one that adds nothing to another above it is left out.
func (o *Order) grants() []grant {
	all := map[string]grant{}
	add := func(real string, right grant) {
		if have := all[real]; !within(real, "/proc") { // which is another one here
			all[real] = grant{real, have.write || right.write, have.execute || right.execute, have.isDev || right.isDev}
		}
	}
	for _, p := range system() {
		if real, err := place(p, false); err == nil { // else it is not there
			add(real, grant{execute: true})
		}
	}
	for _, p := range o.Read {
		add(path.Clean(p), grant{execute: true})
	}
	for _, p := range o.Write {
		add(path.Clean(p), grant{write: true})
	}
	for _, p := range devices() {
		add(p, grant{write: true, isDev: true})
	}
	for _, p := range o.Links {
		_, _ = place(p, false) // a link that is not there any more leads nowhere
	}
	list := make([]grant, 0, len(all))
	for _, g := range all {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b grant) int { return cmp.Compare(a.path, b.path) })
	kept := list[:0]
	for _, g := range list {
		var above grant
		for _, k := range kept {
			if within(g.path, k.path) {
				above = grant{k.path, above.write || k.write, above.execute || k.execute, false}
			}
		}
		if above.path != "" && (above.write || !g.write) && (above.execute || !g.execute) {
			continue
		}
		g.write, g.execute = g.write || above.write, g.execute || above.execute
		kept = append(kept, g)
	}
	return kept
}

func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// bind shows the path in the new root.
func (g grant) bind() error {
	there, err := openReal(before + g.path)
	if err != nil {
		return err
	}
	defer unix.Close(there)
	var info unix.Stat_t
	if err := unix.Fstat(there, &info); err != nil {
		return err
	}
	if g.isCopied(&info) {
		return g.copy(make([]byte, info.Size))
	}
	tree, err := unix.OpenTree(there, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_EMPTY_PATH)
	if err != nil {
		return err
	}
	defer unix.Close(tree)
	attributes := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID}
	if !g.isDev {
		attributes.Attr_set |= unix.MOUNT_ATTR_NODEV
	}
	if !g.write {
		attributes.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	if !g.execute {
		attributes.Attr_set |= unix.MOUNT_ATTR_NOEXEC
	}
	if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attributes); err != nil {
		return err
	}
	if err := prepare(g.path, info.Mode&unix.S_IFMT == unix.S_IFDIR); err != nil {
		return err
	}
	return unix.MoveMount(tree, "", unix.AT_FDCWD, g.path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// mostCopied is the largest file of which a copy is made.
const mostCopied = 256 << 10

// isCopied tells whether a copy does as well as the file: of what is small and looked up by everybody. It costs less than
// a mount.
func (g grant) isCopied(info *unix.Stat_t) bool {
	return within(g.path, "/etc") && !g.write && info.Mode&unix.S_IFMT == unix.S_IFREG && info.Size <= mostCopied
}

// copy shows a copy of the file in the new root, which nobody can change once that is closed.
func (g grant) copy(text []byte) error {
	from, err := unix.Open(before+g.path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer unix.Close(from)
	n, err := unix.Read(from, text)
	if err != nil {
		return err
	}
	if err := makeDirs(path.Dir(g.path)); err != nil {
		return err
	}
	to, err := unix.Open(g.path, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	_, err = unix.Write(to, text[:n])
	return errors.Join(err, unix.Close(to))
}

// prepare makes something to mount on, unless it is there.
func prepare(name string, isDir bool) error {
	var info unix.Stat_t
	if unix.Lstat(name, &info) == nil {
		return nil
	}
	if err := makeDirs(path.Dir(name)); err != nil {
		return err
	}
	if isDir {
		return unix.Mkdir(name, 0o755)
	}
	fd, err := unix.Open(name, unix.O_CREAT|unix.O_CLOEXEC|unix.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

func makeDirs(dir string) error {
	err := unix.Mkdir(dir, 0o755)
	switch err {
	case nil, unix.EEXIST:
		return nil
	case unix.ENOENT:
		if err := makeDirs(path.Dir(dir)); err != nil {
			return err
		}
		return unix.Mkdir(dir, 0o755)
	}
	return err
}

// mostLinks is how many links a path may lead over.
const mostLinks = 40

// place makes the links that a path of the old root leads over in the new one, and gives where they lead. With dir what is
// not there is made as an empty directory: a program can stand there, and see nothing.
func place(name string, dir bool) (string, error) {
	todo, done, links := strings.Split(path.Clean(name), "/"), "/", 0
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		if part == "" {
			continue
		}
		if part == ".." {
			done = path.Dir(done)
			continue
		}
		here := path.Join(done, part)
		var info unix.Stat_t
		if err := unix.Lstat(before+here, &info); err != nil {
			if dir {
				return here, err
			}
			return "", err
		}
		if info.Mode&unix.S_IFMT != unix.S_IFLNK {
			done = here
			continue
		}
		if links++; links > mostLinks {
			return "", unix.ELOOP
		}
		target := make([]byte, unix.PathMax)
		n, err := unix.Readlink(before+here, target)
		if err != nil {
			return "", err
		}
		to := string(target[:n])
		_ = makeDirs(path.Dir(here))
		_ = unix.Symlink(to, here) // it is there already, or in what was bound
		if path.IsAbs(to) {
			done = "/"
		}
		todo = append(strings.Split(to, "/"), todo...)
	}
	if dir {
		return done, makeDirs(done)
	}
	return done, nil
}
