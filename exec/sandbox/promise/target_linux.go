//go:build amd64 || arm64

package promise

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// target is what attacks are about: files of the server's user, a process of the server's, and who listens.
type target struct {
	Attacks    []string
	Outside    string // a directory that is not granted, with files, and one that is executable
	Given      string // one that is granted for reading
	Own        string // one that is granted for writing
	Server     int    // the server's process
	Victim     int    // another process of its user
	Socket     string // in the file system
	Datagrams  string // in the file system, too
	Abstract   string // in no file system
	TCP, UDP   int    // ports of this machine
	Descriptor int    // one of the server's, of a file outside, that it did not close
	Segment    int    // shared memory by number
	Memory     string // shared memory by name

	Self    []string // arguments with which this program attacks
	program string   // this one, where it lies
	dir     string
	close   []func() error
}

// leaked is a number for a descriptor that nobody uses.
const leaked = 123

// newTarget makes one; remove takes it away.
func newTarget(self []string) (*target, error) {
	dir, err := os.MkdirTemp("", "toolspec-doctor-")
	if err != nil {
		return nil, err
	}
	t := &target{Self: self[1:], dir: dir, Server: os.Getpid(), Descriptor: leaked}
	t.close = append(t.close, func() error { return os.RemoveAll(dir) })
	if err := t.furnish(); err != nil {
		return nil, errors.Join(err, t.remove())
	}
	return t, nil
}

func (t *target) remove() error {
	var errs []error
	for i := len(t.close) - 1; i >= 0; i-- {
		errs = append(errs, t.close[i]())
	}
	return errors.Join(errs...)
}

func (t *target) furnish() error {
	dir, err := filepath.EvalSymlinks(t.dir)
	if err != nil {
		return err
	}
	if t.program, err = os.Executable(); err != nil {
		return err
	}
	if t.program, err = filepath.EvalSymlinks(t.program); err != nil {
		return err
	}
	t.Outside, t.Given, t.Own = filepath.Join(dir, "outside"), filepath.Join(dir, "given"), filepath.Join(dir, "own")
	for _, d := range []string{t.Outside, t.Given, t.Own} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return err
		}
		for i := range mostFiles {
			if err := os.WriteFile(filepath.Join(d, "file"+strconv.Itoa(i)), []byte("content"), 0o600); err != nil {
				return err
			}
		}
		script := filepath.Join(d, "script")
		if err := os.WriteFile(script, []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil { // #nosec G306 -- to be executed
			return err
		}
	}
	for _, make := range []func() error{t.startVictim, t.leak, t.listen, t.share} {
		if err := make(); err != nil {
			return err
		}
	}
	return nil
}

// mostFiles is how many attacks have a file of their own, that no other has changed.
const mostFiles = 24

// startVictim starts a process that waits.
func (t *target) startVictim() error {
	cmd := t.play(victimsPart)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	t.Victim = cmd.Process.Pid
	t.close = append(t.close, func() error { return errors.Join(in.Close(), ended(cmd.Wait())) })
	return nil
}

// leak leaves a descriptor open for whoever is started.
func (t *target) leak() error {
	file, err := os.Open(filepath.Join(t.Outside, "file0"))
	if err != nil {
		return err
	}
	defer file.Close()
	if err := unix.Dup3(int(file.Fd()), t.Descriptor, 0); err != nil { // #nosec G115 -- a descriptor
		return err
	}
	t.close = append(t.close, func() error { return unix.Close(t.Descriptor) })
	return nil
}

func (t *target) listen() error {
	t.Socket, t.Datagrams, t.Abstract = filepath.Join(t.Outside, "socket"), filepath.Join(t.Outside, "datagrams"), fmt.Sprintf("@toolspec-doctor-%d-%s", t.Server, filepath.Base(t.dir))
	for _, address := range []string{t.Socket, t.Abstract} {
		l, err := net.Listen("unix", address)
		if err != nil {
			return err
		}
		t.close = append(t.close, l.Close)
	}
	datagrams, err := net.ListenPacket("unixgram", t.Datagrams)
	if err != nil {
		return err
	}
	t.close = append(t.close, datagrams.Close)
	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	t.close = append(t.close, tcp.Close)
	t.TCP = tcp.Addr().(*net.TCPAddr).Port
	udp, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	t.close = append(t.close, udp.Close)
	t.UDP = udp.LocalAddr().(*net.UDPAddr).Port
	return nil
}

// share makes shared memory; where there is none, the attack on it shows nothing.
func (t *target) share() error {
	t.Memory = filepath.Join("/dev/shm", filepath.Base(t.dir))
	if err := os.WriteFile(t.Memory, []byte("content"), 0o600); err == nil {
		t.close = append(t.close, func() error { return os.Remove(t.Memory) })
	}
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o600)
	if err != nil {
		t.Segment = -1
		return nil
	}
	t.Segment = id
	t.close = append(t.close, func() error { _, err := unix.SysvShmCtl(id, unix.IPC_RMID, nil); return err })
	return nil
}

// outside, given and own are paths in those directories.
func (t *target) outside(name string) string { return filepath.Join(t.Outside, name) }
func (t *target) given(name string) string   { return filepath.Join(t.Given, name) }
func (t *target) own(name string) string     { return filepath.Join(t.Own, name) }

// isAlive tells whether a process that wrote its number into a file, which it keeps locked, is still there; and ends it.
func isAlive(path string) error {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err == nil {
		return errors.New("it ended with the call")
	}
	text := make([]byte, 20)
	n, err := unix.Read(fd, text)
	if err != nil {
		return err
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n]))); err == nil && pid > 1 {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it was to show that it lives
	}
	return nil
}
