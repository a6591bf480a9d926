//go:build amd64 || arm64

package promise

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"runtime"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/toolspec/toolspec/exec"
)

// processPromises are about processes, the server's and its own.
func processPromises() []promise {
	const l, n, f = exec.LevelLandlock, exec.LevelNamespaces, exec.LevelFull
	return []promise{
		{name: "signals not the server", from: l, attack: func(t *target) error { return unix.Kill(t.Server, unix.SIGCONT) }},
		{name: "signals no other process", from: l, attack: func(t *target) error { return unix.Kill(t.Victim, unix.SIGCONT) }},
		{name: "reads not the server's environment", from: l, attack: func(t *target) error { return readFile(ofProcess(t.Server, "environ")) }},
		{name: "reads not the server's memory", from: l, attack: func(t *target) error { return openFile(ofProcess(t.Server, "mem")) }},
		{name: "opens none of the server's descriptors", from: l, attack: func(t *target) error { return openFile(ofProcess(t.Server, "fd/"+strconv.Itoa(t.Descriptor))) }},
		{name: "limits not the server", from: l, attack: func(t *target) error { return limit(t.Server) }},
		{name: "limits no other process", from: l, attack: func(t *target) error { return limit(t.Victim) }},
		{name: "traces no other process", from: l, attack: func(t *target) error { return trace(t.Victim) }},
		{name: "reads the memory of no other process", from: l, attack: func(t *target) error { return peek(t.Victim) }},
		{name: "has none of the server's descriptors", from: l, attack: func(t *target) error { _, err := unix.Pread(t.Descriptor, make([]byte, 4), 0); return err }},
		{name: "gains no rights by what it executes", from: l, attack: canGain},
		{name: "has no capability", from: l, attack: hasCapability},
		{name: "dumps no core", from: l, attack: canDump},
		{name: "opens no shared memory by its name", from: l, attack: func(t *target) error { return readFile(t.Memory) }},
		{name: "sees no other process", from: n, attack: func(t *target) error { return readFile(ofProcess(t.Victim, "cmdline")) }},
		{name: "leaves no process behind", from: n, attack: escape, after: func(t *target) error { return isAlive(t.own(escapees)) }},
		{name: "slows no other process", from: n, attack: func(t *target) error { return unix.Setpriority(unix.PRIO_PROCESS, t.Victim, 19) }},
		{name: "attaches no shared memory", from: n, attack: attach},
		{name: "has no more than 512 processes", from: n, attack: multiply, alone: true},
		{name: "makes no namespaces", from: f, attack: makeNamespace},
		{name: "traces nothing", from: f, attack: traceOwn},
	}
}

func ofProcess(pid int, file string) string { return "/proc/" + strconv.Itoa(pid) + "/" + file }

func openFile(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// onThread does something on a thread that is then thrown away.
func onThread(do func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		done <- do()
	}()
	return <-done
}

func ptrace(request, pid int) error {
	_, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, uintptr(request), uintptr(pid), 0, 0, 0, 0) // #nosec G115 -- small
	if errno != 0 {
		return errno
	}
	return nil
}

// limit sets a limit of the process to what it is.
func limit(pid int) error {
	var have unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_CPU, nil, &have); err != nil {
		return err
	}
	return unix.Prlimit(pid, unix.RLIMIT_CPU, &have, nil)
}

// trace lets go of the process when the thread ends.
func trace(pid int) error {
	return onThread(func() error { return ptrace(unix.PTRACE_SEIZE, pid) })
}

// traceOwn traces a process that it has started.
func traceOwn(t *target) error {
	cmd := t.play(victimsPart)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = trace(cmd.Process.Pid)
	_ = in.Close()
	_ = cmd.Wait() // it may find it stopped, by a signal that waits for who traces it
	return err
}

// peek reads what may not be there, which is told from what may not be read.
func peek(pid int) error {
	into := make([]byte, 8)
	local := []unix.Iovec{{Base: &into[0], Len: 8}}
	remote := []unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&into[0])), Len: 8}} // #nosec G103 -- an address like any other
	if _, err := unix.ProcessVMReadv(pid, local, remote, 0); err != nil && !errors.Is(err, unix.EFAULT) {
		return err
	}
	return nil
}

func canGain(*target) error {
	set, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
	if err == nil && set == 1 {
		err = errors.New("no_new_privs is set")
	}
	return err
}

func hasCapability(*target) error {
	var sets [2]unix.CapUserData
	if err := unix.Capget(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &sets[0]); err != nil {
		return err
	}
	if sets[0].Permitted|sets[1].Permitted == 0 {
		return errors.New("it has none")
	}
	return nil
}

func canDump(*target) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err != nil {
		return err
	}
	if limit.Max == 0 {
		return errors.New("its limit is 0")
	}
	return nil
}

// Parts that this program plays when it is started by an attack, or for one.
const (
	victimsPart  = "victim"  // waits until standard input ends
	escapeesPart = "escapee" // leaves everything, and waits
	escapees     = "escapee" // its file in a directory that it may write
)

// play is this program once more, in another part.
func (t *target) play(part string) *osexec.Cmd {
	cmd := osexec.Command("/proc/self/exe", t.Self...)                   // #nosec G204 -- this program itself
	text, _ := json.Marshal(target{Attacks: []string{part}, Own: t.Own}) // it has only what JSON has
	cmd.Env = []string{targetVariable + "=" + string(text)}
	return cmd
}

// escape leaves a process in a session of its own.
func escape(t *target) error {
	cmd := t.play(escapeesPart)
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		return fmt.Errorf("it did not get away: %w", err)
	}
	return nil
}

// stayAway is the part of the escapee.
func stayAway(t *target) error {
	fd, err := unix.Open(t.own(escapees), unix.O_CREAT|unix.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := unix.Flock(fd, unix.LOCK_EX); err != nil {
		return err
	}
	if _, err := unix.Write(fd, []byte(strconv.Itoa(os.Getpid())+"\n")); err != nil {
		return err
	}
	if _, err := os.Stdout.WriteString("x"); err != nil {
		return err
	}
	time.Sleep(time.Minute) // whoever looks for it ends it before
	return nil
}

func attach(t *target) error {
	memory, err := unix.SysvShmAttach(t.Segment, 0, 0)
	if err != nil {
		return err
	}
	return unix.SysvShmDetach(memory)
}

// multiply has more threads, which the system counts as processes, than may be; Go gives up where one cannot be had.
func multiply(*target) error {
	const many = 600
	started, end := make(chan bool), make(chan bool)
	for range many {
		go func() {
			runtime.LockOSThread()
			started <- true
			<-end
		}()
	}
	for range many {
		<-started
	}
	close(end)
	return nil
}

func makeNamespace(t *target) error {
	cmd := t.play(victimsPart)
	cmd.SysProcAttr = &unix.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER}
	return cmd.Run()
}
