//go:build amd64 || arm64

package promise

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/sandbox/stage"
)

// promises are all of them, by what they are about.
func promises() []promise {
	return slices.Concat(filePromises(), processPromises(), networkPromises(), systemPromises())
}

func system() System {
	var name unix.Utsname
	_ = unix.Uname(&name) // it cannot fail
	return System{OS: runtime.GOOS, Kernel: unix.ByteSliceToString(name.Release[:]), Landlock: stage.Landlock(), User: os.Getuid()}
}

// targetVariable holds the target, as JSON, and which attacks are to be made.
const targetVariable = "TOOLSPEC_TARGET"

// attackAt makes all attacks at a level, and tells what each met.
func attackAt(s exec.Sandbox, level exec.Level, self []string) (map[string]string, error) {
	met := map[string]string{}
	groups := [][]promise{nil, nil}
	for _, p := range promises() {
		switch {
		case p.alone:
			groups = append(groups, []promise{p})
		case p.network:
			groups[1] = append(groups[1], p)
		default:
			groups[0] = append(groups[0], p)
		}
	}
	for _, group := range groups {
		t, err := newTarget(self)
		if err != nil {
			return nil, fmt.Errorf("what is to be attacked cannot be made: %w", err)
		}
		err = t.attack(s, level, group, met)
		if err = errors.Join(err, t.remove()); err != nil {
			return nil, err
		}
	}
	return met, nil
}

// attack makes some attacks in one process, in the order of their list.
func (t *target) attack(s exec.Sandbox, level exec.Level, group []promise, met map[string]string) error {
	for _, p := range group {
		t.Attacks = append(t.Attacks, p.name)
	}
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	var out, complaint strings.Builder
	cmd := osexec.Command(t.program, t.Self...) // #nosec G204 -- this program itself
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = []string{targetVariable + "=" + string(text), "TMPDIR=" + t.Own}, t.Own, &out, &complaint
	if err := t.run(s, level, cmd, group[0].network); err != nil {
		return fmt.Errorf("%s: %w", level, err)
	}
	lines := bufio.NewScanner(strings.NewReader(out.String()))
	told := map[string]string{}
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return fmt.Errorf("%s: the attacker said %q", level, lines.Text())
		}
		told[a.Attack] = a.Met
	}
	for _, p := range group {
		what, ok := told[p.name]
		switch {
		case !ok && p.alone:
			what = "it ended the attacker: " + firstLine(complaint.String())
		case !ok:
			return fmt.Errorf("%s: the attacker did not come to %q: %s", level, p.name, complaint.String())
		case what == succeeded && p.after != nil:
			what = metWith(p.after(t))
		}
		met[p.name] = what
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// run runs the attacker to its end; what it ends with says nothing.
func (t *target) run(s exec.Sandbox, level exec.Level, cmd *osexec.Cmd, network bool) error {
	if level == exec.LevelNone {
		return ended(cmd.Run())
	}
	c, err := s.Confine(cmd, exec.Confinement{Level: level, Network: network, Read: []string{t.Given, t.program}, Write: []string{t.Own}})
	if err != nil {
		return err
	}
	defer c.Ended()
	if err := cmd.Start(); err != nil {
		return err
	}
	err = c.Started()
	return errors.Join(err, ended(cmd.Wait()))
}

func ended(err error) error {
	if exit := (&osexec.ExitError{}); errors.As(err, &exit) {
		return nil
	}
	return err
}

// answer is what one attack met.
type answer struct{ Attack, Met string }

// Attack makes the attacks that [Check] has asked for: it is what a program does that Check has started.
func Attack() error {
	t := &target{}
	if err := json.Unmarshal([]byte(os.Getenv(targetVariable)), t); err != nil || len(t.Attacks) == 0 {
		return errors.New("nobody has asked for an attack")
	}
	switch t.Attacks[0] {
	case victimsPart:
		_, err := io.Copy(io.Discard, os.Stdin)
		return err
	case escapeesPart:
		return stayAway(t)
	}
	out := json.NewEncoder(os.Stdout)
	for _, p := range promises() {
		if !slices.Contains(t.Attacks, p.name) {
			continue
		}
		if err := out.Encode(answer{p.name, metWith(p.attack(t))}); err != nil {
			return err
		}
	}
	return nil
}

func metWith(err error) string {
	if err == nil {
		return succeeded
	}
	return err.Error()
}
