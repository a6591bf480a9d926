//go:build amd64 || arm64

package stage

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	mostFiles = 4096    // descriptors of a process
	mostBytes = 4 << 30 // of a file that it writes
)

// limitResources has no limit on memory: runtimes reserve more addresses than they use. Processes are limited by the
// namespaces, since the system counts them by user.
func limitResources() error {
	for limit, most := range map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_NOFILE: mostFiles, unix.RLIMIT_FSIZE: mostBytes} {
		var have unix.Rlimit
		if err := unix.Getrlimit(limit, &have); err != nil {
			return err
		}
		want := unix.Rlimit{Cur: min(have.Cur, most), Max: min(have.Max, most)}
		if err := unix.Setrlimit(limit, &want); err != nil {
			return err
		}
	}
	return nil
}

// The bits of a thread's securebits, and that each is kept: who is root has no rights for being it.
const rootIsNobody = 1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<5 | 1<<6 | 1<<7

// dropRights gives up all capabilities for good, and whatever a setuid program would give.
func dropRights() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if unix.Prctl(unix.PR_SET_SECUREBITS, rootIsNobody, 0, 0, 0) == nil { // who may not has no rights to lose
		for capability := range lastCapability() + 1 {
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(capability), 0, 0, 0); err != nil && err != unix.EINVAL {
				return err
			}
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	none := [2]unix.CapUserData{}
	return unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0])
}

// lastCapability is the highest that there is; beyond it a drop is refused.
func lastCapability() int {
	text, err := os.ReadFile("/proc/sys/kernel/cap_last_cap")
	if err != nil {
		return 63
	}
	last, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 63
	}
	return last
}
