package promise_test

import (
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"runtime"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/sandbox"
	"github.com/toolspec/toolspec/exec/sandbox/promise"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "attack" {
		if err := promise.Attack(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var self = []string{os.Args[0], "attack"}

func TestPromises(t *testing.T) {
	report, err := promise.Check(sandbox.New(), self)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range report.Levels {
		if !l.Has {
			t.Logf("NOT TO BE HAD HERE: %s: %s", l.Level, l.Why)
		}
	}
	held, open := 0, 0
	for _, v := range report.Verdicts {
		switch v.Outcome {
		case promise.Broken:
			t.Errorf("%s: broken: %s", v.Level, v.Promise)
		case promise.Untried:
			t.Logf("NOT TRIED HERE: %s: %s: %s", v.Level, v.Promise, v.Why)
		case promise.Held:
			held++
		case promise.Open:
			open++
		}
	}
	if !report.Levels[0].Has {
		return
	}
	if held < 40 || open < 5 {
		t.Errorf("%d are held and %d open", held, open)
	}
}

// sieve is a sandbox that says that it confines, and does not.
type sieve struct{}

func (sieve) Has(level exec.Level) error {
	if level == exec.LevelNamespaces {
		return errors.New("there are none")
	}
	return nil
}

func (sieve) Confine(*osexec.Cmd, exec.Confinement) (exec.Confined, error) { return sieve{}, nil }
func (sieve) Started() error                                               { return nil }
func (sieve) Ended() (exitCode, signal int, told bool)                     { return 0, 0, false }

// Every attack that succeeds without a sandbox breaks its promise where nothing confines it.
func TestASieveHoldsNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there are promises on Linux alone")
	}
	report, err := promise.Check(sieve{}, self)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range report.Verdicts {
		switch {
		case v.Level == exec.LevelNamespaces && v.Outcome == promise.Unavailable && v.Why == "there are none":
		case v.Level == exec.LevelNamespaces:
			t.Errorf("%s: %s at a level that is not to be had", v.Promise, v.Outcome)
		case v.Outcome == promise.Held:
			t.Errorf("%s: %s: held: %s", v.Level, v.Promise, v.Why)
		case v.Outcome == promise.Open && v.Level == exec.LevelFull:
			t.Errorf("%s: not even full promises it", v.Promise)
		}
	}
	if len(report.Broken()) < 80 {
		t.Errorf("only %d are broken", len(report.Broken()))
	}
}
