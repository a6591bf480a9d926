//go:build amd64 || arm64

package stage

import (
	"errors"
	"strconv"

	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// What a path may be used for. A file's rights are those that mean something for a file.
const (
	forReading = landlocksys.AccessFSExecute | landlocksys.AccessFSReadFile | landlocksys.AccessFSReadDir
	forWriting = landlocksys.AccessFSReadFile | landlocksys.AccessFSReadDir | landlocksys.AccessFSWriteFile | landlocksys.AccessFSTruncate |
		landlocksys.AccessFSRemoveDir | landlocksys.AccessFSRemoveFile | landlocksys.AccessFSMakeDir | landlocksys.AccessFSMakeReg |
		landlocksys.AccessFSMakeFifo | landlocksys.AccessFSMakeSym | landlocksys.AccessFSMakeSock | landlocksys.AccessFSRefer
	ofFiles = landlocksys.AccessFSExecute | landlocksys.AccessFSReadFile | landlocksys.AccessFSWriteFile | landlocksys.AccessFSTruncate
)

// system is what every program may read: programs, libraries and what they look up everywhere. /etc is not among it as a whole:
// it holds keys and passwords, and who is root owns them.
func system() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew",
		"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives", "/etc/passwd", "/etc/group",
		"/etc/nsswitch.conf", "/etc/hosts", "/etc/host.conf", "/etc/resolv.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols",
		"/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/locale.conf", "/etc/default/locale", "/etc/mime.types", "/etc/magic",
		"/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ssl/cert.pem", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/ca-trust/extracted",
		"/etc/ca-certificates", "/etc/crypto-policies", "/etc/os-release", "/etc/debian_version", "/etc/fonts", "/etc/terminfo", "/etc/inputrc",
		"/etc/python3", "/etc/perl", "/etc/gitconfig", "/etc/ImageMagick-6", "/etc/ImageMagick-7", "/etc/java", "/etc/papersize",
		"/proc", "/sys/devices/system/cpu",
	}
}

// devices are what every program may use of /dev; what is written there goes nowhere.
func devices() []string {
	return []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
}

// restrictFiles has the thread touch nothing but what is granted, and signal nobody outside, as far as the system's Landlock
// knows how to; whether it knows enough for what is promised was seen to before.
func (o *Order) restrictFiles() error {
	r := &rules{}
	defer r.close()
	r.follow(forReading, system())
	r.follow(forWriting, devices())
	r.follow(forWriting, o.own())
	err := errors.Join(r.pin(forReading, o.Read), r.pin(forWriting, o.Write))
	if err != nil {
		return err
	}
	config := landlock.V11.BestEffort()
	if o.Network {
		config.HandledAccessNet = 0
	}
	ruleset, flags, err := config.NewRulesetFD(r.list...)
	if err != nil {
		return err
	}
	if ruleset < 0 {
		return unix.ENOSYS
	}
	defer unix.Close(ruleset)
	return landlocksys.LandlockRestrictSelf(ruleset, flags)
}

// Landlock is the version of the system's, 0 if it has none. One that does not keep signals in, as the first of version 6 did
// not, counts as 5.
func Landlock() int {
	version, err := landlocksys.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	if errata, err := landlocksys.LandlockGetErrata(); version >= 6 && (err != nil || errata&signalsMended == 0) {
		return 5
	}
	return version
}

const signalsMended = 1 << 1

// rules are those of a thread that is being restricted, and the descriptors that some of them need until then.
type rules struct {
	list []landlock.Rule
	open []int
}

func (r *rules) close() {
	for _, fd := range r.open {
		_ = unix.Close(fd)
	}
}

// follow gives rights to what is there, wherever links lead: who may make links there is trusted.
func (r *rules) follow(rights landlock.AccessFSSet, paths []string) {
	for _, path := range paths {
		var info unix.Stat_t
		if unix.Stat(path, &info) == nil { // what is not there, or out of reach, needs no right
			r.list = append(r.list, landlock.PathAccess(meaningful(rights, &info), path).IgnoreIfMissing())
		}
	}
}

// pin gives rights to what is there without any link, and to nothing that takes its place before the rules are in force.
func (r *rules) pin(rights landlock.AccessFSSet, paths []string) error {
	for _, path := range paths {
		fd, err := openReal(path)
		if err != nil {
			continue
		}
		r.open = append(r.open, fd)
		var info unix.Stat_t
		if err := unix.Fstat(fd, &info); err != nil {
			return err
		}
		r.list = append(r.list, landlock.PathAccess(meaningful(rights, &info), "/proc/self/fd/"+strconv.Itoa(fd)))
	}
	return nil
}

// meaningful leaves out rights that mean nothing for a file.
func meaningful(rights landlock.AccessFSSet, info *unix.Stat_t) landlock.AccessFSSet {
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= ofFiles
	}
	return rights
}

// openReal opens a path that leads over no link: one that has come to lie on it since it was granted leads elsewhere.
func openReal(path string) (int, error) {
	return unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
}

// own are directories that only the program and its children see.
func (o *Order) own() []string {
	switch {
	case o.Root:
		return []string{"/dev/shm", "/tmp"}
	case o.Namespaces:
		return []string{"/dev/shm"}
	}
	return nil
}
