package registry

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// tool is a tool that cannot be called: its digest is its name and description.
func tool(name, description string) *exec.Tool {
	return &exec.Tool{
		Spec:   &spec.Spec{Name: name, Description: description, Input: spec.NoParameters()},
		Digest: name + " " + description,
	}
}

// at is the entry of a file that says "name description", or, with a mark, is broken or stale.
func at(file, says string) Entry {
	e := Entry{File: file}
	if says == "broken" {
		e.Digest = "bytes"
		e.Diagnostics.Add(spec.Pos{File: file, Line: 1, Column: 1}, "syntax", "no tool file")
		return e
	}
	if good, stale := strings.CutPrefix(says, "stale "); stale {
		says, e.State = good, StateStale
		e.Diagnostics.Add(spec.Pos{File: file, Line: 1, Column: 1}, "syntax", "no tool file")
	}
	name, description, _ := strings.Cut(says, " ")
	e.Tool = tool(name, description)
	e.Tool.Spec.Pos = spec.Pos{File: file, Line: 1, Column: 7}
	return e
}

// served is what a snapshot serves: "name=description@file", and for other files "file:state".
func served(s *Snapshot) string {
	var parts []string
	for e := range s.Entries() {
		if got, ok := s.Entry(nameOf(e)); ok && got.File == e.File && got.Source == e.Source {
			part := e.Tool.Spec.Name + "=" + e.Tool.Spec.Description + "@" + e.File
			if e.State != StateReady {
				part += ":" + string(e.State)
			}
			parts = append(parts, part)
			continue
		}
		parts = append(parts, e.File+":"+string(e.State))
	}
	return strings.Join(parts, " ")
}

func nameOf(e Entry) string {
	if e.Tool == nil {
		return ""
	}
	return e.Tool.Spec.Name
}

