package exec

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	osexec "os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/toolspec/toolspec/spec"
)

const (
	// busyPause and busyTries bound the waiting for a program that is being written: about half a second in all.
	busyPause = time.Millisecond
	busyTries = 9
)

// process is a program about to run, with all that it gets from us.
type process struct {
	name      string // in messages
	path      string // absolute
	argv      []string
	env       []string
	inherited int // how many of env, from the first, come from the server
	dir       string
	stdin     string
	read      int // the most that is kept of each output
	vault     *vault
	hold      func() hold
	isText    bool // standard output is to be text
	exact     bool // what comes back is wanted byte by byte

	sandbox Sandbox
	within  *Confinement // nil: it is not confined
	granted *Granted
}

// ending is what a process that ran left behind.
type ending struct {
	name           string
	stdout, stderr *capture
	exitCode       int    // 128 + number for one that a signal ended, as shells have it
	signal         string // empty if none
	killed         bool   // by us
	took           time.Duration
}

// running is a process that has started, and what holds it.
type running struct {
	cmd     *osexec.Cmd
	hold    hold
	streams *streams

	confined Confined // nil: it is not confined
}

// run runs the process to its end, and ends it when ctx does. Progress gets lines of stderr, if it is not nil. An
// error means that the process never ran.
func (p *process) run(ctx context.Context, progress func(string)) (*ending, error) {
	out := &ending{name: p.name, stdout: newCapture(p.read, p.vault), stderr: newCapture(p.read, p.vault)}
	if p.isText {
		out.stdout = newTextCapture(p.read, p.vault)
	}
	if !p.exact {
		out.stderr = newTextCapture(p.read, p.vault)
	}
	start := time.Now()
	r, err := p.start(ctx, out, progress)
	if err != nil {
		return nil, err
	}
	err = r.cmd.Wait()
	if !out.killed {
		r.streams.settle(ctx)
	}
	r.hold.end(r.cmd.Process)
	r.streams.finish()
	out.took = time.Since(start)
	state := r.cmd.ProcessState
	if state == nil {
		r.heard(out)
		return nil, spec.NewError(spec.CodeFailed, "%s ran, but its end was not seen: %s", p.name, err)
	}
	out.exitCode = state.ExitCode()
	if name, number := endedBy(state); name != "" {
		out.signal, out.exitCode = name, 128+number
	}
	r.heard(out)
	return out, nil
}

