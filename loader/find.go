package loader

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// finding is one file that differs from what is known of it.
type finding struct {
	path string
	content
	recheck bool // the bytes are the same, but what the tool needs may not be
}

// key tells two findings of the same path apart.
func (f finding) key() string {
	switch {
	case f.gone:
		return "gone"
	case f.err != nil:
		return f.err.Error()
	}
	return string(f.sum[:])
}

// findAll looks at the whole directory, except at paths that are known to be on the move.
func (l *Loader) findAll(w *watch, moving map[string]*hint) []finding {
	l.scans++
	l.exposures = l.newExposures()
	enter := func(string, bool) {}
	if w != nil {
		w.begin()
		enter = w.enter
	}
	t, err := walkTree(l.fsys, enter)
	missing := err != nil && isGone(err)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.faults = append(t.faults, fault{".", err})
	}
	var findings []finding
	for _, link := range t.rounds {
		if w != nil {
			w.round(link)
		}
	}
	for _, f := range t.files {
		if f.link && w != nil {
			w.link(f.path)
		}
		if rec := l.see(f.path); rec != nil && w != nil {
			w.scripts(f.path, rec.beside)
		}
		if moving[f.path] != nil {
			continue
		}
		if found, differs := l.inspect(f.path, f.info, f.link, true); differs {
			findings = append(findings, found)
		}
	}
	for _, f := range t.faults {
		rec := l.see(f.path)
		if rec == nil || rec.err != f.err.Error() {
			findings = append(findings, finding{path: f.path, content: content{err: f.err}})
		}
	}
	findings = append(findings, l.unseen(t.faults)...)
	findings = append(findings, l.unpinned(findings, moving, t.faults)...)
	if w != nil {
		w.end()
	}
	l.setStatus(func(s *Status) { s.LastScan, s.Missing = time.Now(), missing })
	return findings
}

// unseen are files that the scan did not come by: gone, unless a directory on the way could not be read.
func (l *Loader) unseen(faults []fault) []finding {
	var gone []finding
	for path, rec := range l.records {
		if rec.scan != l.scans && !hidden(path, faults) {
			gone = append(gone, finding{path: path, content: content{gone: true}})
		}
	}
	return gone
}

// unpinned are files that went away while no loader was there to see it, but for the pins that they left.
func (l *Loader) unpinned(found []finding, moving map[string]*hint, faults []fault) []finding {
	if l.pins == nil {
		return nil
	}
	here := make(map[string]bool, len(found))
	for _, f := range found {
		here[f.path] = true
	}
	var gone []finding
	for path := range l.pins.kept {
		if l.records[path] == nil && !here[path] && moving[path] == nil && !hidden(path, faults) {
			gone = append(gone, finding{path: path, content: content{gone: true}})
		}
	}
	return gone
}

// hidden tells whether a directory on the way to a file could not be read. What is no directory hides nothing.
func hidden(path string, faults []fault) bool {
	return slices.ContainsFunc(faults, func(f fault) bool {
		return !isGone(f.err) && (f.path == "." || strings.HasPrefix(path, f.path+"/"))
	})
}

// see notes that the scan came by a file.
func (l *Loader) see(path string) *record {
	rec := l.records[path]
	if rec != nil {
		rec.scan = l.scans
	}
	return rec
}

// findPaths looks at some paths only, and at other names of the same files: an event tells of one name alone. It is in
// doubt when one of them is a directory.
func (l *Loader) findPaths(w *watch, paths []string) (findings []finding, doubt bool) {
	looked := make(map[string]bool, len(paths))
	l.exposures = l.newExposures()
	for len(paths) > 0 {
		path := paths[0]
		paths = paths[1:]
		if looked[path] {
			continue
		}
		looked[path] = true
		if w != nil {
			w.relink(path)
		}
		var before stamp
		if rec := l.records[path]; rec != nil {
			before = rec.stamp
		}
		found, differs := l.inspect(path, nil, l.isLink(path), false)
		if found.dir {
			return nil, true
		}
		if !differs {
			continue
		}
		findings = append(findings, found)
		for _, file := range []stamp{before, found.stamp} {
			if file.links > 1 {
				paths = append(paths, l.namesOf(file)...)
			}
		}
	}
	return findings, false
}

// namesOf are the known paths of one file.
func (l *Loader) namesOf(of stamp) []string {
	var names []string
	for path, rec := range l.records {
		if rec.stamp.ino == of.ino && rec.stamp.dev == of.dev {
			names = append(names, path)
		}
	}
	return names
}

// inspect compares one file with what is known of it. Info, if given, may spare reading it.
func (l *Loader) inspect(path string, info fs.FileInfo, link, full bool) (finding, bool) {
	rec := l.see(path)
	exposed := l.exposures.place(path, link)
	if rec != nil && info != nil && exposed == nil && !l.always && rec.proved && rec.err == "" && rec.stamp == stampOf(info) {
		return finding{path: path, recheck: true}, full && l.needsLook(rec)
	}
	c := readStill(l.fsys, path, info)
	if c.data != nil && !c.moving {
		c = c.trusted(cmp.Or(exposed, exposedFile(l.exposures.Exposure, l.shown(path), c.stamp.mode)))
	}
	if c.gone && !c.dir && l.isLink(path) {
		c.gone, c.err = false, errNowhere
	}
	f := finding{path: path, content: c}
	switch {
	case c.moving:
		return f, true
	case c.gone:
		return f, rec != nil
	case c.err != nil:
		return f, rec == nil || rec.err != c.err.Error()
	case rec == nil || rec.err != "" || rec.sum != c.sum:
		return f, true
	}
	rec.stamp, rec.proved = c.stamp, c.stamp.proves(c.read)
	return finding{path: path, recheck: true}, l.needsLook(rec)
}

var errNowhere = errors.New("the link leads nowhere")

func (l *Loader) isLink(path string) bool {
	info, err := fs.Lstat(l.fsys, path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// needsLook tells whether a tool may differ though its file does not: it is unavailable, a script of it changed, or the
// judgement on it may be another.
func (l *Loader) needsLook(rec *record) bool {
	if rec.trial != nil {
		return true
	}
	if rec.tool == nil {
		return false
	}
	if rec.tool.Unavailable() != "" {
		return true
	}
	for _, b := range rec.beside {
		if info, err := os.Stat(b.path); err != nil || !b.proved || stampOf(info) != b.stamp || l.exposures.Place(b.path) != "" {
			return true
		}
	}
	return false
}

// newBeside is what a script's file is like now, so that a change of it is noticed.
func newBeside(path string, now time.Time) beside {
	b := beside{path: path}
	if info, err := os.Stat(path); err == nil {
		b.stamp = stampOf(info)
		b.proved = b.stamp.proves(now)
	}
	return b
}
