//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// holdWays are the ways that this machine has, each forced on a program by its variable. One that it has not is said.
func holdWays(t *testing.T, f func(t *testing.T, way string)) {
	t.Helper()
	dir := t.TempDir()
	for _, way := range []string{"cgroup", "adopt"} {
		t.Run(way, func(t *testing.T) {
			cmd := exec.Command(program(t), "serve", "-d", dir)
			cmd.Env = append(os.Environ(), holdVariable+"="+way)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.Contains(string(out), `how="`+way+":") {
				t.Skipf("NOT AVAILABLE HERE: %s", out)
			}
			t.Setenv(holdVariable, way)
			f(t, way)
		})
	}
}

// escapes are ways to leave a call, each for a program NAP that would sleep for long.
var escapes = map[string]string{
	"background":     `NAP &`,
	"setsid":         `setsid NAP >/dev/null 2>&1 &`,
	"double fork":    `setsid -f NAP`,
	"no environment": `env -i setsid -f NAP`,
	"twice":          `env -i setsid -f sh -c 'setsid -f NAP; NAP'`,
	"nohup":          `nohup NAP >/dev/null 2>&1 &`,
	"deaf":           `setsid -f sh -c 'trap "" TERM HUP INT; NAP; NAP'`,
	"many":           `for i in 1 2 3 4 5 6 7 8; do setsid -f sh -c 'NAP & NAP & setsid -f NAP'; done`,
	"a chain":        `cat >link.sh <<'END'` + "\nexec >/dev/null 2>&1\nsleep 0.01\nsetsid -f sh ./link.sh NAP\nEND\n" + `setsid -f sh ./link.sh NAP`,
	"a thread": `exec python3 -c 'import ctypes, os, threading
r, w = os.pipe()
if os.fork():
	os.close(w); os.read(r, 1); os.write(1, b"done\n"); os._exit(0)
os.setsid(); os.dup2(os.open(os.devnull, os.O_RDWR), 1); os.dup2(1, 2)
def stay():
	os.close(w); threading.Event().wait()
threading.Thread(target=stay).start()
ctypes.CDLL(None).pthread_exit(None)' NAP`, // the first ends, and no other
	"a sibling": `exec perl -e 'pipe R, W; if (syscall(CLONE, 0x8000 | 17, 0, 0, 0, 0)) { close W; <R>; print "done\n"; exit } ` + // CLONE_PARENT | SIGCHLD
		`close STDOUT; close STDERR; syscall(SETSID); exec split / /, "env -i NAP"'`,
	"stopped": `setsid -f sh -c 'kill -STOP $$; NAP'`,
}

// nap is how the sleepers of one test are known.
func nap() string { return fmt.Sprintf("sleep 1000.%d", time.Now().UnixNano()%1e9) }

