package check

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

func read(t *testing.T, text string) any {
	t.Helper()
	v, err := spec.ReadValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		want, have string
		holds      bool
		miss       string // JSON pointer of what is missed first
	}{
		{`{}`, `{"a": 1}`, true, ""},
		{`{"a": 1}`, `{"a": 1.0, "b": 2}`, true, ""},
		{`{"a": 1e2}`, `{"a": 100}`, true, ""},
		{`9007199254740993`, `9007199254740992`, false, ""},
		{`{"a": null}`, `{}`, true, ""},
		{`{"a": null}`, `{"a": 0}`, false, "/a"},
		{`{"a": {"b": [1, {"c": 2}]}}`, `{"a": {"b": [1, {"c": 2, "d": 3}]}}`, true, ""},
		{`{"a": {"b": [1, {"c": 2}]}}`, `{"a": {"b": [1, {"c": 3}]}}`, false, "/a/b/1/c"},
		{`[1]`, `[1, 2]`, false, ""},
		{`[1, 2]`, `[1]`, false, ""},
		{`[1, 2]`, `[2, 1]`, false, "/0"},
		{`{"a/b": "x"}`, `{"a/b": "y"}`, false, "/a~1b"},
		{`"1"`, `1`, false, ""},
		{`{}`, `[]`, false, ""},
		{`[]`, `{}`, false, ""},
		{`null`, `null`, true, ""},
		{`null`, `false`, false, ""},
	} {
		want, have := read(t, c.want), read(t, c.have)
		if holds(want, have) != c.holds {
			t.Errorf("%s in %s: have %v", c.want, c.have, !c.holds)
		}
		if miss := firstMiss(want, have); !c.holds && miss != c.miss {
			t.Errorf("%s in %s: have %q missed first, want %q", c.want, c.have, miss, c.miss)
		}
		if same := pretty(want) == pretty(project(want, have)); same != c.holds {
			t.Errorf("%s in %s: its diff says %v", c.want, c.have, same)
		}
	}
}

// TestNumbersOfAnySize are compared in no time, and not taken for each other.
func TestNumbersOfAnySize(t *testing.T) {
	if sameNumber("1e1000000000", "1e1000000001") || !sameNumber("1e1000000000", "1e1000000000") {
		t.Error("huge numbers are mistaken for each other")
	}
}

func TestDiff(t *testing.T) {
	numbers := strings.TrimSuffix(strings.Repeat("x\n", 20), "\n")
	for _, c := range []struct{ want, have, diff string }{
		{"a", "b", "- a\n+ b"},
		{"a\nb\nc", "a\nc", "  a\n- b\n  c"},
		{"a\nc", "a\nb\nc", "  a\n+ b\n  c"},
		{"a\nb\nc\nd", "b\nx\nd\ne", "- a\n  b\n- c\n+ x\n  d\n+ e"},
		{numbers + "\na", numbers + "\nb", "  …\n  x\n  x\n- a\n+ b"},
		{"a\n" + numbers + "\na", "b\n" + numbers + "\nb", "- a\n+ b\n  x\n  x\n  …\n  x\n  x\n- a\n+ b"},
		{"", "a", "- \n+ a"},
	} {
		if have := diff(c.want, c.have); have != c.diff {
			t.Errorf("%q, %q: have\n%s\nwant\n%s", c.want, c.have, have, c.diff)
		}
	}
	long := strings.Repeat("a\n", 3000)
	if lines := strings.Count(diff(long, strings.ReplaceAll(long, "a", "b")), "\n"); lines != maxDiffLines {
		t.Errorf("a long diff has %d lines", lines)
	}
}

// load makes a tool of a file's text, and a snapshot with it in it.
func load(t *testing.T, env *exec.Env, source string) (*exec.Tool, *registry.Snapshot) {
	t.Helper()
	s, ds := spec.Parse("tool.yaml", []byte(source))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tool, ds := exec.StandardKinds().Compile(env, s)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	reg := registry.New()
	reg.Replace("go", []*exec.Tool{tool}, nil)
	return tool, reg.Snapshot()
}

// TestEachTestHasItsTime stops a function that would wait for ever, and goes on with the others.
func TestEachTestHasItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := &exec.Env{Funcs: map[string]exec.Executor{"wait": exec.ExecutorFunc(func(ctx context.Context, call *exec.Call) (any, error) {
			if call.Args["long"] == true {
				<-ctx.Done()
			}
			return "done", ctx.Err()
		})}}
		tool, snapshot := load(t, env, `
name: wait
description: Waits.
timeout: 1m
inputSchema: {type: object, properties: {long: {type: boolean}}}
executor: {func: wait}
tests:
  - {name: for ever, input: {long: true}, expect: {status: error}}
  - {name: not at all, expect: {text: done}}
`)
		start := time.Now()
		verdicts := Tests(t.Context(), snapshot, []*exec.Tool{tool}, nil)
		if took := time.Since(start); took != TestTime {
			t.Errorf("it took %s", took)
		}
		if len(verdicts) != 2 || len(verdicts[0].Faults) != 1 || verdicts[0].Faults[0].Message != "it took longer than 10s" || len(verdicts[1].Faults) != 0 {
			t.Errorf("have %+v", verdicts)
		}
	})
}

