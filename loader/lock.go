package loader

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
)

// maxLock is the size of the largest lock, in bytes: room for tens of thousands of tools.
const maxLock = 256 << 20

// ReadLock reads the lock at a path, which not every user of the machine may write. The error is of one line or more, and
// is an [fs.ErrNotExist] where there is none.
func ReadLock(path string) (*registry.Lock, error) {
	for range 3 {
		src, still, err := readLock(path)
		if err != nil {
			return nil, err
		}
		if still {
			lock, ds := registry.ParseLock(path, src)
			return lock, ds.Err()
		}
	}
	return nil, fmt.Errorf("%s: it changes while it is read", path)
}

// readLock reads the bytes of a lock; not still if they changed meanwhile.
func readLock(path string) (src []byte, still bool, err error) {
	refuse := func(why string) ([]byte, bool, error) { return nil, false, fmt.Errorf("%s: %s", path, why) }
	file, err := os.OpenFile(path, openFlags, 0) // #nosec G304 -- what the operator names, or lies beside the tools
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, fmt.Errorf("%s: there is no such file, %w", path, errNoLock)
	}
	if err != nil {
		return refuse(unreadable(path, err).Message)
	}
	defer file.Close()
	before, err := file.Stat()
	switch {
	case err != nil:
		return refuse(unreadable(path, err).Message)
	case !before.Mode().IsRegular():
		return refuse("want a file, have something else")
	case before.Size() > maxLock:
		return refuse(fmt.Sprintf("want at most %d bytes, have %d", maxLock, before.Size()))
	}
	if why := exec.DefaultPolicy().NewExposure().Of(path, before); why != "" {
		return refuse(why)
	}
	if src, err = io.ReadAll(io.LimitReader(file, maxLock)); err != nil {
		return refuse(unreadable(path, err).Message)
	}
	after, err := os.Stat(path)
	return src, err == nil && stampOf(before) == stampOf(after), nil
}

// errNoLock says that no tool was ever approved.
var errNoLock error = noLock{}

type noLock struct{}

func (noLock) Error() string        { return "toolspec lock makes one" }
func (noLock) Is(target error) bool { return target == fs.ErrNotExist }

// WriteLock puts a lock in the place of one that was read before, or of none if that is nil, in one step. It is refused if
// somebody else wrote it meanwhile.
func WriteLock(lock, before *registry.Lock) (err error) {
	path, mode := lock.File, fs.FileMode(0o644)
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	beside, err := os.CreateTemp(filepath.Dir(path), ".toolspec.lock-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(beside.Name()) // the error at hand says more
		}
	}()
	_, err = beside.Write(lock.Bytes())
	if err = errors.Join(err, beside.Chmod(mode), beside.Sync(), beside.Close()); err != nil {
		return err
	}
	switch now, err := ReadLock(lock.File); {
	case errors.Is(err, fs.ErrNotExist) && before == nil:
	case err != nil:
		return err
	case before == nil || !bytes.Equal(now.Bytes(), before.Bytes()):
		return fmt.Errorf("%s: somebody else wrote it meanwhile; run this again", lock.File)
	}
	return os.Rename(beside.Name(), path)
}
