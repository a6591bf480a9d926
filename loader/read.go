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
// that is cut off in the middle may be valid YAML all the same, so nothing else would tell. Before is what stat has said
// already, if it has.
func readStill(fsys fs.FS, name string, before fs.FileInfo) content {
	c := readOnce(fsys, name, before)
	for range 2 {
		if !c.moving {
			break
		}
		c = readOnce(fsys, name, nil)
	}
	return c
}

func readOnce(fsys fs.FS, name string, before fs.FileInfo) content {
	c := content{read: time.Now()}
	var err error
	if before == nil {
		if before, err = fs.Stat(fsys, name); err != nil {
			return c.failed(err)
		}
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
	if c.data, err = readSize(f, before.Size()); err != nil {
		return c.failed(err)
	}
	after, err := fs.Stat(fsys, name)
	if err != nil {
		return c.failed(err)
	}
	c.moving = int64(len(c.data)) != before.Size() || stampOf(opened) != c.stamp || stampOf(after) != c.stamp
	c.sum = sha256.Sum256(c.data)
	return c
}

// readSize reads a file that should have size bytes, and tells whether it has: it gives one more if there is more. Most
// files take one read.
func readSize(f io.Reader, size int64) ([]byte, error) {
	data := make([]byte, size+1)
	var n int64
	for {
		got, err := f.Read(data[n:])
		n += int64(got)
		switch {
		case err != nil && err != io.EOF:
			return nil, err
		case err == io.EOF, n >= size:
			return data[:n], nil
		}
	}
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
