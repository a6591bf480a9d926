package loader

import "syscall"

// silent names the kind of file system that dir is on if it is one that tells nothing of what others change: those that
// come over a network, or from a host to a container or virtual machine.
func silent(dir string) string {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return ""
	}
	switch uint32(st.Type) { // #nosec G115 -- magic numbers have 32 bits, whatever the field has
	case 0x6969:
		return "NFS"
	case 0x517B, 0xFE534D42, 0xFF534D42:
		return "SMB"
	case 0x01021997:
		return "9p"
	case 0x65735546:
		return "FUSE"
	case 0x00C36400:
		return "Ceph"
	case 0x786F4256:
		return "vboxsf"
	}
	return ""
}
