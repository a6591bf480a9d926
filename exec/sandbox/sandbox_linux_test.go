//go:build amd64 || arm64

package sandbox_test

import (
	"bufio"
	"errors"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/sandbox"
)

// levels runs a test at every level that is to be had.
func levels(t *testing.T, test func(t *testing.T, s *sandbox.Sandbox, level exec.Level)) {
	t.Helper()
	s := sandbox.New()
	for _, level := range exec.Levels()[1:] {
		t.Run(string(level), func(t *testing.T) {
			if err := s.Has(level); err != nil {
				t.Skip("NOT TO BE HAD HERE: ", err)
			}
			test(t, s, level)
		})
	}
}

// confined runs a program to its end.
func confined(t *testing.T, s *sandbox.Sandbox, within exec.Confinement, argv ...string) (out string, exitCode, signal int) {
	t.Helper()
	cmd := osexec.Command(argv[0], argv[1:]...)
	var text strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = "/", &text, &text
	c, err := s.Confine(cmd, within)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := c.Started(); err != nil {
		t.Fatal(err)
	}
	var exit *osexec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	exitCode, signal, told := c.Ended()
	if told != (within.Level != exec.LevelLandlock) {
		t.Errorf("told: %v", told)
	}
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !told {
		exitCode, signal = max(status.ExitStatus(), 0), 0
		if status.Signaled() {
			signal = int(status.Signal())
		}
	}
	return text.String(), exitCode, signal
}

func TestEndsAreTheProgramsOwn(t *testing.T) {
	levels(t, func(t *testing.T, s *sandbox.Sandbox, level exec.Level) {
		for script, want := range map[string][2]int{
			"exit 0": {0, 0}, "exit 125": {125, 0}, "exit 255": {255, 0}, "kill -TERM $$": {0, 15}, "kill -KILL $$": {0, 9},
			"(exit 3) & wait; exit 4": {4, 0},
		} {
			_, code, signal := confined(t, s, exec.Confinement{Level: level}, "/bin/sh", "-c", script)
			if code != want[0] || signal != want[1] {
				t.Errorf("%s: exit code %d, signal %d", script, code, signal)
			}
		}
	})
}

