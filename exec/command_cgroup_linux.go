package exec

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	// cgroupPrefix starts the name of a program's directory of cgroups, which it holds locked while it lives.
	cgroupPrefix = "toolspec-"
	// idleCgroups is how many empty ones are kept: making and removing one costs a tenth of a start.
	idleCgroups = 32
)

// cgroups are the cgroups of calls, in a directory of this program's below its own cgroup.
type cgroups struct {
	dir  *os.File // locked
	path string
	log  *slog.Logger

	mu   sync.Mutex
	idle []*cgroup
	made int
}

// cgroup is that of one call.
type cgroup struct {
	path        string
	dir, events *os.File
	killed      atomic.Bool // it can never be used again: Linux has since killed whatever is started in it
}

// openCgroups finds where cgroups may be made, takes away what programs that were killed have left there, and makes sure that a process
// can be started in one.
func openCgroups(log *slog.Logger) (*cgroups, error) {
	own, err := ownCgroup()
	if err != nil {
		return nil, err
	}
	clearDeadCgroups(own, log)
	c := &cgroups{log: log}
	if c.path, err = os.MkdirTemp(own, cgroupPrefix); err != nil {
		return nil, err
	}
	if c.dir, err = lockDir(c.path); err == nil {
		err = c.try()
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// ownCgroup is the directory of this process's cgroup, of version 2.
func ownCgroup() (string, error) {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	return findCgroup(string(groups), string(mounts))
}

// findCgroup reads the texts of /proc/self/cgroup and mountinfo.
func findCgroup(groups, mounts string) (string, error) {
	own, found := "", false
	for line := range strings.Lines(groups) {
		if path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "0::"); ok {
			own, found = path, true
		}
	}
	switch {
	case !found:
		return "", errors.New("this process is in no cgroup of version 2")
	case strings.HasPrefix(own, "/.."):
		return "", errors.New("the cgroup of this process is outside of those that it sees")
	}
	for line := range strings.Lines(mounts) {
		mount, kind, _ := strings.Cut(line, " - ")
		fields := strings.Fields(mount)
		if !strings.HasPrefix(kind, "cgroup2 ") || len(fields) < 5 {
			continue
		}
		rel, err := filepath.Rel(unescapeMount(fields[3]), own)
		if err == nil && filepath.IsLocal(rel) {
			return filepath.Join(unescapeMount(fields[4]), rel), nil
		}
	}
	return "", errors.New("no cgroup2 file system is mounted in which this process is")
}

// unescapeMount undoes how the kernel writes white space in mountinfo.
func unescapeMount(path string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(path)
}

// lockDir opens a directory and locks it; the system unlocks it when the program ends, however it does.
func lockDir(path string) (*os.File, error) {
	dir, err := os.Open(path) // #nosec G304 -- a cgroup of ours
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = dir.Close()
		return nil, &fs.PathError{Op: "flock", Path: path, Err: err}
	}
	return dir, nil
}

// clearDeadCgroups ends what programs of ours that were killed have left running. Only a directory whose name is ours and that nobody
// has locked is one of those. One that is being made, and is not locked yet, is empty, and its maker makes another.
func clearDeadCgroups(own string, log *slog.Logger) {
	paths, _ := filepath.Glob(filepath.Join(own, cgroupPrefix+"*")) // the pattern is right
	for _, path := range paths {
		dir, err := lockDir(path)
		if err != nil {
			continue
		}
		if err := removeCgroup(path); err != nil {
			log.Warn("a cgroup that was left behind cannot be removed", "cgroup", path, "error", err)
		}
		_ = dir.Close()
	}
}

// try starts nothing in a cgroup: the system says there is no such program only once there is a process to say it to.
func (c *cgroups) try() error {
	group, err := c.take()
	if err != nil {
		return err
	}
	defer c.put(group)
	if _, err := os.Stat(filepath.Join(group.path, "cgroup.kill")); err != nil {
		return err
	}
	nothing := osexec.Command(filepath.Join(group.path, "nothing")) // #nosec G204 -- there is no such file, and can be none
	nothing.SysProcAttr = &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(group.dir.Fd())}
	switch err := nothing.Start(); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		return fmt.Errorf("a process that is started in one is ended at once: %w", nothing.Wait())
	default:
		return fmt.Errorf("no process can be started in one: %w", err)
	}
}

