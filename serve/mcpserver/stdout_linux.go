package mcpserver

import "syscall"

func replaceDescriptor(from, to int) error { return syscall.Dup3(from, to, 0) }
