package loader

import (
	"io/fs"
	"os"
	"path/filepath"
)

// disk is a directory as a file system. Unlike [os.DirFS] it never blocks on opening a pipe, and takes every name that
// the system takes.
type disk string

func (d disk) join(name string) string { return filepath.Join(string(d), filepath.FromSlash(name)) }

func (d disk) Open(name string) (fs.File, error) { return os.OpenFile(d.join(name), openFlags, 0) }

func (d disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(d.join(name)) }

func (d disk) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(d.join(name)) }

func (d disk) ReadLink(name string) (string, error) { return os.Readlink(d.join(name)) }

func (d disk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(d.join(name)) }
