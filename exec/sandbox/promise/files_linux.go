//go:build amd64 || arm64

package promise

import (
	"fmt"
	"os"
	osexec "os/exec"

	"golang.org/x/sys/unix"

	"github.com/toolspec/toolspec/exec"
)

// filePromises are about files. Each attack that changes one has one of its own.
func filePromises() []promise {
	const l, f = exec.LevelLandlock, exec.LevelFull
	return []promise{
		{name: "reads no file outside", from: l, attack: func(t *target) error { return readFile(t.outside("file1")) }},
		{name: "lists no directory outside", from: l, attack: func(t *target) error { return list(t.Outside) }},
		{name: "writes no file outside", from: l, attack: func(t *target) error { return writeFile(t.outside("file2"), 0) }},
		{name: "appends to no file outside", from: l, attack: func(t *target) error { return writeFile(t.outside("file3"), unix.O_APPEND) }},
		{name: "makes no file outside", from: l, attack: func(t *target) error { return writeFile(t.outside("new"), unix.O_CREAT|unix.O_EXCL) }},
		{name: "makes no directory outside", from: l, attack: func(t *target) error { return unix.Mkdir(t.outside("newdir"), 0o700) }},
		{name: "cuts no file outside", from: l, attack: func(t *target) error { return unix.Truncate(t.outside("file4"), 1) }},
		{name: "removes no file outside", from: l, attack: func(t *target) error { return unix.Unlink(t.outside("file5")) }},
		{name: "writes no file that is given for reading", from: l, attack: func(t *target) error { return writeFile(t.given("file1"), 0) }},
		{name: "cuts no file that is given for reading", from: l, attack: func(t *target) error { return unix.Truncate(t.given("file2"), 1) }},
		{name: "reads through no link out", from: l, attack: throughLink("file6", readFile)},
		{name: "writes through no link out", from: l, attack: throughLink("file7", func(path string) error { return writeFile(path, 0) })},
		{name: "links no file from outside", from: l, attack: func(t *target) error { return unix.Link(t.outside("file8"), t.own("linked")) }},
		{name: "links no given file to where it may write", from: l, attack: func(t *target) error { return unix.Link(t.given("file3"), t.own("given-linked")) }},
		{name: "moves no file in from outside", from: l, attack: func(t *target) error { return unix.Rename(t.outside("file9"), t.own("moved-in")) }},
		{name: "moves no file out", from: l, attack: func(t *target) error { return unix.Rename(t.own("file1"), t.outside("moved-out")) }},
		{name: "swaps no file with one outside", from: l, attack: func(t *target) error {
			return unix.Renameat2(unix.AT_FDCWD, t.own("file2"), unix.AT_FDCWD, t.outside("file10"), unix.RENAME_EXCHANGE)
		}},
		{name: "executes nothing outside", from: l, attack: func(t *target) error { return execute(t.outside("script")) }},
		{name: "executes nothing that it can write", from: l, attack: func(t *target) error { return execute(t.own("script")) }},
		{name: "executes nothing that it keeps in memory", from: l, attack: executeMemory},
		{name: "makes no device", from: l, attack: func(t *target) error { return unix.Mknod(t.own("device"), unix.S_IFCHR|0o600, int(unix.Mkdev(1, 5))) }}, // #nosec G115 -- small
		{name: "gives no file to another user", from: l, attack: func(t *target) error { return unix.Chown(t.own("file3"), otherUser, -1) }},
		{name: "loads no code that it can write", from: f, attack: func(t *target) error { return mapCode(t.own("file4")) }},
		{name: "changes no mode outside", from: f, attack: func(t *target) error { return unix.Chmod(t.outside("file11"), 0o777) }},
		{name: "changes no owner outside", from: f, attack: func(t *target) error { return unix.Chown(t.outside("file12"), unix.Getuid(), unix.Getgid()) }},
		{name: "changes no times outside", from: f, attack: func(t *target) error { return unix.Utimes(t.outside("file13"), make([]unix.Timeval, 2)) }},
		{name: "changes no attributes outside", from: f, attack: func(t *target) error { return unix.Setxattr(t.outside("file14"), "user.toolspec", []byte("x"), 0) }},
		{name: "changes no mode of what is given for reading", from: f, attack: func(t *target) error { return unix.Chmod(t.given("file4"), 0o777) }},
		{name: "does not see what is there outside", from: f, attack: func(t *target) error { var s unix.Stat_t; return unix.Lstat(t.outside("file15"), &s) }},
	}
}

const otherUser = 12345

func readFile(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Read(fd, make([]byte, 8))
	return err
}

func writeFile(path string, flags int) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CLOEXEC|flags, 0o600)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte("attacked"))
	return err
}

func list(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Getdents(fd, make([]byte, 4096))
	return err
}

// throughLink does something to a file outside by a link to it that the attacker makes.
func throughLink(name string, do func(path string) error) func(t *target) error {
	return func(t *target) error {
		link := t.own("link-to-" + name)
		if err := unix.Symlink(t.outside(name), link); err != nil {
			return fmt.Errorf("no link can be made: %w", err)
		}
		return do(link)
	}
}

func execute(path string) error {
	return osexec.Command(path).Run() // #nosec G204 -- the target's
}

// executeMemory executes a file that has no place among all others.
func executeMemory(*target) error {
	fd, err := unix.MemfdCreate("attack", unix.MFD_CLOEXEC)
	if err != nil {
		return err
	}
	file := os.NewFile(uintptr(fd), "attack") // #nosec G115 -- a descriptor
	defer file.Close()
	if _, err := file.WriteString("#!/bin/sh\nexit 0\n"); err != nil {
		return err
	}
	cmd := osexec.Command("/proc/self/fd/3")
	cmd.ExtraFiles = []*os.File{file}
	return cmd.Run()
}

// mapCode loads a file as code, as what starts programs does.
func mapCode(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	code, err := unix.Mmap(fd, 0, 4, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE)
	if err != nil {
		return err
	}
	return unix.Munmap(code)
}
