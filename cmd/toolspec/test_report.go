package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/spec"
)

// report prints what came of the tests; its error is that of the whole command.
func (t *testRun) report(std stdio) error {
	printDiagnostics(std.err, t.broken)
	if t.junit != "" {
		if err := t.writeJUnit(); err != nil {
			return failed(err)
		}
	}
	print := t.print
	if t.asJSON {
		print = t.printJSON
	}
	if err := print(std.out); err != nil {
		return failed(err)
	}
	if t.failures() > 0 || len(t.broken) > 0 {
		return failure{}
	}
	return nil
}

func (t *testRun) failures() (n int) {
	for _, v := range t.verdicts {
		if len(v.Faults) > 0 {
			n++
		}
	}
	return n
}

func (t *testRun) writeJUnit() error {
	f, err := os.Create(t.junit)
	if err != nil {
		return err
	}
	if err := check.JUnit(f, t.verdicts, t.broken); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// print is quiet where all is well: one line says how much that is.
func (t *testRun) print(w io.Writer) error {
	var b strings.Builder
	for _, v := range t.verdicts {
		took := ""
		if t.verbose {
			took = fmt.Sprintf(" (%.2fs)", v.Took.Seconds())
		}
		switch {
		case len(v.Faults) > 0:
			fmt.Fprintf(&b, "--- FAIL: %s/%s%s\n    %s\n", v.Tool, spec.Visible(v.Test), took, strings.ReplaceAll(strings.TrimSuffix(v.FaultText(), "\n"), "\n", "\n    "))
		case t.verbose:
			fmt.Fprintf(&b, "--- PASS: %s/%s%s\n", v.Tool, spec.Visible(v.Test), took)
		}
	}
	if t.verbose && len(t.untested) > 0 && t.picked == nil {
		fmt.Fprintf(&b, "without tests: %s\n", strings.Join(t.untested, ", "))
	}
	b.WriteString(t.summary() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *testRun) summary() string {
	total := counted(len(t.verdicts), "test") + " of " + counted(t.tools, "tool")
	if n := len(t.untested); n > 0 && t.picked == nil {
		total += fmt.Sprintf(", %d without tests", n)
	}
	switch n := t.failures(); {
	case n > 0:
		return fmt.Sprintf("FAIL  %d of %s", n, total)
	case len(t.broken) > 0:
		return fmt.Sprintf("FAIL  %s; %s in the files", total, counted(len(t.broken), "error"))
	case len(t.verdicts) == 0:
		return "ok    no tests to run, " + total
	}
	return "ok    " + total
}

// toldVerdict is a verdict as JSON.
type toldVerdict struct {
	Tool string `json:"tool"`
	Test string `json:"test"`
	spec.Pos
	Status     string      `json:"status"` // pass, fail
	DurationMS float64     `json:"durationMs"`
	Faults     []toldFault `json:"faults,omitempty"`
}

type toldFault struct {
	spec.Pos
	Message string `json:"message"`
	Diff    string `json:"diff,omitempty"`
}

func (t *testRun) printJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, v := range t.verdicts {
		told := toldVerdict{Tool: v.Tool, Test: v.Test, Pos: v.Pos, Status: "pass", DurationMS: float64(v.Took.Microseconds()) / 1000}
		for _, f := range v.Faults {
			told.Status = "fail"
			told.Faults = append(told.Faults, toldFault{f.Pos, f.Message, f.Diff})
		}
		if err := e.Encode(told); err != nil {
			return err
		}
	}
	return nil
}
