package main

// This file is part of the program that end-to-end tests build, too, and therefore imports nothing of tests.

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/serve"
)

// tapVariable names the directory of the taps; else it is the directory tap beside the program, if there is one.
const tapVariable = "TOOLSPEC_TAP"

// tapped is what a process reads and writes, with a tap in all that leaves it: standard output and error, messages, and
// what is said on connections. A file for each is in the directory of taps, and one with the secrets of the process.
func tapped(std stdio) stdio {
	dir := os.Getenv(tapVariable)
	if self, err := os.Executable(); dir == "" && err == nil {
		dir = filepath.Join(filepath.Dir(self), "tap")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return std
	}
	if slices.Contains(os.Args, "--attack") {
		return std // it is confined, and has no file to write; what it says goes to doctor alone
	}
	t := tap{dir: dir}
	t.secrets(os.Args)
	out, protocol := std.out, std.protocol
	std.out, std.err = t.on("stdout", out), t.on("stderr", std.err)
	std.protocol = func() (io.Writer, error) {
		w, err := protocol()
		return t.on("messages", w), err
	}
	std.listen = func(addr string) (net.Listener, error) {
		l, err := serve.Listen(addr)
		if err != nil {
			return nil, err
		}
		return &tappedListener{Listener: l, tap: t}, nil
	}
	return std
}

type tap struct{ dir string }

// path is the file of one stream of this process.
func (t tap) path(stream string) string {
	command := "start"
	if len(os.Args) > 1 {
		command = strings.Trim(os.Args[1], "-/.")
	}
	return filepath.Join(t.dir, fmt.Sprintf("%s.%d.%s", filepath.Base(command), os.Getpid(), stream))
}

// on is a writer with a tap in it.
func (t tap) on(stream string, w io.Writer) io.Writer {
	file, err := os.OpenFile(t.path(stream), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		panic(err)
	}
	return tee{w, file}
}

// tee writes to a file what it writes.
type tee struct {
	io.Writer
	file *os.File
}

func (t tee) Write(p []byte) (int, error) {
	if _, err := t.file.Write(p); err != nil {
		panic(err)
	}
	return t.Writer.Write(p)
}

// secrets writes down those that the process is given: by variables, and by the directory that its policy names.
func (t tap) secrets(args []string) {
	var values []string
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "TOOLSPEC_SECRET_") {
			values = append(values, value)
		}
	}
	for i, arg := range args[:len(args)-1] {
		if arg != "--policy" {
			continue
		}
		policy, _ := exec.StandardKinds().LoadPolicy(args[i+1])
		files, _ := filepath.Glob(filepath.Join(policy.Secrets.Dir, "*"))
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && policy.Secrets.Dir != "" {
				values = append(values, strings.TrimSpace(string(text)))
			}
		}
	}
	text, _ := json.Marshal(values)
	if err := os.WriteFile(t.path(tapSecrets), text, 0o600); err != nil {
		panic(err)
	}
}

// tapSecrets is the stream that holds the secrets themselves.
const tapSecrets = "secrets"

// tappedListener puts a tap in each connection.
type tappedListener struct {
	net.Listener
	tap tap
	n   atomic.Int64
}

func (l *tappedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &tappedConn{Conn: conn, to: l.tap.on(fmt.Sprintf("connection-%d", l.n.Add(1)), conn)}, nil
}

type tappedConn struct {
	net.Conn
	to io.Writer
}

func (c *tappedConn) Write(p []byte) (int, error) { return c.to.Write(p) }

func (c *tappedConn) Close() error {
	_ = c.to.(tee).file.Close()
	return c.Conn.Close()
}
