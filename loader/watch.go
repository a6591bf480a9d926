package loader

import (
	"os"
	"path"
	"path/filepath"

	"github.com/fsnotify/fsnotify"

	"github.com/toolspec/toolspec/exec"
)

// watch is where events are asked for, and what they mean. Directories are watched by their real paths, since the
// system knows no others: a directory has one watch however many links lead to it.
type watch struct {
	notify notifier
	silent func(dir string) error     // why nothing tells of changes in a directory; nil if something does
	root   string                     // absolute
	real   map[string]string          // directory of the tree → real path
	tree   map[string]string          // real path → directory of the tree
	hops   map[string]map[string]bool // real path of a link, or of what one leads to → paths of the tree to look at
	wanted map[string]bool            // real paths of directories watched
	places map[string]ident           // what was there when it was watched
	late   bool                       // something was there to be seen only after the scan had come by
	err    error                      // why events are incomplete; nil if they are not
}

func newWatch(n notifier, dir string, silent func(string) error) (*watch, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	w := &watch{notify: n, silent: silent, root: root}
	w.reset()
	return w, nil
}

func (w *watch) reset() {
	w.real, w.tree = map[string]string{}, map[string]string{}
	w.hops, w.wanted, w.places = map[string]map[string]bool{}, map[string]bool{}, map[string]ident{}
}

// begin starts a full scan: what is watched afterwards is what the scan comes by. A watch whose directory is gone is
// given up first, or giving it up later would end that of its new place.
func (w *watch) begin() {
	for _, dir := range w.notify.WatchList() {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			_ = w.notify.Remove(dir) // it may have gone by itself
		}
	}
	w.reset()
	w.late = false
	w.follow(w.root, ".")
}

// end gives up what the scan did not come by.
func (w *watch) end() {
	for _, dir := range w.notify.WatchList() {
		if !w.wanted[dir] {
			_ = w.notify.Remove(dir)
		}
	}
}

// enter watches a directory of the tree.
func (w *watch) enter(dir string, link bool) {
	real := filepath.Join(w.real[path.Dir(dir)], path.Base(dir))
	switch {
	case dir == ".":
		real, _ = exec.FollowLinks(w.root)
	case link:
		real = w.follow(real, ".")
	}
	if real == "" {
		return
	}
	w.real[dir], w.tree[real] = real, dir
	w.add(real)
	w.hear(real)
}

// link watches all that decides where the link at a path of the tree leads.
func (w *watch) link(at string) {
	w.follow(filepath.Join(w.real[path.Dir(at)], path.Base(at)), at)
}

// round watches what decides where a link leads that adds nothing to the tree as it is now.
func (w *watch) round(link found) {
	real := w.follow(filepath.Join(w.real[path.Dir(link.path)], path.Base(link.path)), ".")
	w.late = w.late || link.info == nil && isDir(real)
}

// relink is link for a path that may have become one.
func (w *watch) relink(at string) {
	full := filepath.Join(w.real[path.Dir(at)], path.Base(at))
	if isLink(full) {
		w.link(at)
	}
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// scripts watches files that count in the digest of the tool at a path.
func (w *watch) scripts(at string, scripts []beside) {
	for _, b := range scripts {
		full, err := filepath.Abs(b.path)
		if err != nil {
			continue // the working directory is gone; the look at everything compares scripts too
		}
		if w.tree[filepath.Dir(full)] != "" {
			w.hop(full, at) // its directory is watched already
			if !isLink(full) {
				continue
			}
		}
		w.follow(full, at)
	}
}

// follow watches what a path is found by, so that an event there has at looked at. It gives the real path, empty if it
// leads nowhere.
func (w *watch) follow(full, at string) string {
	real, hops := exec.FollowLinks(full)
	for _, hop := range hops {
		w.hop(hop, at)
		w.add(filepath.Dir(hop))
	}
	if real != "" && at != "." {
		w.hear(filepath.Dir(real))
	}
	return real
}

func (w *watch) hop(name, at string) {
	if w.hops[name] == nil {
		w.hops[name] = map[string]bool{}
	}
	w.hops[name][at] = true
}

func (w *watch) add(dir string) {
	if !w.wanted[dir] {
		w.wanted[dir], w.places[dir] = true, identAt(dir)
	}
	if err := w.notify.Add(dir); err != nil && !heals(err) && w.err == nil {
		w.err = err
	}
}

func identAt(dir string) ident {
	info, err := os.Lstat(dir)
	if err != nil {
		return ident{}
	}
	return identOf(info)
}

// displaced tells whether a directory is not what is watched by its name: it was moved with one that it is in, or
// something was mounted there. No event says so.
func (w *watch) displaced() bool {
	for dir, before := range w.places {
		if identAt(dir) != before {
			return true
		}
	}
	return false
}

// hear makes sure that a directory is one of which events tell.
func (w *watch) hear(dir string) {
	if w.err == nil {
		w.err = w.silent(dir)
	}
}

// hints are the paths of the tree that an event asks to look at; "." is everything. Moved tells that directories may
// have changed places, which leaves watches under names that are no longer theirs.
func (w *watch) hints(e fsnotify.Event) (paths []string, moved bool) {
	for at := range w.hops[e.Name] {
		paths = append(paths, at)
	}
	if w.wanted[e.Name] {
		return append(paths, "."), e.Has(fsnotify.Rename)
	}
	parent, inTree := w.tree[filepath.Dir(e.Name)]
	base := filepath.Base(e.Name)
	if !inTree || skipped(base) {
		return paths, false
	}
	at := path.Join(parent, base)
	switch _, wasDir := w.real[at]; {
	case wasDir || isDir(e.Name):
		w.enterNew(at)
		return append(paths, "."), wasDir && e.Has(fsnotify.Rename)
	case IsToolFile(base):
		paths = append(paths, at)
	case leadsNowhere(e.Name): // as yet
		paths = append(paths, ".")
	}
	return paths, false
}

func leadsNowhere(name string) bool {
	_, err := os.Stat(name)
	return err != nil && isLink(name)
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// enterNew watches a new directory, and those in it, before the scan that its event asks for: so that the batch of which
// it is part is waited for.
func (w *watch) enterNew(dir string) {
	full := filepath.Join(w.real[path.Dir(dir)], path.Base(dir))
	info, err := os.Lstat(full)
	if err != nil || !info.IsDir() || w.real[dir] != "" {
		return
	}
	w.enter(dir, false)
	entries, err := os.ReadDir(full)
	if err != nil {
		return // the scan will say so
	}
	for _, e := range entries {
		if e.IsDir() && !skipped(e.Name()) {
			w.enterNew(path.Join(dir, e.Name()))
		}
	}
}
