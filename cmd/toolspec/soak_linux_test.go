//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

var soakCalls = flag.Int("calls", 300, "how many calls each way of ending is soaked with")

// soakers are what tools of the soak do, by name; NAP sleeps for long. Those called slow have a timeout of 150 ms.
var soakers = map[string]string{
	"echo":     `echo fine`,
	"reads":    `cat; cat`,
	"wait":     `sleep 0.0$(($$ % 9))`,
	"fails":    `echo why >&2; exit $(($$ % 200 + 1))`,
	"segv":     `kill -SEGV $$`,
	"killed":   `setsid -f NAP; kill -9 $$`,
	"bomb":     "b() { if [ $1 -gt 0 ]; then b $(($1 - 1)) & b $(($1 - 1)) & fi; NAP; }\nb 3 & sleep 0.02",
	"bombs":    "b() { if [ $1 -gt 0 ]; then setsid -f sh -c 'NAP; NAP'; b $(($1 - 1)) & b $(($1 - 1)) & fi; }\nb 3; sleep 0.02",
	"flood":    `head -c 3000000 /dev/zero | tr '\0' x; head -c 300000 /dev/zero | tr '\0' y >&2`,
	"bytes":    `head -c 200000 /dev/urandom; exit 1`,
	"holder":   `setsid -f NAP; echo done`,
	"scratch":  "cd ${SCRATCH:?}; mkdir -p a/b; echo 1 >a/b/c; mkfifo f; ln -s /etc x; chmod 0 a/b a; setsid -f NAP",
	"slow":     `echo so far; NAP`,
	"slowdeaf": `trap '' TERM INT HUP; setsid -f NAP; env -i setsid -f NAP; NAP; NAP`,
	"slowyes":  `yes`,
	"slowpipe": `yes | setsid sh -c 'cat; NAP' | cat`,
}

// TestSoak makes calls of every sort, many at once, with clients that go away at random, and looks at what is left of it: nothing,
// whatever ends the processes of a call.
func TestSoak(t *testing.T) {
	holdWays(t, func(t *testing.T, way string) { soak(t, way) })
	t.Run("namespace", func(t *testing.T) {
		t.Setenv(holdVariable, "group") // which is enough where the kernel ends a call with its first process
		soak(t, "namespace", "--sandbox=full")
	})
}

