package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
)

// lockName is the name of a lock that nobody named.
const lockName = "toolspec.lock"

// lockFlags gives a command the flags that have only approved tools offered.
func (p *place) lockFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&p.locked, "locked", false, "offer only tools that were approved with toolspec lock; the others are pending")
	p.lockFlag(cmd, "the lock to go by, as --locked does; default: the policy's, else toolspec.lock beside the first tools directory")
}

func (p *place) lockFlag(cmd *cobra.Command, usage string) {
	cmd.Flags().Var((*file)(&p.lock), "lock", usage)
	_ = cmd.MarkFlagFilename("lock", "lock") // the flag exists
}

// lockPath is where the lock is, or would be. Whoever writes tool files must not be able to write it. It is enforced if somebody
// named it, or asked for that.
func (p *place) lockPath(policy exec.Policy, dirs []string) (path string, enforced bool, err error) {
	path = cmp.Or(p.lock, policy.Lock)
	enforced = p.locked || path != ""
	switch {
	case p.lock != "" && policy.Lock != "" && absolute(p.lock) != absolute(policy.Lock):
		return "", false, fmt.Errorf("--lock %s: the policy %s names another, %s", p.lock, policy.File, policy.Lock)
	case path == "" && len(dirs) == 0:
		path = lockName
	case path == "":
		first := absolute(dirs[0])
		if info, err := os.Stat(first); err == nil && info.Mode().IsRegular() {
			first = filepath.Dir(first)
		}
		path = filepath.Join(filepath.Dir(first), lockName)
		if !filepath.IsAbs(dirs[0]) {
			path = relative(path)
		}
	}
	for _, dir := range dirs {
		if isDir, err := isDirectory(dir); err == nil && isDir && within(path, dir) && enforced {
			return "", false, fmt.Errorf("the lock %s lies in the tools directory %s, where whoever writes tools could change it; name another with --lock", path, dir)
		}
	}
	return path, enforced, nil
}

// relative is a path from the working directory, where there is one.
func relative(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil {
		return rel
	}
	return path
}

// lockFault is why the lock cannot be used; nil if it can, or if there is none.
func (s *set) lockFault() error {
	if lock := s.registry.Lock(); lock != nil && lock.Fault != "" {
		return failure{"the lock cannot be used, and no tool is offered: " + lock.Fault}
	}
	return nil
}

// readLock reads the lock for a command that needs no set; nil if none is in force.
func (p *place) readLock(policy exec.Policy, paths []string) (*registry.Lock, error) {
	path, enforced, err := p.lockPath(policy, paths)
	if err != nil || !enforced {
		return nil, err
	}
	lock, err := loader.ReadLock(path)
	if err != nil {
		return nil, failure{"the lock cannot be used, and no tool is offered: " + err.Error()}
	}
	return lock, nil
}

// lockBefore is the lock as it is; nil if there is none yet.
func (s *set) lockBefore() (*registry.Lock, error) {
	lock, err := loader.ReadLock(s.lockPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return lock, err
}
