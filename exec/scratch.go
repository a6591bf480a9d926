package exec

import (
	"fmt"
	"io"
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
	c.scratch = dir
	return func() { _ = os.RemoveAll(dir) }, nil
}

// readScratch reads a file of the call's own directory. No name leads out of it, by .. or by a link.
func (c *Call) readScratch(name string, most int64) ([]byte, error) {
	fail := func(err error) ([]byte, error) {
		return nil, &spec.Error{Code: spec.CodeFailed, Message: fmt.Sprintf("the tool left no file %q in dir.scratch", name), Err: err}
	}
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(c.scratch, name)
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
