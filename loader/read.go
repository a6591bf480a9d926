package loader

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// content is what one look at a file gave: exactly one of data, err, gone and moving says what.
type content struct {
	data   []byte
	sum    [sha256.Size]byte
	stamp  stamp
	read   time.Time // when reading began
	gone   bool      // no such file, or no regular one
	dir    bool      // gone, and a directory stands there
	moving bool      // it changed while it was read, three times over
	err    error
}

func hexSum(sum [sha256.Size]byte) string { return "sha256:" + hex.EncodeToString(sum[:]) }

var errTooLarge = fmt.Errorf("a tool file holds at most %d KiB", spec.MaxFileBytes>>10)

// readStill reads a file that stands still: what stat says before and after is the same, or it is read again. A file
// that is cut off in the middle may be valid YAML all the same, so nothing else would tell.
func readStill(fsys fs.FS, name string) content {
	var c content
	for range 3 {
		c = readOnce(fsys, name)
		if !c.moving {
			break
		}
	}
	return c
}

func readOnce(fsys fs.FS, name string) content {
	c := content{read: time.Now()}
	before, err := fs.Stat(fsys, name)
	if err != nil {
		return c.failed(err)
	}
	c.stamp = stampOf(before)
	switch {
	case !before.Mode().IsRegular():
		c.gone, c.dir = true, before.IsDir()
		return c
	case before.Size() > spec.MaxFileBytes:
		c.err = fmt.Errorf("%w, this one has %d bytes", errTooLarge, before.Size())
		return c
	}
	f, err := fsys.Open(name)
	if err != nil {
		return c.failed(err)
	}
	defer f.Close() // read only
	opened, err := f.Stat()
	if err != nil {
		return c.failed(err)
	}
	if !opened.Mode().IsRegular() {
		c.moving = true
		return c
	}
	c.data = make([]byte, before.Size()+1)
	n, err := io.ReadFull(f, c.data)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return c.failed(err)
	}
	c.data = c.data[:n]
	after, err := fs.Stat(fsys, name)
	if err != nil {
		return c.failed(err)
	}
	c.moving = int64(n) != before.Size() || stampOf(opened) != c.stamp || stampOf(after) != c.stamp
	c.sum = sha256.Sum256(c.data)
	return c
}

func (c content) failed(err error) content {
	c.data = nil
	if isGone(err) {
		c.gone = true
	} else {
		c.err = err
	}
	return c
}
