package exec

import (
	"errors"
	"io/fs"
	osexec "os/exec"
	"slices"
	"syscall"
)

// Level is how far a program is confined. Each level holds all that those before it hold.
type Level string

// The levels, from the lowest.
const (
	LevelNone       Level = "none"        // not at all
	LevelLandlock   Level = "landlock"    // its files and its network; by a security module of Linux
	LevelNamespaces Level = "landlock+ns" // also in a system of its own, which ends with it
	LevelFull       Level = "full"        // also, nothing exists for it but what is granted
)

// Levels are all levels, from the lowest.
func Levels() []Level { return []Level{LevelNone, LevelLandlock, LevelNamespaces, LevelFull} }

// confines tells whether there is anything that the level holds.
func (l Level) confines() bool { return l != LevelNone && l != "" }

// Sandbox confines the programs that tools run. Package exec/sandbox has the one of Linux: sandbox.New.
type Sandbox interface {
	// Has says why programs cannot be confined so far on this machine; nil where they can.
	Has(level Level) error
	// Confine changes a command that is ready to start into one that will run confined.
	Confine(cmd *osexec.Cmd, within Confinement) (Confined, error)
}

// Confinement is what a program gets. Beside what is listed it may read what every program needs: the system's programs
// and libraries, and little else. A path that leads over a link when the program starts is not granted.
type Confinement struct {
	Level   Level
	Network bool
	Read    []string // absolute paths that it may read, and execute
	Write   []string // absolute paths that it may read and write, but execute only if they are in Read, too
	Links   []string // names by which the program may know paths of the others: where nothing else exists, these links do
}

// Confined is a program on its way into a sandbox.
type Confined interface {
	// Started waits until the program itself runs, after the command was started. An error means that it never will; it
	// is what starting it without a sandbox would have given, or a [*SandboxError].
	Started() error
	// Ended is how the program ended, where the command's own end does not tell; signal is 0 if none ended it. Called
	// once, after the command's end or instead of its start.
	Ended() (exitCode, signal int, told bool)
}

// SandboxError is that a program could not be confined, and therefore was not run.
type SandboxError struct{ Message string }

// Error is the message.
func (e *SandboxError) Error() string { return e.Message }

// isLevel tells whether a text is the name of a level.
func isLevel(text string) bool { return slices.Contains(Levels(), Level(text)) }

// confine has the process run in a sandbox. Home and temporary files are in the call's own directory then, unless the
// home is granted: programs look there for what they cannot do without.
func (p *process) confine(sandbox Sandbox, within *Confinement, granted *Granted, call *Call) {
	p.sandbox, p.granted = sandbox, granted
	if call.Stub != nil {
		return
	}
	own := *within
	scratch := resolve(call.scratch)
	own.Write = append(own.Write[:len(own.Write):len(own.Write)], scratch)
	if scratch != call.scratch {
		own.Links = append(own.Links[:len(own.Links):len(own.Links)], call.scratch)
	}
	p.within = &own
	p.env = append(p.env[:len(p.env):len(p.env)], "TMPDIR="+call.scratch)
	if home := lastValue(p.env, "HOME"); home == "" || !covered(home, slices.Concat(granted.Read, granted.Write)) {
		p.env = append(p.env, "HOME="+call.scratch)
	}
}

// begin starts the command, in its sandbox if it has one.
func (r *running) begin(p *process) error {
	if p.within == nil {
		return r.hold.start(r.cmd)
	}
	if p.sandbox == nil {
		return &SandboxError{errNoSandbox.Error()}
	}
	var err error
	if r.confined, err = p.sandbox.Confine(r.cmd, *p.within); err != nil {
		return err
	}
	if err = r.hold.start(r.cmd); err == nil {
		if err = r.confined.Started(); err != nil {
			_ = r.cmd.Wait() // it ends by itself; why is known
			r.hold.end(r.cmd.Process)
		}
	}
	if err != nil {
		r.confined.Ended()
	}
	return err
}

// heard corrects how a confined program ended: what was seen is the end of what confined it.
func (r *running) heard(out *ending) {
	if r.confined == nil {
		return
	}
	exitCode, signal, told := r.confined.Ended()
	switch {
	case !told:
	case signal != 0:
		out.signal, out.exitCode = syscall.Signal(signal).String(), 128+signal
	default:
		out.signal, out.exitCode = "", exitCode
	}
}

// sandboxFault says why a program cannot run in its sandbox; empty if that is not why.
func (p *process) sandboxFault(err error) string {
	var fault *SandboxError
	switch {
	case errors.As(err, &fault):
		return p.name + " was not run, since it must be confined: " + fault.Message
	case p.within == nil:
	case errors.Is(err, fs.ErrPermission):
		return p.name + ", or what its first line names, may not be executed in its sandbox; sandbox.read lists what may"
	case errors.Is(err, fs.ErrNotExist):
		return p.name + ", or what its first line names, is not there in its sandbox; sandbox.read lists what is, beside the system's programs"
	}
	return ""
}

// lastValue is the last value of one in a list of pairs.
func lastValue(env []string, name string) string {
	for _, pair := range slices.Backward(env) {
		if len(pair) > len(name) && pair[:len(name)] == name && pair[len(name)] == '=' {
			return pair[len(name)+1:]
		}
	}
	return ""
}
