package loader

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
)

// skipped tells whether a name, of a file or a directory, is none of ours: hidden, set aside, or an editor's.
func skipped(name string) bool {
	return name == "" || strings.ContainsRune("._#", rune(name[0])) || strings.HasSuffix(name, "~")
}

// IsToolFile tells whether a file of that name is read.
func IsToolFile(name string) bool {
	switch path.Ext(name) {
	case ".yaml", ".yml", ".json":
		return !skipped(name)
	}
	return false
}

// tree is what a walk found: everything that may be a tool file, and every directory it may appear in.
type tree struct {
	files  []found // sorted
	dirs   []string
	rounds []found // links that add nothing as they are now: to directories that are in the tree already, or to nothing
	faults []fault // directories that could not be read
}

// found is one file of a tree. Info is of the file itself once links are resolved, nil where they lead nowhere.
type found struct {
	path string
	info fs.FileInfo
	link bool
}

type fault struct {
	path string
	err  error
}

// walk walks a file system, through links too, but into no directory twice: real directories first, then those that
// links lead to. Enter is told of each directory before it is read.
type walk struct {
	fsys  fs.FS
	enter func(dir string, link bool)
	tree  tree
	been  map[ident]bool
	links []found // to directories
}

// walkTree walks all of fsys. The error is that of the root; the tree is then empty.
func walkTree(fsys fs.FS, enter func(dir string, link bool)) (tree, error) {
	w := &walk{fsys: fsys, enter: enter, been: map[ident]bool{}}
	info, err := fs.Stat(fsys, ".")
	if err != nil {
		return tree{}, err
	}
	if !info.IsDir() {
		return tree{}, &fs.PathError{Op: "read", Path: ".", Err: syscall.ENOTDIR}
	}
	w.first(info)
	if err := w.dir(".", false); err != nil {
		return tree{}, err
	}
	for len(w.links) > 0 {
		link := w.links[0]
		w.links = w.links[1:]
		// Where directories cannot be told apart, no link is followed to one.
		if identOf(link.info) != (ident{}) && w.first(link.info) {
			w.sub(link.path, true)
		} else {
			w.tree.rounds = append(w.tree.rounds, link)
		}
	}
	slices.SortFunc(w.tree.files, func(a, b found) int { return cmp.Compare(a.path, b.path) })
	return w.tree, nil
}

// first notes that a directory was come by, and tells whether it is for the first time; it is where nobody knows.
func (w *walk) first(dir fs.FileInfo) bool {
	id := identOf(dir)
	if w.been[id] {
		return false
	}
	if id != (ident{}) {
		w.been[id] = true
	}
	return true
}

func (w *walk) sub(dir string, link bool) {
	if err := w.dir(dir, link); err != nil {
		w.fault(dir, err)
	}
}

// fault notes what could not be read; what is gone meanwhile is none, nor is a link that leads to itself.
func (w *walk) fault(at string, err error) {
	if err != nil && !isGone(err) && !errors.Is(err, syscall.ELOOP) {
		w.tree.faults = append(w.tree.faults, fault{at, err})
	}
}

func (w *walk) dir(dir string, link bool) error {
	w.enter(dir, link)
	w.tree.dirs = append(w.tree.dirs, dir)
	entries, err := fs.ReadDir(w.fsys, dir)
	if err != nil {
		return err
	}
	at := dir + "/"
	if dir == "." {
		at = ""
	}
	for _, e := range entries {
		if !skipped(e.Name()) {
			w.entry(at+e.Name(), e)
		}
	}
	return nil
}

func (w *walk) entry(p string, e fs.DirEntry) {
	tool := IsToolFile(e.Name())
	switch mode := e.Type(); {
	case mode.IsDir():
		info, err := e.Info()
		if err == nil && !w.first(info) {
			return // a link has led here already
		}
		w.sub(p, false)
	case mode&fs.ModeSymlink != 0:
		info, err := fs.Stat(w.fsys, p)
		switch {
		case err == nil && info.IsDir():
			w.links = append(w.links, found{p, info, true})
		case tool && (err != nil || info.Mode().IsRegular()):
			w.tree.files = append(w.tree.files, found{p, info, true})
		case err != nil, tool:
			w.tree.rounds = append(w.tree.rounds, found{p, info, true})
			w.fault(p, err)
		}
	case mode.IsRegular() && tool:
		info, err := e.Info()
		if err != nil {
			info = nil // reading it will say what is wrong
		}
		w.tree.files = append(w.tree.files, found{p, info, false})
	}
}
