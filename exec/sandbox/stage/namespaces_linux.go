//go:build amd64 || arm64

package stage

import (
	"os"

	"golang.org/x/sys/unix"
)

// mostProcesses is how many processes there may be at once in a namespace of them; Linux takes no less than 301.
const mostProcesses = "512"

// settle makes the system that the namespaces see.
func (o *Order) settle() error {
	if err := unix.Sethostname([]byte("sandbox")); err != nil {
		return &failedStep{"naming it", err}
	}
	if err := unix.Mount("", "/", "", unix.MS_PRIVATE|unix.MS_REC, ""); err != nil {
		return &failedStep{"leaving the server's mounts", err}
	}
	if o.Root {
		if err := o.build(); err != nil {
			return err
		}
	} else if err := mountOwn("/"); err != nil {
		return err
	}
	return limitProcesses()
}

// mountOwn mounts what must be the namespaces' own.
func mountOwn(root string) error {
	if err := unix.Mount("proc", root+"proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return &failedStep{"mounting /proc", err}
	}
	if err := mountEmpty(root+"dev/shm", "1777", "64m"); err != nil && err != unix.ENOENT {
		return &failedStep{"mounting /dev/shm", err}
	}
	return nil
}

func mountEmpty(path, mode, size string) error {
	return unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode="+mode+",size="+size)
}

// limitProcesses bounds what a program can fork: by the namespace where the system can do that (since Linux 6.14), and by the
// namespace's user, which is not counted for root.
func limitProcesses() error {
	if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: 512, Max: 512}); err != nil {
		return err
	}
	if !ownProcessLimit() {
		return nil
	}
	file, err := os.OpenFile("/proc/sys/kernel/pid_max", os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString(mostProcesses)
	return err
}

// ownProcessLimit tells whether a namespace has a limit of its own; before, this would be the whole system's.
func ownProcessLimit() bool {
	major, minor := release()
	return major > 6 || major == 6 && minor >= 14
}

// release is the kernel's.
func release() (major, minor int) {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return 0, 0
	}
	part := &major
	for _, c := range name.Release {
		switch {
		case c >= '0' && c <= '9':
			*part = *part*10 + int(c-'0')
		case part == &major:
			part = &minor
		default:
			return major, minor
		}
	}
	return major, minor
}