func TestUpdates(t *testing.T) {
	type step struct {
		source string
		set    string // file: says; …
		remove string
		served string
		change string // as JSON without diagnostics; empty: none
	}
	for _, c := range []struct {
		about string
		steps []step
	}{
		{"a tool comes, changes and goes", []step{
			{"d", "a.yaml: x one", "", "x=one@a.yaml", `{"generation":1,"added":["x"],"contract":true,"files":["a.yaml"]}`},
			{"d", "a.yaml: x one", "", "x=one@a.yaml", ``},
			{"d", "a.yaml: x two", "", "x=two@a.yaml", `{"generation":2,"updated":["x"],"contract":true,"files":["a.yaml"]}`},
			{"d", "", "a.yaml", "", `{"generation":3,"removed":["x"],"contract":true,"files":["a.yaml"]}`},
			{"d", "", "a.yaml", "", ``},
		}},
		{"renamed inside the file, in one step", []step{
			{"d", "a.yaml: x one", "", "x=one@a.yaml", `{"generation":1,"added":["x"],"contract":true,"files":["a.yaml"]}`},
			{"d", "a.yaml: y one", "", "y=one@a.yaml", `{"generation":2,"added":["y"],"removed":["x"],"contract":true,"files":["a.yaml"]}`},
		}},
		{"the file moved: the tool is the same", []step{
			{"d", "a.yaml: x one", "", "x=one@a.yaml", `{"generation":1,"added":["x"],"contract":true,"files":["a.yaml"]}`},
			{"d", "b.yaml: x one", "a.yaml", "x=one@b.yaml", `{"generation":2,"contract":false,"files":["a.yaml","b.yaml"]}`},
		}},
		{"two files swap their names", []step{
			{"d", "a.yaml: x one; b.yaml: y two", "", "x=one@a.yaml y=two@b.yaml", `{"generation":1,"added":["x","y"],"contract":true,"files":["a.yaml","b.yaml"]}`},
			{"d", "a.yaml: y one; b.yaml: x two", "", "y=one@a.yaml x=two@b.yaml", `{"generation":2,"updated":["x","y"],"contract":true,"files":["a.yaml","b.yaml"]}`},
		}},
		{"broken, stale and mended change no contract", []step{
			{"d", "a.yaml: broken; b.yaml: y one", "", "a.yaml:broken y=one@b.yaml", `{"generation":1,"added":["y"],"contract":true,"files":["a.yaml","b.yaml"]}`},
			{"d", "b.yaml: stale y one", "", "a.yaml:broken y=one@b.yaml:stale", `{"generation":2,"contract":false,"files":["b.yaml"]}`},
			{"d", "b.yaml: y one", "", "a.yaml:broken y=one@b.yaml", `{"generation":3,"contract":false,"files":["b.yaml"]}`},
			{"d", "a.yaml: x one", "", "x=one@a.yaml y=one@b.yaml", `{"generation":4,"added":["x"],"contract":true,"files":["a.yaml"]}`},
		}},
		{"within a source: at start the first path, later the one in force", []step{
			{"d", "b.yaml: x b; c.yaml: x c", "", "x=b@b.yaml c.yaml:shadowed", `{"generation":1,"added":["x"],"contract":true,"files":["b.yaml","c.yaml"]}`},
			{"d", "a.yaml: x a", "", "a.yaml:shadowed x=b@b.yaml c.yaml:shadowed", `{"generation":2,"contract":false,"files":["a.yaml"]}`},
			{"d", "b.yaml: x bb", "", "a.yaml:shadowed x=bb@b.yaml c.yaml:shadowed", `{"generation":3,"updated":["x"],"contract":true,"files":["b.yaml"]}`},
			{"d", "c.yaml: z c", "", "a.yaml:shadowed x=bb@b.yaml z=c@c.yaml", `{"generation":4,"added":["z"],"contract":true,"files":["c.yaml"]}`},
			{"d", "", "b.yaml", "x=a@a.yaml z=c@c.yaml", `{"generation":5,"updated":["x"],"contract":true,"files":["a.yaml","b.yaml"]}`},
		}},
		{"between sources the earlier wins, whenever it comes", []step{
			{"d", "", "", "", ``},
			{"e", "a.yaml: x e; b.yaml: x e2", "", "x=e@a.yaml b.yaml:shadowed", `{"generation":1,"added":["x"],"contract":true,"files":["a.yaml","b.yaml"]}`},
			{"d", "d.yaml: x d", "", "x=d@d.yaml a.yaml:shadowed b.yaml:shadowed", `{"generation":2,"updated":["x"],"contract":true,"files":["d.yaml","a.yaml","b.yaml"]}`},
			{"e", "", "a.yaml", "x=d@d.yaml b.yaml:shadowed", `{"generation":3,"contract":false,"files":["a.yaml"]}`},
			{"e", "a.yaml: x e3", "", "x=d@d.yaml a.yaml:shadowed b.yaml:shadowed", `{"generation":4,"contract":false,"files":["a.yaml"]}`},
			{"d", "d.yaml: broken", "", "d.yaml:broken a.yaml:shadowed x=e2@b.yaml", `{"generation":5,"updated":["x"],"contract":true,"files":["d.yaml","a.yaml","b.yaml"]}`},
		}},
		{"names that look alike are both served", []step{
			{"d", "a.yaml: get-x a; b.yaml: Get_X b", "", "get-x=a@a.yaml Get_X=b@b.yaml", `{"generation":1,"added":["Get_X","get-x"],"contract":true,"files":["a.yaml","b.yaml"]}`},
			{"d", "", "a.yaml", "Get_X=b@b.yaml", `{"generation":2,"removed":["get-x"],"contract":true,"files":["a.yaml","b.yaml"]}`},
		}},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := New()
			for i, s := range c.steps {
				var set []Entry
				for _, part := range strings.Split(s.set, "; ") {
					if file, says, ok := strings.Cut(part, ": "); ok {
						set = append(set, at(file, says))
					}
				}
				change := r.Source(s.source).Update(set, strings.Fields(s.remove))
				change.Diagnostics = nil
				have := ""
				if !change.Empty() {
					text, _ := json.Marshal(change)
					have = string(text)
				}
				if have != s.change {
					t.Errorf("step %d: change\nhave %s\nwant %s", i, have, s.change)
				}
				if have := served(r.Snapshot()); have != s.served {
					t.Errorf("step %d: served\nhave %s\nwant %s", i, have, s.served)
				}
				if have := r.Snapshot().Generation(); have != change.Generation {
					t.Errorf("step %d: generation %d, the change says %d", i, have, change.Generation)
				}
			}
		})
	}
}

