//go:build amd64 || arm64

package stage

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// The stage begins here: see the package's comment. In a program that was not started as one this is one comparison.
var _ = len(os.Args) > 0 && os.Args[0] == Name && begin()

// begin does not return.
func begin() bool {
	runtime.LockOSThread() // what follows confines this thread, and what is started from it
	order := listen()
	if err := order.confine(); err != nil {
		refuse(err)
	}
	if order.Program == "" {
		say(SaysStarted, nil)
		os.Exit(0)
	}
	argv, env := os.Args[1:], environment(os.Environ())
	if order.Namespaces {
		supervise(order.Program, argv, env)
	}
	say(SaysStarted, nil)
	refuse(syscall.Exec(order.Program, argv, env)) // #nosec G204 G702 -- the server says which; that is what a stage is for
	return true
}

// confine confines the thread.
func (o *Order) confine() error {
	steps := []struct {
		what string
		do   func() error
		is   bool
	}{
		{"limiting what it may use", limitResources, true},
		{"making its own system", o.settle, o.Namespaces},
		{"going to " + o.Dir, func() error { return unix.Chdir(o.Dir) }, o.Dir != ""},
		{"giving up rights", dropRights, true},
		{"restricting its files", o.restrictFiles, true},
		{"restricting its system calls", o.restrictCalls, true},
	}
	for _, step := range steps {
		if !step.is {
			continue
		}
		if err := step.do(); err != nil {
			return &failedStep{step.what, err}
		}
	}
	return nil
}

// failedStep is an error with what was being done.
type failedStep struct {
	what string
	err  error
}

func (f *failedStep) Error() string { return f.what + ": " + f.err.Error() }
func (f *failedStep) Unwrap() error { return f.err }

// listen reads the order. The program gets the standard descriptors and no other, whatever the server has leaked; they are
// not closed here, since some of them are this program's own.
func listen() *Order {
	if err := unix.CloseRange(Descriptor, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		refuse(&failedStep{"closing descriptors", err})
	}
	var size [4]byte
	readFull(size[:])
	text := make([]byte, binary.NativeEndian.Uint32(size[:]))
	readFull(text)
	o := &Order{}
	if err := json.Unmarshal(text, o); err != nil {
		refuse(&failedStep{"reading what to do", err})
	}
	return o
}

func readFull(into []byte) {
	for len(into) > 0 {
		n, err := unix.Read(Descriptor, into)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			os.Exit(exitRefused) // nobody is there to be told
		}
		into = into[n:]
	}
}

// exitRefused is the exit code of a stage that started nothing.
const exitRefused = 125

// refuse says why nothing was started, and ends the stage.
func refuse(err error) {
	fault := Fault{}
	if step, ok := err.(*failedStep); ok {
		fault.What = step.Error()
		err = step.err
	}
	if errno, ok := asErrno(err); ok {
		fault.Errno = int(errno)
	} else if fault.What == "" {
		fault.What = err.Error()
	}
	text, _ := json.Marshal(fault) // it has only what JSON has
	say(SaysFault, text)
	os.Exit(exitRefused)
}

func asErrno(err error) (syscall.Errno, bool) {
	for err != nil {
		if errno, ok := err.(syscall.Errno); ok {
			return errno, true
		}
		inner, ok := err.(interface{ Unwrap() error })
		if !ok {
			return 0, false
		}
		err = inner.Unwrap()
	}
	return 0, false
}

// say sends one message; whoever does not hear it has gone.
func say(kind byte, text []byte) {
	_, _ = unix.Write(Descriptor, append([]byte{kind}, text...))
}
