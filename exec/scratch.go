package exec

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/toolspec/toolspec/spec"
)

// openScratch makes the call's own directory; remove takes it away with all that is in it.
func (c *Call) openScratch() (remove func(), err error) {
	dir, err := os.MkdirTemp("", "toolspec-")
	if err != nil {
		return nil, &spec.Error{Code: spec.CodeUnavailable, Message: "there is no room for the tool's scratch directory", Retryable: true, Err: err}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, &spec.Error{Code: spec.CodeInternal, Message: "the tool's scratch directory has no path", Err: err}
	}
	c.scratch = dir
	return func() {
		if err := removeScratch(dir); err != nil {
			c.log().Warn("a scratch directory is left behind", "dir", dir, "error", err)
		}
	}, nil
}

// removeScratch opens directories that a program has closed to itself before it gives up. No link put there meanwhile leads it elsewhere.
func removeScratch(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	const ours = 0o700
	_ = os.Chmod(dir, ours) // #nosec G302 -- a directory
	if root, err := os.OpenRoot(dir); err == nil {
		defer root.Close()
		_ = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				_ = root.Chmod(path, ours) // before WalkDir reads it
			}
			return nil
		})
	}
	return os.RemoveAll(dir)
}

// readScratch reads a file of the call's own directory. No name leads out of it, by .. or by a link.
func (c *Call) readScratch(name string, most int64) ([]byte, error) {
	fail := func(err error) ([]byte, error) {
		return nil, &spec.Error{Code: spec.CodeFailed, Message: fmt.Sprintf("the tool left no file %q in dir.scratch", name), Err: err}
	}
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(c.scratchDir(), name)
		if err != nil {
			return fail(err)
		}
		name = rel
	}
	root, err := os.OpenRoot(c.scratch)
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return fail(err)
	}
	file, err := root.Open(name)
	if err != nil {
		return fail(err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return fail(err)
	}
	if int64(len(content)) > most {
		return nil, spec.NewError(spec.CodeFailed, "the file %q in dir.scratch has more than the %d bytes that are read", name, most)
	}
	return content, nil
}
