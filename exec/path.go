package exec

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// pathTemplate is a path on the server that a tool file names, compiled. What a call puts into it stays below the
// directory that the file's author wrote in front of that, or below dir.work where there is none.
type pathTemplate struct {
	*Template
	free       bool      // a call has a say in the path
	base, rest *Template // of such a path: where it stays, and what leads there from it; no base: dir.work
}

// compilePath compiles a path. One that a call could choose on the whole machine is an error.
func (s *Site) compilePath(sec spec.Section, t spec.Text) (pathTemplate, spec.Diagnostics) {
	template, ds := s.Template(t)
	p := pathTemplate{Template: template, rest: template}
	first := slices.IndexFunc(template.parts, func(p part) bool { return p.expr != nil && p.expr.isFree() })
	if first < 0 || ds.HasErrors() {
		return p, ds
	}
	p.free = true
	end := strings.LastIndexByte(sketchOf(template.parts[:first]), '/')
	if end < 0 {
		return p, ds
	}
	base, _ := cutParts(template.parts, end)
	_, rest := cutParts(template.parts, end+1)
	p.base, p.rest = &Template{parts: base}, &Template{parts: rest}
	if text, literal := p.base.literal(); literal && strings.Trim(text, "/") == "" {
		return p, append(ds, sec.Errorf("path", "a call would choose any path on the machine: write a directory in front of it, such as ${dir.work}/%s, "+
			"and the call leads nowhere else", strings.TrimLeft(t.Value, "/")))
	}
	return p, ds
}

// isFree tells whether a call has a say in what the value is, beyond a choice among values that the file writes out.
func (e *Expr) isFree() bool { return !e.isClosed() && !e.readsOnly("env", "dir", "secret") }

// place is where a path leads in this call: to a name in a directory that it must not lead out of; the directory is empty
// where no call has a say in the path. null tells whether a slot was null.
func (p pathTemplate) place(ctx context.Context, v *Vars, workDir string) (dir, name string, null bool, err error) {
	if !p.free {
		name, null, err = p.text(ctx, v)
		return "", name, null, err
	}
	stub := v.root().Stub != nil
	if dir, null, err = p.dir(ctx, v, workDir); err != nil || null {
		return "", "", null, err
	}
	if name, null, err = p.rest.text(ctx, v); err != nil || null {
		return "", "", null, err
	}
	if path.IsAbs(name) || filepath.IsAbs(name) { // the whole of it, as many give it
		if stub && p.base == nil {
			return "", name, false, nil // where dir.work is, a test does not know
		}
		if name, err = filepath.Rel(dir, name); err != nil {
			return "", "", false, p.leadsOut()
		}
	}
	if name = strings.TrimRight(name, "/"); name == "" {
		name = "."
	}
	if !filepath.IsLocal(name) || strings.IndexByte(name, 0) >= 0 || slices.Contains(strings.Split(filepath.ToSlash(name), "/"), "..") {
		return "", "", false, p.leadsOut()
	}
	if stub && p.base == nil {
		dir = ""
	}
	return dir, name, false, nil
}

// dir is where a path stays.
func (p pathTemplate) dir(ctx context.Context, v *Vars, workDir string) (dir string, null bool, err error) {
	if p.base == nil {
		return workDir, false, nil
	}
	dir, null, err = p.base.text(ctx, v)
	if err == nil && !filepath.IsAbs(dir) && v.root().Stub == nil {
		dir = filepath.Join(workDir, dir)
	}
	return dir, null, err
}

func (p pathTemplate) leadsOut() error {
	return spec.NewError(spec.CodeInvalidInput, "%s: want a path within the directory that this tool keeps to, without .. and without links that lead out of it", namesOr(p.rest, "the path"))
}

// find looks at what a place is. One that is not there, or is led out to, is invalid input.
func (p pathTemplate) find(dir, name string) (fs.FileInfo, error) {
	stat := os.Stat
	if dir != "" {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, &spec.Error{Code: spec.CodeFailed, Message: "the directory that this tool keeps to is not there, or cannot be read", Err: err}
		}
		defer root.Close()
		stat = root.Stat
	}
	info, err := stat(name)
	var step *fs.PathError
	switch {
	case err == nil:
		return info, nil
	case dir != "" && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) && errors.As(err, &step):
		return nil, p.leadsOut()
	}
	return nil, err
}

// findDirectory refuses a place that is no directory.
func (p pathTemplate) findDirectory(dir, name string) error {
	info, err := p.find(dir, name)
	var ours *spec.Error
	switch {
	case errors.As(err, &ours):
		return ours
	case err != nil || !info.IsDir():
		return &spec.Error{Code: spec.CodeInvalidInput, Message: namesOr(p.rest, "the directory") + ": there is no such directory, or it cannot be read", Err: err}
	}
	return nil
}

// openIn opens a file at a place.
func openIn(dir, name string) (*os.File, error) {
	if dir == "" {
		return os.Open(name) // #nosec G304 -- what the tool file names; where a call chooses, there is a dir
	}
	return os.OpenInRoot(dir, name)
}
