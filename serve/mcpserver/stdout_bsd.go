//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package mcpserver

import "syscall"

func replaceDescriptor(from, to int) error { return syscall.Dup2(from, to) }
