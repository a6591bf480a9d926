// Command toolspec serves a directory of tool files to agents, and lists, shows, calls, checks and watches them.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/toolspec/toolspec/serve/mcpserver"
)

// stdio is what a command reads and writes, and how others reach it.
type stdio struct {
	in       io.Reader
	out, err io.Writer
	protocol func() (io.Writer, error)               // standard output, for messages alone; nil: out
	listen   func(addr string) (net.Listener, error) // nil: serve.Listen
}

func main() { os.Exit(live(standard())) }

// standard is what this process was started with.
func standard() stdio {
	return stdio{in: os.Stdin, out: onScreen(os.Stdout), err: onScreen(os.Stderr), protocol: func() (io.Writer, error) { return mcpserver.ClaimStdout() }}
}

// live runs the process's own command line until it ends, or is told to.
func live(std stdio) int {
	keepDescriptors()
	if err := hideEnvironment(); err != nil {
		fmt.Fprintln(std.err, "toolspec: tools can read this program's variables, and secrets among them, in /proc:", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return runFrom(ctx, os.Args[1:], std, &place{alone: true})
}
