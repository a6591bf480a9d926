//go:build amd64 || arm64

package stage

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// restrictCalls has the system refuse calls that the rest does not cover. It is a filter in the system's own little
// language: a list of instructions, each of which loads a number, or compares it and skips some of those that follow.
func (o *Order) restrictCalls() error {
	filter := filterCalls(o)
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}                                           // #nosec G115 -- some hundred instructions
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program))) // #nosec G103 -- as the system call wants it
	if errno != 0 {
		return errno
	}
	return nil
}

// What a program is told of a call that it may not make.
const (
	isAbsent    = uint32(unix.ENOSYS) // so that it does without
	isForbidden = uint32(unix.EPERM)
	isDenied    = uint32(unix.EACCES)
)

// Where the parts of a call stand that a filter looks at; of an argument the lower half, which is all that these calls use.
const (
	callNumber   = 0
	callMachine  = 4
	callArgument = 16 // and 8 more for each that follows
)

// filterCalls never lets a call through by another machine's numbers, where the same number is another call.
func filterCalls(o *Order) []unix.SockFilter {
	f := &filter{}
	f.load(callMachine)
	f.jump(unix.BPF_JEQ, machine(), 1, 0)
	f.end(unix.SECCOMP_RET_KILL_PROCESS)
	f.load(callNumber)
	if runtime.GOARCH == "amd64" {
		f.jump(unix.BPF_JGE, 1<<30, 0, 1) // calls of x32
		f.refuse(isAbsent)
	}
	f.sockets(o.Network)
	f.without(isAbsent, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER) // opens sockets, past this filter
	f.without(isAbsent, unix.SYS_MEMFD_CREATE)                                                        // files without a place, which Landlock lets everybody execute
	f.without(isForbidden, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL)                   // keys of the user's session
	f.when(unix.SYS_IOCTL, 1, isForbidden, unix.TIOCSTI, unix.TIOCLINUX)                              // types on the server's terminal
	if !o.Namespaces {
		f.only(unix.SYS_PRLIMIT64, 0, isForbidden, 0) // the limits of others of its user, such as how many files the server may open
	}
	if o.Root {
		f.without(isForbidden,
			unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
			unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN,
			unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_FANOTIFY_INIT,
			unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_QUOTACTL, unix.SYS_ACCT,
			unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_REBOOT,
			unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_SYSLOG, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX,
			unix.SYS_CLOCK_ADJTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME)
		f.without(isAbsent, unix.SYS_CLONE3) // its flags cannot be seen; whoever is told that it is not there uses clone
		f.whenAny(unix.SYS_CLONE, 0, isForbidden, unix.CLONE_NEWUSER|unix.CLONE_NEWNS|unix.CLONE_NEWPID|unix.CLONE_NEWNET|unix.CLONE_NEWIPC|unix.CLONE_NEWUTS|unix.CLONE_NEWCGROUP)
	}
	f.end(unix.SECCOMP_RET_ALLOW)
	return f.code
}

func machine() uint32 {
	if runtime.GOARCH == "arm64" {
		return unix.AUDIT_ARCH_AARCH64
	}
	return unix.AUDIT_ARCH_X86_64
}

// sockets refuses every socket that is not of the network where that is granted. Sockets of this machine, by which a
// program could reach a container engine or a bus, are never granted; pairs of them, which lead nowhere, always.
func (f *filter) sockets(network bool) {
	if !network {
		f.without(isDenied, unix.SYS_SOCKET)
	} else {
		f.only(unix.SYS_SOCKET, 0, isDenied, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
		f.socketsOfTheNetwork()
	}
	// A datagram socket of a pair can still send to others.
	f.masked(unix.SYS_SOCKETPAIR, 1, socketType, isDenied, unix.SOCK_STREAM, unix.SOCK_SEQPACKET)
}

const socketType = 0xf // the rest are flags

func (f *filter) socketsOfTheNetwork() {
	f.masked(unix.SYS_SOCKET, 1, socketType, isDenied, unix.SOCK_STREAM, unix.SOCK_DGRAM, unix.SOCK_RAW) // raw is how netlink is asked for
	body := &filter{}
	body.load(callArgument)
	body.jump(unix.BPF_JEQ, unix.AF_NETLINK, 0, 4)
	body.load(callArgument + 2*8)
	body.jump(unix.BPF_JEQ, unix.NETLINK_ROUTE, 1, 0)
	body.refuse(isDenied)
	body.jump(unix.BPF_JA, 4, 0, 0)
	body.load(callArgument + 8)
	body.code = append(body.code, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: socketType})
	body.jump(unix.BPF_JEQ, unix.SOCK_RAW, 0, 1)
	body.refuse(isDenied)
	f.around(unix.SYS_SOCKET, body)
}

// filter is a program of the filter's language. Between its parts the number of the call is loaded.
type filter struct{ code []unix.SockFilter }

func (f *filter) load(at uint32) {
	f.code = append(f.code, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at})
}

// jump skips so many instructions if the comparison holds, or if it does not.
func (f *filter) jump(comparison uint16, with uint32, ifSo, ifNot uint8) {
	f.code = append(f.code, unix.SockFilter{Code: unix.BPF_JMP | comparison | unix.BPF_K, Jt: ifSo, Jf: ifNot, K: with})
}

func (f *filter) end(with uint32) {
	f.code = append(f.code, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: with})
}

func (f *filter) refuse(with uint32) { f.end(unix.SECCOMP_RET_ERRNO | with) }

// without refuses calls.
func (f *filter) without(with uint32, calls ...uint32) {
	for _, call := range calls {
		f.jump(unix.BPF_JEQ, call, 0, 1)
		f.refuse(with)
	}
}

// around has a call go through body, which loads what it likes; what body does not refuse goes on behind it.
func (f *filter) around(call uint32, body *filter) {
	body.load(callNumber)
	f.jump(unix.BPF_JEQ, call, 0, uint8(len(body.code))) // #nosec G115 -- each is a few instructions
	f.code = append(f.code, body.code...)
}

// when refuses a call whose argument is one of these.
func (f *filter) when(call uint32, argument uint32, with uint32, values ...uint32) {
	body := &filter{}
	body.load(callArgument + 8*argument)
	body.without(with, values...)
	f.around(call, body)
}

// whenAny refuses a call whose argument has any of these bits.
func (f *filter) whenAny(call uint32, argument uint32, with uint32, bits uint32) {
	body := &filter{}
	body.load(callArgument + 8*argument)
	body.jump(unix.BPF_JSET, bits, 0, 1)
	body.refuse(with)
	f.around(call, body)
}

// only refuses a call whose argument is none of these.
func (f *filter) only(call uint32, argument uint32, with uint32, values ...uint32) {
	f.masked(call, argument, 0xffffffff, with, values...)
}

// masked is only, for some bits of the argument.
func (f *filter) masked(call uint32, argument uint32, mask uint32, with uint32, values ...uint32) {
	body := &filter{}
	body.load(callArgument + 8*argument)
	body.code = append(body.code, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: mask})
	for i, value := range values {
		body.jump(unix.BPF_JEQ, value, uint8(len(values)-i), 0) // #nosec G115 -- a few values
	}
	body.refuse(with)
	f.around(call, body)
}
