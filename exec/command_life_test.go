//go:build unix

package exec_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// callUntil calls a tool, cancels as soon as it reports a line, and gives the line too.
func callUntil(ctx context.Context, tool *exec.Tool) (r spec.ToolResult, line string) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r = tool.Call(ctx, exec.Call{Progress: func(message string) { line = message; cancel() }})
	return r, line
}

func TestCancelEndsTheWholeGroup(t *testing.T) {
	tool, _ := compileCommand(t, `
    shell: |
      echo so far
      sleep 1000 & echo $! >&2
      wait`)
	r, line := callUntil(t.Context(), tool)
	if have := textOf(r); !strings.HasPrefix(have, "canceled: ") || !strings.Contains(have, "stdout: so far") {
		t.Error(have)
	}
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatalf("reported %q", line)
	}
	if alive(t, pid) {
		t.Errorf("process %d is still there", pid)
	}
}

// alive waits for a killed process to be gone: whoever inherits it has to fetch its end.
func alive(t *testing.T, pid int) bool {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		if syscall.Kill(pid, 0) != nil {
			return false
		}
		if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(state), ") Z ") {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

// late is a context whose end, when it comes, is a deadline that has passed.
type late struct {
	context.Context
	done chan struct{}
}

func (l late) Done() <-chan struct{} { return l.done }

func (l late) Err() error {
	select {
	case <-l.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestALateProgramsLastWords(t *testing.T) {
	tool, _ := compileCommand(t, `{shell: 'echo so far; echo why >&2; exec sleep 1000'}`)
	ctx := late{t.Context(), make(chan struct{})}
	have := textOf(tool.Call(ctx, exec.Call{Progress: func(string) { close(ctx.done) }}))
	for _, want := range []string{"timeout: Error: the shell took too long and was ended after ", "\nstderr: why", "\nstdout: so far"} {
		if !strings.Contains(have, want) {
			t.Errorf("have %q, want %q", have, want)
		}
	}
}

func TestNobodyHoldsTheCall(t *testing.T) {
	for name, shell := range map[string]string{
		"a child in the group":     "sleep 1000 & echo $!",
		"a child in another group": "setsid sleep 1000 & echo $!",
		"a child without pipes":    "sleep 1000 >/dev/null 2>&1 & echo $!",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tool, _ := compileCommand(t, "{shell: '"+shell+"'}")
			have := textOf(callWith(t.Context(), tool, ""))
			pid, err := strconv.Atoi(have)
			if err != nil {
				t.Fatal(have)
			}
			if strings.Contains(shell, "setsid") {
				_ = syscall.Kill(pid, syscall.SIGKILL) // it has left the group, and is not ours to find
			} else if alive(t, pid) {
				t.Errorf("process %d is still there", pid)
			}
		})
	}
}

func TestNothingOfTheServersIsOpen(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("no /proc here")
	}
	held, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	tool, _ := compileCommand(t, `{argv: [ls, -l, /proc/self/fd]}`)
	have := textOf(callWith(t.Context(), tool, ""))
	if !strings.Contains(have, "0 -> /dev/null") || strings.Contains(have, held.Name()) {
		t.Error(have)
	}
}

func TestAProgramBeingWritten(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "run.sh")
	writeScript(t, script, "echo ran")
	tool := compileCommandIn(t, dir, `{argv: [./run.sh]}`)
	writer, err := os.OpenFile(script, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if have := textOf(callWith(t.Context(), tool, "")); have != "unavailable: Error: ./run.sh is being written; try again in a moment" {
		t.Error(have)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if have := textOf(callWith(t.Context(), tool, "")); have != "ran" {
		t.Error(have)
	}
}

func TestRewritingAProgramWhileOthersStart(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "run.sh")
	writeScript(t, script, "echo ran")
	rewritten, other := compileCommandIn(t, dir, `{argv: [./run.sh]}`), compileCommandIn(t, dir, `{argv: ['true']}`)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				callWith(ctx, other, "")
			}
		})
	}
	for i := range 40 {
		writeScript(t, script, fmt.Sprint("echo ", i))
		if have := textOf(callWith(ctx, rewritten, "")); have != fmt.Sprint(i) {
			t.Errorf("call %d: %s", i, have)
		}
	}
	cancel()
	wg.Wait()
}

func TestAProgramThatIsGone(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "run.sh")
	writeScript(t, script, "echo ran")
	tool := compileCommandIn(t, dir, `{argv: [./run.sh]}`)
	nowhere := compileCommandIn(t, dir, `{argv: [./run.sh], cwd: nowhere}`)
	if have, want := textOf(callWith(t.Context(), nowhere, "")), "failed: Error: ./run.sh cannot be started in "+filepath.Join(dir, "nowhere")+": there is no such directory"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
	if err := os.Remove(script); err != nil {
		t.Fatal(err)
	}
	if have := textOf(callWith(t.Context(), tool, "")); !strings.HasPrefix(have, "unavailable: Error: ./run.sh, or the interpreter") {
		t.Error(have)
	}
}

func TestLargeOutputIsCutAndSaysSo(t *testing.T) {
	print := `head -c 300000 /dev/zero | tr "\\0" a; echo the end`
	for format, want := range map[string]string{
		"text":  "bytes left out",
		"lines": "failed: Error: the shell wrote 300008 bytes, too many to read as lines (at most 65536)",
		"json":  "too many to read as json",
		"bytes": "too many to read as bytes",
	} {
		s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\nexecutor: {command: {shell: '"+print+"', output: "+format+"}}\n"))
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		env := &exec.Env{Policy: exec.DefaultPolicy()}
		env.Policy.Defaults.Read, env.Policy.Defaults.Output = 64<<10, 1<<20
		tool, ds := exec.StandardKinds().Compile(env, s)
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		have := textOf(tool.Call(t.Context(), exec.Call{}))
		if !strings.Contains(have, want) || format == "text" && (!strings.HasSuffix(have, "the end") || len(have) > 70<<10) {
			t.Errorf("%s: %d bytes, want %q: %.100s…", format, len(have), want, have)
		}
	}
}
