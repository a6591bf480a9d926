// Program vulns has govulncheck look for known vulnerabilities, and tells what was found from what could not be looked up: the first
// fails, the second is said so that nobody overlooks it.
//
//	go run ./testdata/vulns [-db URL] [-wait 10s] GOVULNCHECK PATTERN...
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	osexec "os/exec"
	"time"
)

type search struct {
	program string
	args    []string      // that name a database, before anything else
	wait    time.Duration // how long the database may take to say how old it is
	most    time.Duration // how long all may take
}

func main() {
	var s search
	db := flag.String("db", "", "the database, where it is not govulncheck's own")
	flag.DurationVar(&s.wait, "wait", 10*time.Second, "how long the database may take to answer")
	flag.DurationVar(&s.most, "most", 5*time.Minute, "how long all may take")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "vulns: want a govulncheck and packages")
		os.Exit(2)
	}
	if *db != "" {
		s.args = []string{"-db", *db}
	}
	s.program = flag.Arg(0)
	os.Exit(s.run(flag.Args()[1:]))
}

// run gives the exit code. Whether the database can be reached is asked again when anything but a finding went wrong: it may go while we look.
func (s *search) run(patterns []string) int {
	if !s.reachable() {
		return s.notChecked()
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.most)
	defer cancel()
	cmd := osexec.CommandContext(ctx, s.program, append(s.args[:len(s.args):len(s.args)], patterns...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err := cmd.Run()
	const found = 3 // what govulncheck ends with then
	var exit *osexec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() == found:
		fmt.Fprintln(os.Stderr, "KNOWN VULNERABILITIES: see above")
	case ctx.Err() != nil || !s.reachable():
		return s.notChecked()
	default:
		fmt.Fprintln(os.Stderr, "vulns: govulncheck:", err)
	}
	return 1
}

// reachable tells whether the database says how old it is, which govulncheck asks it for with its version.
func (s *search) reachable() bool {
	ctx, cancel := context.WithTimeout(context.Background(), s.wait)
	defer cancel()
	out, err := osexec.CommandContext(ctx, s.program, append(s.args[:len(s.args):len(s.args)], "-version")...).Output()
	return err == nil && bytes.Contains(out, []byte("\nDB updated: "))
}

func (s *search) notChecked() int {
	const line = "****************************************************************"
	fmt.Fprintf(os.Stderr, "%s\nNOT CHECKED FOR KNOWN VULNERABILITIES: the database cannot be reached\n%s\n", line, line)
	return 0
}