func TestJudgeSpeaksAtTheExpectation(t *testing.T) {
	tool, snapshot := load(t, nil, `
name: add
description: Adds.
executor: {expr: 1 + 1}
tests:
  - {name: two, expect: {json: 2}}
  - {name: three, expect: {json: 3}}
`)
	ds := Judge(t.Context(), tool, snapshot)
	if len(ds) != 1 || ds[0].Error() != `tool.yaml:7:34: test "three": json: the result does not hold it` || ds[0].Rule != "test" {
		t.Errorf("have %v", ds)
	}
}

// TestJUnit holds the report to the shape that build servers read, whatever a result holds.
func TestJUnit(t *testing.T) {
	pos := spec.Pos{File: "a.yaml", Line: 3, Column: 5}
	var b bytes.Buffer
	err := JUnit(&b, []Verdict{
		{Tool: "a", Test: "one", Pos: pos, Took: 1500 * time.Millisecond},
		{Tool: "a", Test: "two <&\"", Pos: pos, Faults: []Fault{{pos, "text: \x00 ]]>", "- a\n+ \x1b[0m"}, {pos, "that: no", ""}}},
		{Tool: "b", Test: "one", Pos: spec.Pos{File: "b.yaml", Line: 1, Column: 1}},
	}, spec.Diagnostics{
		spec.Errorf(spec.Pos{File: "c.yaml", Line: 2, Column: 1}, "", "unknown key \x1b"), spec.Errorf(spec.Pos{File: "c.yaml", Line: 4, Column: 1}, "", "name is missing"),
	})
	if err != nil {
		t.Fatal(err)
	}
	var have junitSuites
	if err := xml.Unmarshal(b.Bytes(), &have); err != nil {
		t.Fatalf("%v in\n%s", err, b.Bytes())
	}
	if have.Tests != 4 || have.Failures != 1 || have.Errors != 1 || have.Time != "1.500" || len(have.Suites) != 3 {
		t.Errorf("have %+v", have)
	}
	if broken := have.Suites[0]; broken.File != "c.yaml" || broken.Cases[0].Line != 2 || !strings.HasSuffix(broken.Cases[0].Error.Text, "\nc.yaml:4:1: name is missing\n") {
		t.Errorf("have %+v", broken)
	}
	suite := have.Suites[1]
	if suite.Tests != 2 || suite.Failures != 1 || suite.Cases[0].Failure != nil || suite.Cases[1].Name != "two <&\"" || suite.Cases[1].Line != 3 {
		t.Errorf("have %+v", suite)
	}
	if text := suite.Cases[1].Failure.Text; !strings.Contains(text, "a.yaml:3:5: that: no") || !strings.Contains(text, "    - a") {
		t.Errorf("have %q", text)
	}
}

// TestWhatNobodySeesIsShown where it makes the difference.
func TestWhatNobodySeesIsShown(t *testing.T) {
	v := Verdict{Faults: []Fault{{Message: "text", Diff: diff("a\nb \n\tc é", "a\u200b\nb\n\tc é\x1b[0m")}}}
	want := "    - a\n    - \"b \"\n    - \tc é\n    + \"a\\u200b\"\n    + b\n    + \"\\tc é\\x1b[0m\"\n"
	if have := v.FaultText(); !strings.HasSuffix(have, want) {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

// FuzzDiff tells any two texts apart: what it marks makes one of the other.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc", "a\nc\nd")
	f.Add("", "\n\n")
	f.Fuzz(func(t *testing.T, want, have string) {
		if strings.Count(want, "\n") > 200 || strings.Count(have, "\n") > 200 {
			return
		}
		var a, b []string
		for _, s := range spec.Align(strings.Split(want, "\n"), strings.Split(have, "\n")) {
			a, b = append(a, s.Old...), append(b, s.New...)
		}
		if strings.Join(a, "\n") != want || strings.Join(b, "\n") != have {
			t.Errorf("%q and %q come out as %q and %q", want, have, a, b)
		}
	})
}

// FuzzHolds finds every value in itself, and says of two the same as their diff.
func FuzzHolds(f *testing.F) {
	f.Add(`{"a": [1, null, {"b": "x"}]}`, `{"a": [1.0, 2]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		x, err := spec.ReadValue([]byte(a))
		if err != nil {
			return
		}
		y, err := spec.ReadValue([]byte(b))
		if err != nil {
			return
		}
		if !holds(x, x) {
			t.Errorf("%s does not hold itself", a)
		}
		if holds(x, y) != bytes.Equal(marshal(t, x), marshal(t, project(x, y))) {
			t.Errorf("%s in %s: the diff says otherwise", a, b)
		}
	})
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
