// Command toolspec serves a directory of tool files to agents, and lists, shows, calls, checks and watches them.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// stdio is what a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	keepDescriptors()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := runFrom(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}, &place{alone: true})
	stop()
	os.Exit(code)
}