// start starts the program, again and again for a moment while its file is being written.
func (p *process) start(ctx context.Context, out *ending, progress func(string)) (*running, error) {
	pause := busyPause
	for try := 1; ; try++ {
		r, err := p.tryStart(ctx, out)
		switch {
		case err == nil:
			r.flow(p, out, progress)
			return r, nil
		case ctx.Err() != nil:
			return nil, interruption(ctx, p.name+" was not started")
		case !isBusy(err) && !errors.Is(err, errSpoiled) || try == busyTries:
			return nil, p.startFault(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause *= 2
	}
}

func (p *process) tryStart(ctx context.Context, out *ending) (*running, error) {
	r := &running{cmd: p.command(ctx), streams: &streams{}}
	err := r.streams.connect(r.cmd, p.stdin != "")
	if err == nil {
		r.hold = p.hold()
		r.cmd.Cancel = func() error {
			err := r.hold.kill(r.cmd.Process)
			out.killed = err == nil
			return err
		}
		err = r.begin(p)
	}
	if err != nil {
		r.streams.abandon()
		return nil, err
	}
	r.streams.release()
	return r, nil
}

// flow has the outputs read. Progress gets the lines of stderr.
func (r *running) flow(p *process, out *ending, progress func(string)) {
	var stderr io.Writer = out.stderr
	if progress != nil {
		stderr = &progressLines{next: out.stderr, report: progress, vault: p.vault, now: time.Now}
	}
	r.streams.flow(out.stdout, stderr, p.stdin)
}

// command is all that the program is started with, but for its pipes and what holds it.
func (p *process) command(ctx context.Context) *osexec.Cmd {
	cmd := osexec.CommandContext(ctx, p.path) // #nosec G204 -- what the tool file names; no input makes a path
	cmd.Args, cmd.Env, cmd.Dir = p.argv, p.env, p.dir
	cmd.SysProcAttr = startAttributes()
	return cmd
}

func (p *process) startFault(err error) error {
	fault := func(code spec.Code, retryable bool, format string, args ...any) error {
		e := spec.NewError(code, format, args...)
		e.Retryable, e.Err = retryable, err
		return e
	}
	if info, statErr := os.Stat(p.dir); p.dir != "" && (statErr != nil || !info.IsDir()) {
		return fault(spec.CodeFailed, false, "%s cannot be started in %s: there is no such directory", p.name, p.dir)
	}
	if message := p.sandboxFault(err); message != "" {
		return fault(spec.CodeUnavailable, false, "%s", message)
	}
	switch {
	case errors.Is(err, errSpoiled):
		return fault(spec.CodeUnavailable, true, "%s cannot be started just now: there is nothing to hold its processes together", p.name)
	case isBusy(err):
		return fault(spec.CodeUnavailable, true, "%s is being written; try again in a moment", p.name)
	case isTooLarge(err):
		return fault(spec.CodeInvalidInput, false, "the input makes arguments that are too large for this system (one may have 128 KiB, all of them about 2 MiB)")
	case isShort(err):
		return fault(spec.CodeUnavailable, true, "%s cannot be started just now: the system has no more processes, memory or files to give", p.name)
	case errors.Is(err, fs.ErrNotExist):
		return fault(spec.CodeUnavailable, false, "%s, or the interpreter that its first line names, is no longer there", p.name)
	case errors.Is(err, fs.ErrPermission):
		return fault(spec.CodeUnavailable, false, "%s may not be executed", p.name)
	}
	return fault(spec.CodeFailed, false, "%s cannot be started: %s", p.name, errors.Unwrap(err))
}

// interruption tells a deadline from a cancellation.
func interruption(ctx context.Context, what string) *spec.Error {
	code := spec.CodeCanceled
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code = spec.CodeTimeout
	}
	return &spec.Error{Code: code, Message: what, Retryable: code == spec.CodeTimeout, Err: context.Cause(ctx)}
}

// fault is the error of a process that did not end as it should; nil if it did.
func (o *ending) fault(ctx context.Context, successCodes map[int]bool) error {
	switch {
	case o.killed:
		e := interruption(ctx, "")
		e.Message = o.name + " was canceled and ended" + o.ends()
		if e.Code == spec.CodeTimeout {
			e.Message = o.name + " took too long and was ended after " + o.took.Round(time.Millisecond).String() + o.ends()
		}
		return e
	case o.signal != "":
		e := spec.NewError(spec.CodeFailed, "%s was ended by a signal (%s)%s", o.name, o.signal, o.ends())
		e.Signal = signalName(o.exitCode - 128)
		return e
	case !successCodes[o.exitCode]:
		e := spec.NewError(spec.CodeFailed, "%s exited with code %d%s", o.name, o.exitCode, o.ends())
		code := o.exitCode // and not all of what is left of the process
		e.ExitCode = &code
		return e
	}
	return nil
}

// ends are the ends of both outputs, what was said last in most need of being read.
func (o *ending) ends() string {
	text := ""
	if end := o.stderr.end(); end != "" {
		text += "\nstderr: " + end
	}
	if end := o.stdout.end(); end != "" {
		text += "\nstdout: " + end
	}
	return text
}

// vars is what expressions see as process.
func (o *ending) vars() map[string]any {
	return map[string]any{
		"exitCode": json.Number(strconv.Itoa(o.exitCode)),
		"stdout":   o.stdout.text(),
		"stderr":   o.stderr.text(),
	}
}

// value is standard output in the wanted format. What is cut is still text, with a line that says so; as anything
// else it would be a lie.
func (o *ending) value(format outputFormat) (any, error) {
	if o.stdout.lost() == 0 {
		return format.value(o.stdout.bytes(), roomFor(o.stdout.limit), o.stdout.vault)
	}
	if format == outputText {
		return strings.TrimSuffix(o.stdout.text(), "\n"), nil
	}
	return nil, spec.NewError(spec.CodeFailed, "%s wrote %d bytes, too many to read as %s (at most %d); ask it for less", o.name, o.stdout.total, format, o.stdout.limit)
}