// sleepers are the processes whose command line holds a text.
func sleepers(t *testing.T, text string) (found []string) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/task/*/cmdline") // of a process whose first thread has ended the others have one
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range lines {
		line, _ := os.ReadFile(path) // it may just have ended
		if text := strings.Fields(text)[1]; bytes.Contains(line, []byte(text)) {
			found = append(found, filepath.Base(filepath.Dir(path))+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

func writeShell(t *testing.T, dir, name, script string) {
	t.Helper()
	write(t, filepath.Join(dir, name+".yaml"), "name: "+name+"\ndescription: Leaves processes behind.\ntimeout: 60s\nexecutor:\n  command:\n    cwd: "+dir+
		"\n    shell: |\n      "+strings.ReplaceAll(script, "\n", "\n      ")+"\n")
}

// A call that has returned has left nothing.
func TestNothingOutlivesItsCall(t *testing.T) {
	holdWays(t, func(t *testing.T, _ string) {
		for name, script := range escapes {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if words := strings.Fields(script); words[0] == "exec" {
					if _, err := exec.LookPath(words[1]); err != nil {
						t.Skip("NOT AVAILABLE HERE: ", err)
					}
				}
				dir, nap := t.TempDir(), nap()
				script = strings.NewReplacer("NAP", nap, "CLONE", strconv.Itoa(syscall.SYS_CLONE), "SETSID", strconv.Itoa(syscall.SYS_SETSID)).Replace(script)
				writeShell(t, dir, "leave", script+"\necho done")
				out, err := exec.Command(program(t), "call", "-d", dir, "leave").CombinedOutput()
				if err != nil || string(out) != "done\n" {
					t.Errorf("%v, %q", err, out)
				}
				if left := sleepers(t, nap); left != nil {
					t.Errorf("left behind: %q", left)
				}
			})
		}
	})
}

// staying are a directory with a tool that stays, beside what has left it; wait waits for it to run.
func staying(t *testing.T) (dir, sleep string, wait func()) {
	t.Helper()
	dir, sleep = t.TempDir(), nap()
	started := filepath.Join(dir, "started")
	writeShell(t, dir, "stay", strings.ReplaceAll("setsid -f NAP\nenv -i setsid -f NAP\nNAP &\n: >started\nwait", "NAP", sleep))
	return dir, sleep, func() {
		t.Helper()
		waitFor(t, "the tool", func() bool { _, err := os.Stat(started); return err == nil })
		if err := os.Remove(started); err != nil {
			t.Fatal(err)
		}
		if have := sleepers(t, sleep); len(have) < 2 {
			t.Errorf("only these run: %q", have)
		}
	}
}

// callStay has the tool called by a client that goes away when ctx is done.
func callStay(ctx context.Context, t *testing.T, url string) (answered <-chan error) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/tools/stay", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	done := make(chan error, 1)
	go func() {
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			err = res.Body.Close()
		}
		done <- err
	}()
	return done
}

func TestAClientThatGoesTakesItsCallAlong(t *testing.T) {
	holdWays(t, func(t *testing.T, _ string) {
		dir, sleep, wait := staying(t)
		server := start(t, "-d", dir)
		ctx, cancel := context.WithCancel(t.Context())
		done := callStay(ctx, t, server.url)
		wait()
		cancel()
		<-done
		waitFor(t, "the end of the call", func() bool { return sleepers(t, sleep) == nil })
	})
}

// The program ends when it is told to, or when its client on standard input goes: with it all that its calls have started.
func TestTheProgramsEndEndsAll(t *testing.T) {
	holdWays(t, func(t *testing.T, _ string) {
		for name, end := range map[string]func(in io.Closer, p *os.Process) error{
			"SIGTERM":               func(_ io.Closer, p *os.Process) error { return p.Signal(syscall.SIGTERM) },
			"SIGINT":                func(_ io.Closer, p *os.Process) error { return p.Signal(os.Interrupt) },
			"end of standard input": func(in io.Closer, _ *os.Process) error { return in.Close() },
		} {
			t.Run(name, func(t *testing.T) {
				dir, sleep, wait := staying(t)
				cmd := exec.Command(program(t), "serve", "-d", dir)
				in, out, said := piped(t, cmd)
				go func() { _, _ = io.Copy(io.Discard, out) }()
				fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
				fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
				fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stay","arguments":{}}}`)
				wait()
				if err := end(in, cmd.Process); err != nil {
					t.Fatal(err)
				}
				<-said.ended
				if err := cmd.Wait(); err != nil {
					t.Errorf("%v\n%s", err, said.text())
				}
				if left := sleepers(t, sleep); left != nil {
					t.Errorf("left behind: %q", left)
				}
			})
		}
	})
}

func TestTheEndOfOneCallLeavesAnotherAlone(t *testing.T) {
	holdWays(t, func(t *testing.T, _ string) {
		dir, sleep, wait := staying(t)
		writeShell(t, dir, "pass", "setsid -f "+sleep)
		server := start(t, "-d", dir)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := callStay(ctx, t, server.url)
		wait()
		for range 5 {
			res, err := http.Post(server.url+"/v1/tools/pass", "application/json", strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err != nil || !strings.Contains(string(text), `"status":"success"`) {
				t.Errorf("%s, %v", text, err)
			}
			if have := sleepers(t, sleep); len(have) < 2 { // not the one without a mark
				t.Fatalf("only these are left: %q", have)
			}
		}
		cancel()
		<-done
		waitFor(t, "the end of the call", func() bool { return sleepers(t, sleep) == nil })
	})
}

// What a program that was killed has left running ends when the next one starts, if there are cgroups.
func TestTheNextStartEndsWhatAKilledProgramLeft(t *testing.T) {
	holdWays(t, func(t *testing.T, way string) {
		if way != "cgroup" {
			t.Skip("only a cgroup tells whose the orphans of a killed program are")
		}
		dir, sleep, wait := staying(t)
		cmd := exec.Command(program(t), "call", "-d", dir, "stay")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait()
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		if sleepers(t, sleep) == nil {
			t.Error("nothing is left that could be ended")
		}
		if out, err := exec.Command(program(t), "serve", "-d", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		waitFor(t, "the end of what was left", func() bool { return sleepers(t, sleep) == nil })
	})
}