func soak(t *testing.T, way string, args ...string) {
	dir, tmp, nap := t.TempDir(), t.TempDir(), nap()
	t.Setenv("TMPDIR", tmp)
	names := writeSoakers(t, dir, nap)
	s := startSoaked(t, append(args, "-d", dir)...)
	if text := s.ask(t, "echo"); !strings.Contains(text, "fine") {
		s.stop(t)
		t.Skipf("NOT AVAILABLE HERE: %s", text)
	}
	var before, after soakState // eight floods at once may come at the end, and have it use what it may
	for round := range 5 {      // memory is compared once it has been used
		s.calls(t, names, *soakCalls/5)
		waitFor(t, "the last processes", func() bool { return sleepers(t, nap) == nil && s.children(t) == "" })
		after = s.state(t)
		if round == 0 {
			before = after
		}
		t.Logf("%s: %d calls: %+v", way, s.made.Load(), after)
	}
	waitFor(t, "as few descriptors and goroutines as before", func() bool {
		after = s.state(t)
		return after.descriptors <= before.descriptors && after.goroutines <= before.goroutines+2
	})
	if most := before.memory + before.memory/4 + 48<<10; after.memory > most {
		t.Errorf("memory grew from %d KiB to %d KiB", before.memory, after.memory)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
	s.stop(t)
	for _, group := range s.groups {
		if _, err := os.Stat(group); err == nil {
			t.Errorf("a cgroup is left: %s", group)
		}
	}
	t.Logf("%s: %d answers, %d clients that went; before %+v, after %+v", way, s.answered.Load(), s.gone.Load(), before, after)
}

func writeSoakers(t *testing.T, dir, nap string) (names []string) {
	t.Helper()
	add := func(name, script string) {
		names = append(names, name)
		timeout, env := "60s", ""
		if strings.HasPrefix(name, "slow") {
			timeout = "150ms"
		}
		if strings.Contains(script, "SCRATCH") || strings.Contains(script, "./") {
			env = "\n    cwd: '${dir.scratch}'\n    env: {SCRATCH: '${dir.scratch}'}"
		}
		script = strings.ReplaceAll(strings.ReplaceAll(script, "NAP", nap), "\n", "\n      ")
		write(t, filepath.Join(dir, name+".yaml"), "name: "+name+"\ndescription: Does its worst.\ntimeout: "+timeout+"\nexecutor:\n  command:"+env+"\n    shell: |\n      "+script+"\n")
	}
	for name, script := range soakers {
		add(name, script)
	}
	for name, script := range escapes {
		add("escape_"+strings.ReplaceAll(name, " ", "_"), script)
	}
	return names
}

// soaked is a server under all this.
type soaked struct {
	url    string
	cmd    *exec.Cmd
	said   *transcript
	client *http.Client
	groups []string // the directories of its cgroups

	made, answered, gone atomic.Int64
}

type soakState struct {
	memory                  int // KiB
	descriptors, goroutines int
}

func startSoaked(t *testing.T, args ...string) *soaked {
	t.Helper()
	s := &soaked{cmd: exec.Command(program(t), append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.said = record(stderr)
	t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // unless it has been stopped
	s.url = s.said.await(t, address)
	return s
}

// calls makes calls, a few at once.
func (s *soaked) calls(t *testing.T, names []string, n int) {
	var callers sync.WaitGroup
	var next atomic.Int64
	for range 8 {
		callers.Go(func() {
			for next.Add(1) <= int64(n) {
				s.call(t, names[rand.IntN(len(names))])
			}
		})
	}
	callers.Wait()
	s.client.CloseIdleConnections()
}

// ask calls a tool and waits for what it says.
func (s *soaked) ask(t *testing.T, name string) string {
	t.Helper()
	waitFor(t, "readyz", func() bool {
		res, err := s.client.Get(s.url + "/readyz")
		if err == nil {
			res.Body.Close()
		}
		return err == nil && res.StatusCode == http.StatusOK
	})
	res, err := s.client.Post(s.url+"/v1/tools/"+name, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (s *soaked) call(t *testing.T, name string) {
	ctx := t.Context()
	if rand.IntN(3) == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(rand.IntN(100))*time.Millisecond)
		defer cancel()
	}
	s.made.Add(1)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v1/tools/"+name, strings.NewReader("{}"))
	if err != nil {
		t.Error(err)
		return
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := s.client.Do(req)
	var text []byte
	if err == nil {
		text, err = io.ReadAll(res.Body)
		res.Body.Close()
	}
	switch {
	case err == nil && name == "echo" && !strings.Contains(string(text), `"fine"`):
		t.Errorf("what does no harm does not work any more: %s", text)
	case err == nil && (res.StatusCode == http.StatusOK || res.StatusCode == http.StatusServiceUnavailable):
		s.answered.Add(1)
	case err != nil && ctx.Err() != nil:
		s.gone.Add(1)
	default:
		t.Errorf("%s: %v, %v", name, res, err)
	}
}

var goroutines = regexp.MustCompile(`(?m)^go_goroutines (\d+)`)

// state is what the server holds. Cgroups that are kept for the next calls are counted apart.
func (s *soaked) state(t *testing.T) (state soakState) {
	t.Helper()
	defer s.client.CloseIdleConnections()
	proc := fmt.Sprintf("/proc/%d/", s.cmd.Process.Pid)
	status, err := os.ReadFile(proc + "status")
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`VmRSS:\s+(\d+)`).FindSubmatch(status); m != nil {
		state.memory, _ = strconv.Atoi(string(m[1])) // it is a number
	}
	links, err := filepath.Glob(proc + "fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		to, err := os.Readlink(link)
		if i := strings.Index(to, "/toolspec-"); err == nil && strings.Contains(to, "cgroup") && i >= 0 {
			group, _, _ := strings.Cut(to[i+1:], "/")
			s.groups = append(s.groups[:0], to[:i+1]+group)
		} else if err == nil {
			state.descriptors++
		}
	}
	res, err := s.client.Get(s.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(res.Body)
	res.Body.Close()
	if m := goroutines.FindSubmatch(text); err == nil && m != nil {
		state.goroutines, _ = strconv.Atoi(string(m[1])) // it is a number
	}
	return state
}

// children are the children of the server, those included that have ended and that it has not looked after.
func (s *soaked) children(t *testing.T) string {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", s.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, list := range lists {
		text, _ := os.ReadFile(list) // its thread may just have ended
		all += string(text)
	}
	return all
}

func (s *soaked) stop(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-s.said.ended
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, s.said.text())
	}
	if strings.Contains(s.said.text(), "level=WARN") || strings.Contains(s.said.text(), "level=ERROR") {
		t.Errorf("it complains:\n%.2000s", s.said.text())
	}
}
