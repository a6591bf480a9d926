//go:build amd64 || arm64

package promise

import (
	"golang.org/x/sys/unix"

	"github.com/toolspec/toolspec/exec"
)

// networkPromises are about sockets: those of a program without the network, and those that even one with it has not.
func networkPromises() []promise {
	const l = exec.LevelLandlock
	return []promise{
		{name: "connects not by TCP", from: l, attack: func(t *target) error { return connectTCP(t, unix.IPPROTO_TCP) }},
		{name: "connects not by multipath TCP", from: l, attack: func(t *target) error { return connectTCP(t, unix.IPPROTO_MPTCP) }},
		{name: "accepts nothing by TCP", from: l, attack: func(*target) error { return bind(unix.IPPROTO_TCP) }},
		{name: "accepts nothing by multipath TCP", from: l, attack: func(*target) error { return bind(unix.IPPROTO_MPTCP) }},
		{name: "sends nothing by UDP", from: l, attack: sendUDP},
		{name: "asks the system for nothing by netlink", from: l, attack: open(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE)},
		{name: "connects to no socket of a file, with the network", from: l, network: true, attack: func(t *target) error { return connectUnix(t.Socket) }},
		{name: "connects to no socket of a name, with the network", from: l, network: true, attack: func(t *target) error { return connectUnix(t.Abstract) }},
		{name: "sends to no socket of a file by one of a pair, with the network", from: l, network: true, attack: sendFromPair},
		{name: "has no raw socket, with the network", from: l, network: true, attack: open(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP)},
		{name: "has no packet socket, with the network", from: l, network: true, attack: open(unix.AF_PACKET, unix.SOCK_DGRAM, 0)},
		{name: "has no socket of virtual machines, with the network", from: l, network: true, attack: open(unix.AF_VSOCK, unix.SOCK_STREAM, 0)},
		{name: "has no other netlink socket, with the network", from: l, network: true, attack: open(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_KOBJECT_UEVENT)},
	}
}

// open opens a socket.
func open(family, kind, protocol int) func(*target) error {
	return func(*target) error {
		fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, protocol)
		if err != nil {
			return err
		}
		return unix.Close(fd)
	}
}

// use opens a socket and does something with it.
func use(family, kind, protocol int, do func(fd int) error) error {
	fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, protocol)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return do(fd)
}

func loopback(port int) *unix.SockaddrInet4 {
	return &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
}

func connectTCP(t *target, protocol int) error {
	return use(unix.AF_INET, unix.SOCK_STREAM, protocol, func(fd int) error { return unix.Connect(fd, loopback(t.TCP)) })
}

func bind(protocol int) error {
	return use(unix.AF_INET, unix.SOCK_STREAM, protocol, func(fd int) error { return unix.Bind(fd, loopback(0)) })
}

func sendUDP(t *target) error {
	return use(unix.AF_INET, unix.SOCK_DGRAM, 0, func(fd int) error { return unix.Sendto(fd, []byte("x"), 0, loopback(t.UDP)) })
}

func connectUnix(name string) error {
	return use(unix.AF_UNIX, unix.SOCK_STREAM, 0, func(fd int) error { return unix.Connect(fd, &unix.SockaddrUnix{Name: name}) })
}

// sendFromPair sends by one of two sockets that are made connected to each other.
func sendFromPair(t *target) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(pair[0])
	defer unix.Close(pair[1])
	return unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: t.Datagrams})
}