// take is an empty cgroup.
func (c *cgroups) take() (*cgroup, error) {
	c.mu.Lock()
	if last := len(c.idle) - 1; last >= 0 {
		group := c.idle[last]
		c.idle = c.idle[:last]
		c.mu.Unlock()
		return group, nil
	}
	c.made++
	path := filepath.Join(c.path, strconv.Itoa(c.made))
	c.mu.Unlock()
	if err := os.Mkdir(path, 0o700); err != nil {
		return nil, err
	}
	group := &cgroup{path: path}
	var err error
	if group.dir, err = os.Open(path); err == nil { // #nosec G304 -- it was made just now
		group.events, err = os.Open(filepath.Join(path, "cgroup.events")) // #nosec G304 -- the kernel's
	}
	if err != nil {
		c.discard(group)
		return nil, err
	}
	return group, nil
}

// put ends what is in a cgroup and keeps it for another call.
func (c *cgroups) put(group *cgroup) {
	if err := group.empty(); err != nil {
		c.log.Warn("a cgroup cannot be used again", "cgroup", group.path, "error", err)
		c.discard(group)
		return
	}
	c.mu.Lock()
	keep := len(c.idle) < idleCgroups && !group.killed.Load()
	if keep {
		c.idle = append(c.idle, group)
	}
	c.mu.Unlock()
	if !keep {
		c.discard(group)
	}
}

// discard removes a cgroup; what cannot be removed is tried again at the end of the program, and at the next start.
func (c *cgroups) discard(group *cgroup) {
	for _, file := range []*os.File{group.dir, group.events} {
		_ = file.Close() // one that was never opened only says so
	}
	if err := removeCgroup(group.path); err != nil {
		c.log.Warn("a cgroup cannot be removed", "cgroup", group.path, "error", err)
	}
}

func (c *cgroups) close() {
	c.mu.Lock()
	idle := c.idle
	c.idle = nil
	c.mu.Unlock()
	for _, group := range idle {
		c.discard(group)
	}
	if err := removeCgroup(c.path); err != nil {
		c.log.Warn("cgroups cannot be removed", "cgroup", c.path, "error", err)
	}
	_ = c.dir.Close()
}

// kill ends all processes in a cgroup and below it, at once.
func (g *cgroup) kill() error {
	g.killed.Store(true)
	return killCgroup(g.path)
}

func (g *cgroup) isPopulated() bool {
	text := make([]byte, 64)
	n, _ := g.events.ReadAt(text, 0) // it ends before that
	return bytes.Contains(text[:n], []byte("populated 1"))
}

// empty ends what is in a cgroup, and waits until it is gone.
func (g *cgroup) empty() error {
	text := make([]byte, 64)
	start := time.Now()
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, clearPause) {
		n, err := g.events.ReadAt(text, 0)
		switch {
		case n == 0:
			return err
		case bytes.Contains(text[:n], []byte("frozen 1")):
			return errors.New("it is frozen")
		case bytes.Contains(text[:n], []byte("populated 0")):
			return nil
		case time.Since(start) > clearPatience:
			return errors.New("processes in it cannot be ended")
		}
		if err := g.kill(); err != nil {
			return err
		}
		time.Sleep(pause)
	}
}

func killCgroup(path string) error {
	return os.WriteFile(filepath.Join(path, "cgroup.kill"), []byte("1"), 0)
}

// removeCgroup ends what is in a cgroup and removes it with all below it.
func removeCgroup(path string) error {
	start := time.Now()
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, clearPause) {
		_ = killCgroup(path) // if there is no such file, removing says why not
		err := removeCgroups(path)
		if err == nil || !errors.Is(err, syscall.EBUSY) || time.Since(start) > clearPatience {
			return err
		}
		time.Sleep(pause)
	}
}

// removeCgroups removes the directories, the innermost first: the files in them go with them.
func removeCgroups(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if entry.IsDir() {
			err = errors.Join(err, removeCgroups(filepath.Join(path, entry.Name())))
		}
	}
	if err != nil {
		return err
	}
	return syscall.Rmdir(path)
}

// isCgroupFault tells that a cgroup, and not a program, is why no process was started.
func isCgroupFault(err error) bool {
	for _, errno := range []syscall.Errno{syscall.EBUSY, syscall.ENODEV, syscall.EOPNOTSUPP, syscall.EBADF} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}