func TestWhatIsGrantedIsThere(t *testing.T) {
	levels(t, func(t *testing.T, s *sandbox.Sandbox, level exec.Level) {
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		at := func(path string) string { return filepath.Join(dir, path) }
		for path, text := range map[string]string{"given/a": "a", "given/deep/b": "b", "own/c": "c", "given/own/d": "d", "kept": "kept"} {
			if err := errors.Join(os.MkdirAll(filepath.Dir(at(path)), 0o755), os.WriteFile(at(path), []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(os.Symlink(at("given"), at("link")), os.Symlink(at("kept"), at("swapped"))); err != nil {
			t.Fatal(err)
		}
		within := exec.Confinement{Level: level, Read: []string{at("given"), at("swapped"), at("absent")}, Write: []string{at("own"), at("given/own")}, Links: []string{at("link")}}
		for script, want := range map[string]string{
			"cat given/a given/deep/b link/a": "aba", "echo x > own/new && cat own/new": "x", "echo y > given/own/new && cat link/own/new": "y",
			"(echo z > given/z) 2>/dev/null || echo no": "no", "cat kept 2>/dev/null || echo no": "no",
			"cat swapped 2>/dev/null || echo no":   "no", // a link has taken the place of what was granted
			"mv own/c given/own/c && ls given/own": "c", "echo ok >/dev/null && echo ok": "ok", "cat /etc/shadow 2>/dev/null || echo no": "no",
		} {
			out, code, _ := confined(t, s, within, "/bin/sh", "-c", "cd "+dir+" && "+script)
			if code != 0 || !strings.HasPrefix(strings.ReplaceAll(out, "\n", ""), want) {
				t.Errorf("%s: exit code %d: %s", script, code, out)
			}
		}
	})
}

// More grants than a socket keeps for who does not read yet hold nobody up, neither where the stage starts nor where it does not.
func TestManyGrants(t *testing.T) {
	absent := make([]string, 5000)
	for i := range absent {
		absent[i] = "/" + strings.Repeat("absent", 40) + strconv.Itoa(i)
	}
	levels(t, func(t *testing.T, s *sandbox.Sandbox, level exec.Level) {
		done := make(chan bool)
		go func() {
			defer close(done)
			if out, code, _ := confined(t, s, exec.Confinement{Level: level, Read: absent}, "/bin/echo", "ok"); out != "ok\n" || code != 0 {
				t.Errorf("exit code %d: %s", code, out)
			}
			c, err := s.Confine(osexec.Command("/bin/echo"), exec.Confinement{Level: level, Read: absent})
			if err != nil {
				t.Error(err)
				return
			}
			c.Ended() // it never starts
		}()
		select {
		case <-done:
		case <-time.After(30 * time.Second):
			t.Fatal("it waits for ever")
		}
	})
}

func TestWhatCannotBeStarted(t *testing.T) {
	levels(t, func(t *testing.T, s *sandbox.Sandbox, level exec.Level) {
		script := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]error{"/bin/no-such-program": os.ErrNotExist, script: os.ErrPermission} {
			cmd := osexec.Command(path)
			c, err := s.Confine(cmd, exec.Confinement{Level: level})
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			err = c.Started()
			_ = cmd.Wait()
			c.Ended()
			if level == exec.LevelFull && path == script {
				want = os.ErrNotExist
			}
			if !errors.Is(err, want) {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
}

// What a variable has a program load is loaded in the sandbox, by the program, and not before by what confines it.
func TestItsVariablesAreTheProgramsAlone(t *testing.T) {
	compiler, err := osexec.LookPath("cc")
	if err != nil {
		t.Skip("NO COMPILER HERE: ", err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	source, library, proof := filepath.Join(dir, "loaded.c"), filepath.Join(dir, "loaded.so"), filepath.Join(dir, "proof")
	text := `#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) { if (open("` + proof + `", O_CREAT | O_WRONLY, 0644) < 0) write(1, "loaded ", 7); }
`
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := osexec.Command(compiler, "-shared", "-fPIC", "-w", "-o", library, source).CombinedOutput(); err != nil {
		t.Skipf("NO LIBRARY CAN BE MADE HERE: %v: %s", err, out)
	}
	levels(t, func(t *testing.T, s *sandbox.Sandbox, level exec.Level) {
		for _, name := range []string{"LD_PRELOAD", "LD_AUDIT"} {
			cmd := osexec.Command("/bin/sh", "-c", "echo $"+name+" $GODEBUG $_odd")
			cmd.Env = []string{"GODEBUG=inittrace=1", "_odd=odd", name + "=" + library}
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			c, err := s.Confine(cmd, exec.Confinement{Level: level, Read: []string{dir}})
			if err != nil {
				t.Fatal(err)
			}
			cmd.Env = append(cmd.Env, "MARK=mark") // as who starts it does
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(c.Started(), cmd.Wait()); err != nil {
				t.Fatal(err, out.String())
			}
			c.Ended()
			if have := out.String(); !strings.HasSuffix(have, library+" inittrace=1 odd\n") || strings.Contains(have, "init ") || name == "LD_PRELOAD" && !strings.HasPrefix(have, "loaded ") {
				t.Errorf("%s: %q", name, have)
			}
			if _, err := os.Stat(proof); err == nil {
				t.Fatalf("%s was heeded outside the sandbox", name)
			}
		}
	})
}

// What is in namespaces of its own ends when the server's end of the socket closes, as it does when the server is killed.
func TestItEndsWithTheServer(t *testing.T) {
	levels(t, func(t *testing.T, s *sandbox.Sandbox, level exec.Level) {
		if level == exec.LevelLandlock {
			t.Skip("it does not promise that")
		}
		cmd := osexec.Command("/bin/sh", "-c", "setsid sleep 1000 & echo started; wait")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Confine(cmd, exec.Confinement{Level: level})
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if err := c.Started(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		if line, err := lines.ReadString('\n'); line != "started\n" {
			t.Fatal(line, err)
		}
		c.(interface{ Close() error }).Close()
		if more, err := lines.ReadString('\n'); more != "" || err == nil { // whoever held the pipe has let go
			t.Errorf("%q %v", more, err)
		}
		_ = cmd.Wait()
	})
}
