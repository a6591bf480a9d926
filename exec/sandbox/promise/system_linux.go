//go:build amd64 || arm64

package promise

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/toolspec/toolspec/exec"
)

// systemPromises are about what the system would do for a program.
func systemPromises() []promise {
	const l, f = exec.LevelLandlock, exec.LevelFull
	return []promise{
		{name: "has no io_uring", from: l, attack: ring},
		{name: "reads no keys of the user's session", from: l, attack: func(*target) error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_KEYRING, true); return err }},
		{name: "changes nothing in /proc/sys", from: l, attack: func(*target) error { return writable("/proc/sys/kernel/printk") }},
		{name: "starts nothing by the system's keys", from: l, attack: func(*target) error { return writable("/proc/sysrq-trigger") }},
		{name: "changes nothing in /sys", from: l, attack: func(*target) error { return writable("/sys/kernel/profiling") }},
		{name: "mounts nothing", from: l, attack: mount},
		{name: "renames not the machine", from: l, attack: rename},
		{name: "loads no program into the system", from: f, attack: loadFilter},
		{name: "measures not the system", from: f, attack: measure},
		{name: "handles no page faults", from: f, attack: func(*target) error { return give(unix.Syscall(unix.SYS_USERFAULTFD, 1, 0, 0)) }},
	}
}

// give takes a descriptor that a call gave.
func give(fd, _ uintptr, errno unix.Errno) error {
	if errno != 0 {
		return errno
	}
	return unix.Close(int(fd)) // #nosec G115 -- a descriptor
}

func ring(*target) error {
	var parameters [30]uint32
	return give(unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&parameters)), 0)) // #nosec G103 -- as the system call wants it
}

// writable opens for writing, and writes nothing.
func writable(path string) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// mount mounts over a directory of its own, and takes it away again.
func mount(t *target) error {
	dir := t.own("mount")
	if err := unix.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "size=4k"); err != nil {
		return err
	}
	return unix.Unmount(dir, 0)
}

// rename gives the machine the name that it has.
func rename(*target) error {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return err
	}
	return unix.Sethostname([]byte(unix.ByteSliceToString(name.Nodename[:])))
}

// loadFilter asks for a table for programs in the system.
func loadFilter(*target) error {
	const createMap, hash = 0, 1
	attributes := [16]uint32{hash, 4, 4, 1}
	return give(unix.Syscall(unix.SYS_BPF, createMap, uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes))) // #nosec G103 -- as the system call wants it
}

func measure(*target) error {
	attributes := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv}
	fd, err := unix.PerfEventOpen(&attributes, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}