func TestNameDiagnostics(t *testing.T) {
	r := New()
	r.Source("one").Update([]Entry{at("one/a.yaml", "x a"), at("one/b.yaml", "x b"), at("one/c.yaml", "X c")}, nil)
	r.Source("two").Update([]Entry{at("two/a.yaml", "x a")}, nil)
	var have []string
	for e := range r.Snapshot().Entries() {
		for _, d := range e.Diagnostics {
			have = append(have, d.Severity.String()+" "+d.Error())
		}
	}
	want := []string{
		"error one/b.yaml:1:7: name: x is the name of the tool in one/a.yaml, which keeps it; give one of them another name",
		"warning one/c.yaml:1:7: name: X differs from x in one/a.yaml only in case or in - and _",
		"info two/a.yaml:1:7: name: x is overridden by one/a.yaml of one, which ranks before two",
	}
	if !slices.Equal(have, want) {
		t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

func TestSameDigestKeepsTheTool(t *testing.T) {
	r := New()
	s := r.Source("d")
	s.Update([]Entry{at("a.yaml", "x one")}, nil)
	before, _ := r.Snapshot().Tool("x")
	s.Update([]Entry{at("a.yaml", "stale x one"), at("b.yaml", "y one")}, nil)
	if after, _ := r.Snapshot().Tool("x"); after != before {
		t.Error("another tool, though the digest is the same")
	}
}

func TestContract(t *testing.T) {
	yes := true
	annotated := tool("x", "one")
	annotated.Spec.Annotations.ReadOnly = &yes
	output := tool("x", "one")
	output.Spec.Output = spec.NoParameters()
	titled := tool("x", "one")
	titled.Spec.Title = "X"
	for about, c := range map[string]struct {
		after *exec.Tool
		want  bool
	}{
		"executor only": {tool("x", "one"), false},
		"description":   {tool("x", "two"), true},
		"annotations":   {annotated, true},
		"output schema": {output, true},
		"title":         {titled, true},
	} {
		r := New()
		r.Replace("go", []*exec.Tool{tool("x", "one")}, nil)
		c.after.Digest = "another"
		change := r.Replace("go", []*exec.Tool{c.after}, nil)
		if change.Contract != c.want || !slices.Equal(change.Updated, []string{"x"}) {
			t.Errorf("%s: have %+v, want contract %v", about, change, c.want)
		}
	}
}

func TestReplace(t *testing.T) {
	r := New()
	fromFile := at("text/words.yaml", "words one")
	ds := spec.Diagnostics{
		{Pos: spec.Pos{File: "text/bad.yaml", Line: 2, Column: 1}, Rule: "syntax", Message: "no"},
		{Pos: spec.Pos{File: "text/words.yaml", Line: 2, Column: 1}, Severity: spec.SeverityWarning, Rule: "x", Message: "hm"},
	}
	r.Replace("builtin", []*exec.Tool{fromFile.Tool, tool("sum", "of numbers")}, ds)
	if have, want := served(r.Snapshot()), "sum=of numbers@sum text/bad.yaml:broken words=one@text/words.yaml"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	if e, _ := r.Snapshot().Entry("words"); len(e.Diagnostics) != 1 || e.Source != "builtin" {
		t.Errorf("have %+v", e)
	}
	change := r.Replace("builtin", []*exec.Tool{tool("sum", "of numbers")}, nil)
	if !slices.Equal(change.Removed, []string{"words"}) || len(change.Files) != 2 {
		t.Errorf("have %+v", change)
	}
}

func TestCallOfUnknownTool(t *testing.T) {
	r := New()
	r.Replace("go", []*exec.Tool{tool("weather_now", "."), tool("week_ahead", "."), tool("sum", ".")}, nil)
	result := r.Snapshot().Call(context.Background(), exec.Call{Use: spec.ToolUse{ID: "7", Name: "weather_noww"}})
	text, _ := json.Marshal(result)
	want := "{\"toolUseId\":\"7\",\"status\":\"error\",\"content\":[{\"text\":\"Error: no tool is named `weather_noww`; did you mean weather_now?\"}]," +
		`"metadata":{"generation":1,"durationMs":0,"error":{"code":"not_found","retryable":false}}}`
	if string(text) != want {
		t.Errorf("have %s\nwant %s", text, want)
	}
}

func TestSubscribe(t *testing.T) {
	r := New()
	ctx, cancel := context.WithCancel(context.Background())
	changes := r.Subscribe(ctx)
	s := r.Source("d")
	s.Update([]Entry{at("a.yaml", "x one")}, nil)
	s.Update([]Entry{at("a.yaml", "x two"), at("b.yaml", "y one")}, nil)
	s.Update(nil, []string{"b.yaml"})
	change := <-changes
	if change.Generation != 3 || !slices.Equal(change.Added, []string{"x"}) || change.Updated != nil || change.Removed != nil {
		t.Errorf("have %+v", change)
	}
	s.Update(nil, []string{"a.yaml"})
	if change = <-changes; !slices.Equal(change.Removed, []string{"x"}) {
		t.Errorf("have %+v", change)
	}
	cancel()
	if change, open := <-changes; open {
		t.Errorf("after the context is done: %+v", change)
	}
	s.Update([]Entry{at("a.yaml", "x one")}, nil)
}

// Readers never see a name twice, half an update, or a generation go back.
func TestReadersAndWriters(t *testing.T) {
	r := New()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for i := range 2 {
		s := r.Source(fmt.Sprint("source", i))
		wg.Go(func() {
			for n := range 300 {
				v := fmt.Sprint(n)
				s.Update([]Entry{at("a.yaml", "x "+v), at("b.yaml", "y "+v)}, []string{"c.yaml"})
				s.Update([]Entry{at("c.yaml", "x z")}, nil)
			}
		})
	}
	var readers sync.WaitGroup
	changes := r.Subscribe(ctx)
	readers.Go(func() {
		last := uint64(0)
		for change := range changes {
			if change.Generation <= last {
				t.Errorf("generation %d after %d", change.Generation, last)
			}
			last = change.Generation
		}
	})
	readers.Go(func() {
		last := uint64(0)
		for ctx.Err() == nil {
			s := r.Snapshot()
			x, _ := s.Entry("x")
			y, _ := s.Entry("y")
			if x.Tool != nil && x.Tool.Spec.Description != y.Tool.Spec.Description {
				t.Errorf("x is %s and y is %s", x.Tool.Spec.Description, y.Tool.Spec.Description)
			}
			if s.Generation() < last {
				t.Errorf("generation %d after %d", s.Generation(), last)
			}
			last = s.Generation()
		}
	})
	wg.Wait()
	cancel()
	readers.Wait()
}
