package loader

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/toolspec/toolspec/exec"
)

// exposure is why a file is not used that every user of the machine could write, or replace. A tool that was made of it is not used
// any more either, nor is a pinned version: who has been there, nobody knows.
type exposure struct{ why string }

func (e *exposure) Error() string { return e.why }

// exposures are those found in one look at the directory. The zero one finds nothing.
type exposures struct {
	*exec.Exposure        // nil where nobody minds, or where there is no disk
	root           string // of the tools
	dir            string // of the tree, that was asked for last: files come directory by directory
	fault          error  // of that
	known          bool
}

func (l *Loader) newExposures() exposures {
	if l.opts.FS != nil {
		return exposures{}
	}
	return exposures{Exposure: l.env.Policy.NewExposure(), root: l.dir}
}

// place says why the place of a file is one where every user may put another; nil if it is not.
func (x *exposures) place(at string, link bool) error {
	if x.Exposure == nil {
		return nil
	}
	dir := at[:max(0, strings.LastIndexByte(at, '/'))]
	if !x.known || dir != x.dir {
		x.known, x.dir = true, dir
		x.fault = exposedBy(x.Inside(filepath.Join(x.root, filepath.FromSlash(dir))))
	}
	if x.fault == nil && link {
		return exposedBy(x.Place(filepath.Join(x.root, filepath.FromSlash(at))))
	}
	return x.fault
}

// exposedFile says why a file of this mode is one that every user may write; nil if it is not.
func exposedFile(x *exec.Exposure, shown string, mode fs.FileMode) error {
	return exposedBy(x.File(shown, mode))
}

func exposedBy(why string) error {
	if why == "" {
		return nil
	}
	return &exposure{why + "; or allow it with --allow-world-writable, where a mount shows all files so"}
}

// trusted is the content, unless something is wrong with who may write it.
func (c content) trusted(fault error) content {
	if fault != nil {
		c.data, c.err = nil, fault
	}
	return c
}

func isExposure(err error) bool {
	var e *exposure
	return errors.As(err, &e)
}
