//go:build unix

// Command recorder writes down what it was started with, byte for byte: tests run it in place of programs. The record
// is a file of its own in the directory that LC_RECORD_TO names, a variable that every command of a tool inherits.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// record is what a process got. Bytes, not texts: JSON would mend what is no UTF-8.
type record struct {
	Args        [][]byte
	Env         map[string][]byte
	Stdin       []byte
	Dir         []byte
	Descriptors []int
}

func main() {
	r := record{Env: map[string][]byte{}, Descriptors: descriptors()} // before anything of our own is open
	for _, arg := range os.Args[1:] {
		r.Args = append(r.Args, []byte(arg))
	}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		r.Env[name] = []byte(value)
	}
	if err := r.save(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (r record) save() error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	r.Dir = []byte(dir)
	if r.Stdin, err = io.ReadAll(os.Stdin); err != nil {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(os.Getenv("LC_RECORD_TO"), "record-")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return err
}

// descriptors are the numbers of the files that were handed down. What is closed when a program starts is our runtime's own.
func descriptors() []int {
	var open []int
	for fd := range uintptr(256) {
		flags, _, fault := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFD, 0)
		if fault == 0 && flags&syscall.FD_CLOEXEC == 0 {
			open = append(open, int(fd))
		}
	}
	return open
}
