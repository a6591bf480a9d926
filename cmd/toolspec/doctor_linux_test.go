package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user without rights.
const nobody = 65534

// TestDoctor has the program attack its own sandbox, as who runs the tests and, if that is root, as a user without rights.
func TestDoctor(t *testing.T) {
	t.Run("own", func(t *testing.T) { doctor(t, exec.Command(program(t), "doctor", "--json")) })
	t.Run("nobody", func(t *testing.T) {
		if os.Getuid() != 0 {
			t.Skip("only root can be another user; this is one without rights")
		}
		doctor(t, asNobody(t, "doctor", "--json"))
	})
}

// asNobody is the program, run as that user, from a directory that it can read.
func asNobody(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	dir, err := os.MkdirTemp("", "toolspec-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	bytes, err := os.ReadFile(program(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "toolspec")
	if err := os.WriteFile(path, bytes, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=/usr/bin:/bin", "TMPDIR=" + dir, "HOME=" + dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return cmd
}

func doctor(t *testing.T, cmd *exec.Cmd) {
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, complaint.String(), out)
	}
	var d struct {
		Levels []struct {
			Level, Why string
			Has        bool
		}
		Verdicts  []struct{ Promise, Level, Outcome, Why string }
		Processes struct{ Way string }
	}
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatal(err)
	}
	outcomes := map[string]map[string]int{}
	for _, v := range d.Verdicts {
		if outcomes[v.Level] == nil {
			outcomes[v.Level] = map[string]int{}
		}
		outcomes[v.Level][v.Outcome]++
		if v.Outcome == "untried" && v.Level == "full" {
			t.Logf("NOT TRIED HERE: %s: %s", v.Promise, v.Why)
		}
	}
	for _, l := range d.Levels {
		switch has := outcomes[l.Level]; {
		case !l.Has:
			t.Logf("NOT TO BE HAD HERE: %s: %s", l.Level, l.Why)
		case has["broken"] > 0 || has["held"] < 35 || l.Level == "full" && has["open"] > 0:
			t.Errorf("%s: %v", l.Level, has)
		}
	}
	if d.Processes.Way == "" || len(d.Levels) != 3 {
		t.Errorf("%s", out)
	}
}
