package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/toolspec/toolspec/check"
)

// fix mends the file at a path, and says what it did.
func fix(w io.Writer, path string) error {
	source, err := readToolFile(path)
	if err != nil {
		return err
	}
	mended, changes := check.Fix(path, source)
	if len(changes) == 0 {
		return nil
	}
	if err := replaceFile(path, source, mended); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	for _, c := range changes {
		fmt.Fprintf(w, "%s: fixed: %s\n", c.Pos, c.What)
	}
	return nil
}

// replaceFile puts other bytes in the place of a file's, in one step: nobody reads a half. Of a link the file that it leads to is
// replaced. The mode stays.
func replaceFile(path string, old, data []byte) (err error) {
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	beside, err := os.CreateTemp(filepath.Dir(path), ".toolspec-fix-*") // a name that no directory of tools reads
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(beside.Name()) // the error at hand says more
		}
	}()
	_, err = beside.Write(data)
	if err = errors.Join(err, beside.Chmod(info.Mode().Perm()), beside.Close()); err != nil {
		return err
	}
	if now, err := readToolFile(path); err != nil || !bytes.Equal(now, old) {
		return errors.Join(err, errors.New("it changed meanwhile"), os.Remove(beside.Name()))
	}
	return os.Rename(beside.Name(), path)
}
