package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

func (b *server) command(path string, args []string) *exec.Cmd {
	if b.namespace == nil {
		return exec.Command(path, args...)
	}
	cmd := exec.Command("sh", append([]string{"-c", b.before + ` exec "$0" "$@"`, path}, args...)...)
	cmd.SysProcAttr = b.namespace
	return cmd
}

// Limit gives the program a user namespace of its own, whose limits are its own too.
func (b *server) Limit(what, at, raise string) {
	limit := "/proc/sys/user/max_inotify_" + what
	b.namespace = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	b.before = fmt.Sprintf(`echo %s > %s || exit 9
		(exec 2>/dev/null; until test -e %q || ! kill -0 $$; do sleep 0.05; done; echo 1000 > %s) &`, at, limit, raise, limit)
}

// canLimit tells whether this system gives user namespaces to everyone.
func canLimit() error {
	b := &server{}
	b.Limit("watches", "1", "/")
	return b.command("true", nil).Run()
}

func (b *server) Freeze(t testing.TB) { b.signal(t, syscall.SIGSTOP) }
func (b *server) Thaw(t testing.TB)   { b.signal(t, syscall.SIGCONT) }

func (b *server) signal(t testing.TB, s syscall.Signal) {
	if err := b.cmd.Process.Signal(s); err != nil {
		t.Error(err)
	}
}

func (b *server) Said() string { return b.said.text() }
