//go:build amd64 || arm64

package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"syscall"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/sandbox/stage"
)

// self is this program, even after another has taken its place on disk.
const self = "/proc/self/exe"

// Confine has a stage started in the program's place, with the same arguments and streams. Of the environment the stage
// itself sees nothing.
func (s *Sandbox) Confine(cmd *osexec.Cmd, within exec.Confinement) (exec.Confined, error) {
	if err := s.Has(within.Level); err != nil {
		return nil, &exec.SandboxError{Message: err.Error()}
	}
	return confine(cmd, within)
}

func confine(cmd *osexec.Cmd, within exec.Confinement) (*confined, error) {
	order, err := json.Marshal(orderOf(cmd, within))
	if err != nil {
		return nil, err
	}
	ours, theirs, err := socket()
	if err != nil {
		return nil, err
	}
	message := binary.NativeEndian.AppendUint32(nil, uint32(len(order))) // #nosec G115 -- some paths
	go func() {                                                          // more than the system keeps for it waits for the stage to read it, or for the socket to close
		_, _ = ours.Write(append(message, order...)) // a stage that has gone says so itself
	}()
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = stage.Hide(cmd.Env)
	cmd.Path, cmd.Args, cmd.ExtraFiles = self, append([]string{stage.Name}, cmd.Args...), []*os.File{theirs}
	if within.Level != exec.LevelLandlock {
		namespaces(cmd, within.Network)
	}
	return &confined{ours, theirs, within.Level != exec.LevelLandlock}, nil
}

func orderOf(cmd *osexec.Cmd, within exec.Confinement) stage.Order {
	return stage.Order{
		Program: cmd.Path, Dir: cmd.Dir, Namespaces: within.Level != exec.LevelLandlock, Root: within.Level == exec.LevelFull,
		Network: within.Network, Read: within.Read, Write: within.Write, Links: within.Links,
	}
}

// socket is a pair of connected ones; the second is for the stage.
func socket() (ours, theirs *os.File, err error) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	_ = syscall.SetNonblock(pair[0], true) // so that waiting for the stage costs no thread
	return os.NewFile(uintptr(pair[0]), "sandbox"), os.NewFile(uintptr(pair[1]), "stage"), nil
}

// namespaces has the stage be the first process of namespaces of its own. There it is who the server is, for files are
// whose they are; but only there has it rights beyond, and it gives them up.
func namespaces(cmd *osexec.Cmd, network bool) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	a := cmd.SysProcAttr
	a.Cloneflags |= syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS
	if !network {
		a.Cloneflags |= syscall.CLONE_NEWNET
	}
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	if os.Geteuid() != 0 {
		a.AmbientCaps = []uintptr{mayAdminister, mayGiveUp} // or it would lose them as it starts
	}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
}

// Capabilities of the stage: to make its system, and to give up all of them for good.
const (
	mayGiveUp     = 8  // CAP_SETPCAP
	mayAdminister = 21 // CAP_SYS_ADMIN
)

// confined is a program behind its stage.
type confined struct {
	ours, theirs *os.File
	stays        bool // the stage, to wait for the program
}

// Started waits until the program itself runs.
func (c *confined) Started() error {
	if err := c.theirs.Close(); err != nil {
		return err
	}
	var kind [1]byte
	if _, err := io.ReadFull(c.ours, kind[:]); err != nil {
		return &exec.SandboxError{Message: "what confines the program ended before it ran"}
	}
	if kind[0] == stage.SaysStarted && !c.stays {
		if _, err := io.ReadFull(c.ours, kind[:]); err == io.EOF {
			return nil // the socket closed when the program took the stage's place
		} else if err != nil {
			return err
		}
	}
	if kind[0] == stage.SaysStarted {
		return nil
	}
	text, err := io.ReadAll(c.ours)
	if err != nil {
		return err
	}
	var f stage.Fault
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	if f.What == "" {
		return &os.PathError{Op: "start", Path: "the program", Err: syscall.Errno(f.Errno)}
	}
	return &exec.SandboxError{Message: fmt.Sprintf("the program could not be confined: %s", f.What)}
}

// Close leaves the program alone; one that has namespaces of its own ends.
func (c *confined) Close() error {
	_ = c.theirs.Close() // it may be already
	return c.ours.Close()
}

// Ended is how the program ended, where its stage could say.
func (c *confined) Ended() (exitCode, signal int, told bool) {
	defer c.Close()
	_ = c.theirs.Close() // of a command that was never started it is open, and nobody would answer
	var message [5]byte
	if !c.stays {
		return 0, 0, false
	}
	if _, err := io.ReadFull(c.ours, message[:]); err != nil || message[0] != stage.SaysEnded {
		return 0, 0, false
	}
	status := syscall.WaitStatus(binary.NativeEndian.Uint32(message[1:]))
	if status.Signaled() {
		return 0, int(status.Signal()), true
	}
	return status.ExitStatus(), 0, true
}

// version is one of Landlock's, and the first kernel that has it.
type version struct {
	version int
	kernel  string
}

var (
	landlockAlone  = version{6, "6.12"} // keeps signals in
	landlockBeside = version{3, "6.2"}  // keeps files from being cut; signals stay in their namespace
)

// try confines nothing, as far as the level asks, and says what went wrong.
func try(level exec.Level) error {
	needs := landlockAlone
	if level != exec.LevelLandlock {
		needs = landlockBeside
	}
	if have := stage.Landlock(); have < needs.version {
		return fmt.Errorf("it needs Landlock of version %d, which Linux has from %s; here it is %d", needs.version, needs.kernel, have)
	}
	cmd := &osexec.Cmd{}
	c, err := confine(cmd, exec.Confinement{Level: level})
	if err != nil {
		return err
	}
	defer c.Ended()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("namespaces are not to be had: %w", err)
	}
	started, ended := c.Started(), cmd.Wait()
	if started != nil {
		return started
	}
	return ended
}
