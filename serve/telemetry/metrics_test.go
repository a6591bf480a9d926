package telemetry

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/serve"
	"github.com/toolspec/toolspec/spec"
)

// compile makes a tool of a file named after it.
func compile(t testing.TB, env *exec.Env, name, rest string) *exec.Tool {
	t.Helper()
	read, ds := spec.Parse(name+".yaml", []byte("name: "+name+"\ndescription: A tool for tests.\n"+rest))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tool, ds := exec.StandardKinds().Compile(env, read)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return tool
}

// wantMetrics compares all samples of some metrics.
func wantMetrics(t *testing.T, m *Metrics, want string, names ...string) {
	t.Helper()
	samplesOf := func(text string) string {
		var found []string
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(line, name+"{") || strings.HasPrefix(line, name+" ") }) {
				found = append(found, line)
			}
		}
		slices.Sort(found)
		return strings.Join(found, "\n")
	}
	if have, want := samplesOf(scrape(t, m)), samplesOf(want); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

func standingNames() []string {
	return []string{"toolspec_tools", "toolspec_files", "toolspec_file_stale", "toolspec_diagnostics", "toolspec_generation", "toolspec_reloads_total"}
}

const none = `
	toolspec_tools{status="pending"} 0
	toolspec_tools{status="ready"} 0
	toolspec_tools{status="stale"} 0
	toolspec_tools{status="unavailable"} 0
	toolspec_files{state="broken"} 0
	toolspec_files{state="pending"} 0
	toolspec_files{state="ready"} 0
	toolspec_files{state="shadowed"} 0
	toolspec_files{state="stale"} 0
	toolspec_files{state="unavailable"} 0
	toolspec_diagnostics{severity="error"} 0
	toolspec_diagnostics{severity="info"} 0
	toolspec_diagnostics{severity="warning"} 0
`

// with is the samples of none, some of them with another value, and more.
func with(samples ...string) string {
	lines := strings.Split(none, "\n")
	for _, sample := range samples {
		name := sample[:strings.LastIndex(sample, " ")]
		found := false
		for i, line := range lines {
			if strings.HasPrefix(strings.TrimSpace(line), name+" ") {
				lines[i], found = sample, true
			}
		}
		if !found {
			lines = append(lines, sample)
		}
	}
	return strings.Join(lines, "\n")
}

func TestFilesAsTheyStand(t *testing.T) {
	env := &exec.Env{}
	a, b := compile(t, env, "a", "executor: {expr: '1'}"), compile(t, env, "b", "executor: {expr: '2'}")
	far := compile(t, env, "far", "requires: {commands: [no-such-program-here]}\nexecutor: {expr: '1'}")
	at := func(file string) spec.Pos { return spec.Pos{File: file, Line: 3, Column: 1} }
	fault := spec.Errorf(at("tools/b.yaml"), "syntax", "want a colon")
	warning := spec.Diagnostic{Pos: at("tools/b.yaml"), Severity: spec.SeverityWarning, Rule: "schema", Message: "says nothing"}
	reg := registry.New()
	m := New(reg, Options{})
	first, second := reg.Source("dir:tools"), reg.Source("dir:tools/below")
	wantMetrics(t, m, with("toolspec_generation 0", "toolspec_reloads_total 0"), standingNames()...)
	for _, c := range []struct {
		about   string
		source  *registry.Source
		set     []registry.Entry
		removed []string
		want    []string
	}{
		{"good files", first, []registry.Entry{{File: "tools/a.yaml", Tool: a}, {File: "tools/b.yaml", Tool: b}, {File: "tools/far.yaml", Tool: far}}, nil, []string{
			`toolspec_tools{status="ready"} 2`, `toolspec_tools{status="unavailable"} 1`, `toolspec_files{state="ready"} 2`, `toolspec_files{state="unavailable"} 1`,
			"toolspec_generation 1", "toolspec_reloads_total 1",
		}},
		{"one breaks", first, []registry.Entry{{File: "tools/b.yaml", Tool: b, State: registry.StateStale, Diagnostics: spec.Diagnostics{fault, warning}}}, nil, []string{
			`toolspec_tools{status="ready"} 1`, `toolspec_tools{status="unavailable"} 1`, `toolspec_files{state="ready"} 1`, `toolspec_files{state="unavailable"} 1`,
			`toolspec_tools{status="stale"} 1`, `toolspec_files{state="stale"} 1`, `toolspec_file_stale{file="tools/b.yaml",tool="b"} 1`,
			`toolspec_diagnostics{severity="error"} 1`, `toolspec_diagnostics{severity="warning"} 1`, "toolspec_generation 2", "toolspec_reloads_total 2",
		}},
		{"a directory below has files that have no name to give, and one that never was good", second, []registry.Entry{
			{File: "tools/below/a.yaml", Tool: a}, {File: "tools/below/c.yaml", Diagnostics: spec.Diagnostics{spec.Errorf(at("tools/below/c.yaml"), "syntax", "want a colon")}},
		}, nil, []string{
			`toolspec_tools{status="ready"} 1`, `toolspec_tools{status="unavailable"} 1`, `toolspec_files{state="ready"} 1`, `toolspec_files{state="unavailable"} 1`,
			`toolspec_tools{status="stale"} 1`, `toolspec_files{state="stale"} 1`, `toolspec_file_stale{file="tools/b.yaml",tool="b"} 1`,
			`toolspec_files{state="broken"} 1`, `toolspec_files{state="shadowed"} 1`,
			`toolspec_diagnostics{severity="error"} 2`, `toolspec_diagnostics{severity="warning"} 1`, `toolspec_diagnostics{severity="info"} 1`, "toolspec_generation 3", "toolspec_reloads_total 3",
		}},
		{"it is mended, the others are gone", first, []registry.Entry{{File: "tools/b.yaml", Tool: b}}, []string{"tools/a.yaml", "tools/far.yaml"}, []string{
			`toolspec_tools{status="ready"} 2`, `toolspec_files{state="ready"} 2`, `toolspec_files{state="broken"} 1`, `toolspec_diagnostics{severity="error"} 1`,
			"toolspec_generation 4", "toolspec_reloads_total 4",
		}},
	} {
		c.source.Update(c.set, c.removed)
		t.Run(c.about, func(t *testing.T) { wantMetrics(t, m, with(c.want...), standingNames()...) })
	}
}

// Names of files may be any bytes, and two may look the same in a label.
func TestAnyFileNameCanBeTold(t *testing.T) {
	env, reg := &exec.Env{}, registry.New()
	m := New(reg, Options{})
	var set []registry.Entry
	for name, file := range map[string]string{"b": "tools/\xff.yaml", "c": "tools/\xfe.yaml", "d": "tools/\"\n.yaml"} {
		set = append(set, registry.Entry{File: file, Tool: compile(t, env, name, "executor: {expr: '1'}"), State: registry.StateStale})
	}
	reg.Source("dir:tools").Update(set, nil)
	wantMetrics(t, m, `
		toolspec_file_stale{file="tools/�.yaml",tool="b"} 1
		toolspec_file_stale{file="tools/�.yaml",tool="c"} 1
		toolspec_file_stale{file="tools/\"\n.yaml",tool="d"} 1`, "toolspec_file_stale")
}

func TestDirectoriesAsTheyAreWatched(t *testing.T) {
	var dirs []serve.WatchStatus
	m := New(registry.New(), Options{Watch: func() []serve.WatchStatus { return dirs }})
	names := []string{"toolspec_watch_mode", "toolspec_last_scan_age_seconds"}
	dirs = []serve.WatchStatus{{Dir: "tools"}}
	wantMetrics(t, m, "", names...)
	scanned := time.Now().Add(-time.Hour)
	dirs = []serve.WatchStatus{{Dir: "tools", Mode: "events", LastScan: scanned}, {Dir: "far", Mode: "polling", LastScan: scanned}}
	wantMetrics(t, m, `
		toolspec_watch_mode{dir="far",mode="polling"} 1
		toolspec_watch_mode{dir="tools",mode="events"} 1`, "toolspec_watch_mode")
	if text := scrape(t, m); strings.Count(text, "\ntoolspec_last_scan_age_seconds{dir=") != 2 || !strings.Contains(text, `{dir="far"} 36`) {
		t.Errorf("an hour is not 3600 s:\n%s", text)
	}
}

// Calls are counted whatever came of them: also what never reached an executor.
func TestCalls(t *testing.T) {
	env, reg := &exec.Env{}, registry.New()
	m := New(reg, Options{})
	env.Observe = m.Observe
	const input = "inputSchema: {properties: {n: {type: integer}}}\n"
	tools := []*exec.Tool{
		compile(t, env, "one", input+"executor: {expr: '1'}"),
		compile(t, env, "bad", `executor: {expr: '{"status": "error", "content": [{"text": "no"}]}'}`),
		compile(t, env, "far", "requires: {commands: [no-such-program-here]}\nexecutor: {expr: '1'}"),
		compile(t, env, "two", "executor:\n  pipeline:\n    - {id: x, tool: one}\n"),
	}
	reg.Replace("test", tools, nil)
	for _, c := range []struct{ name, input string }{
		{"one", `{}`}, {"one", `{"n": "5"}`}, {"one", `{"n": "secret-x"}`}, {"one", `{"secret-x": 1}`}, {"one", `[`},
		{"bad", ``}, {"far", ``}, {"two", ``}, {"secret-x", ``},
	} {
		call := exec.Call{Use: spec.ToolUse{ID: "secret-x", Name: c.name, Input: json.RawMessage(c.input)}, Session: "secret-x", User: "secret-x"}
		reg.Snapshot().Call(t.Context(), call)
	}
	reg.Snapshot().Call(t.Context(), exec.Call{Use: spec.ToolUse{Name: "one"}, Stub: &exec.Stub{}})
	reg.Snapshot().Plan(t.Context(), exec.Call{Use: spec.ToolUse{Name: "one"}})
	want := `
		toolspec_calls_total{code="ok",tool="bad"} 0
		toolspec_calls_total{code="ok",tool="far"} 0
		toolspec_calls_total{code="failed",tool="bad"} 1
		toolspec_calls_total{code="unavailable",tool="far"} 1
		toolspec_calls_total{code="invalid_input",tool="one"} 3
		toolspec_calls_total{code="ok",tool="one"} 2
		toolspec_calls_total{code="ok",tool="two"} 1
	`
	wantMetrics(t, m, want, "toolspec_calls_total")
	text := scrape(t, m)
	for _, count := range []string{`toolspec_call_duration_seconds_count{tool="one"} 5`, `toolspec_call_duration_seconds_count{tool="far"} 1`} {
		if !strings.Contains(text, count) {
			t.Errorf("want %s in\n%s", count, text)
		}
	}
	if strings.Contains(text, "secret-x") {
		t.Errorf("what went into a call came out:\n%s", text)
	}
}

// A tool that is gone is told of once more, and then no more.
func TestSeriesEndWithTheirTools(t *testing.T) {
	env, reg := &exec.Env{}, registry.New()
	m := New(reg, Options{})
	env.Observe = m.Observe
	one, two := compile(t, env, "one", "executor: {expr: '1'}"), compile(t, env, "two", "executor: {expr: '1'}")
	reg.Replace("test", []*exec.Tool{one, two}, nil)
	before := reg.Snapshot()
	call := func(s *registry.Snapshot, name string) { s.Call(t.Context(), exec.Call{Use: spec.ToolUse{Name: name}}) }
	call(before, "one")
	call(before, "two")
	reg.Replace("test", []*exec.Tool{two}, nil)
	names := []string{"toolspec_calls_total", "toolspec_call_duration_seconds_count"}
	call(before, "one") // admitted before it went
	m.Observe(exec.Event{Tool: "one", Code: spec.CodeTimeout})
	wantMetrics(t, m, `
		toolspec_calls_total{code="timeout",tool="one"} 1
		toolspec_calls_total{code="ok",tool="one"} 2
		toolspec_calls_total{code="ok",tool="two"} 1
		toolspec_call_duration_seconds_count{tool="one"} 3
		toolspec_call_duration_seconds_count{tool="two"} 1`, names...)
	wantMetrics(t, m, `
		toolspec_calls_total{code="ok",tool="two"} 1
		toolspec_call_duration_seconds_count{tool="two"} 1`, names...)
}

// Calls end, tools come and go, and scrapes run, all at once; nothing that was counted once goes missing from what stays.
func TestCallsWhileToolsComeAndGo(t *testing.T) {
	env, reg := &exec.Env{}, registry.New()
	m := New(reg, Options{})
	one, two := compile(t, env, "one", "executor: {expr: '1'}"), compile(t, env, "two", "executor: {expr: '1'}")
	reg.Replace("test", []*exec.Tool{one, two}, nil)
	const workers, each = 4, 500
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			for range each {
				m.Observe(exec.Event{Tool: "one"})
				m.Observe(exec.Event{Tool: "one", Code: spec.CodeFailed})
				m.Observe(exec.Event{Tool: "two", Code: spec.CodeFailed})
			}
		})
	}
	for range 20 {
		reg.Replace("test", []*exec.Tool{one}, nil)
		scrape(t, m)
		reg.Replace("test", []*exec.Tool{one, two}, nil)
	}
	running.Wait()
	reg.Replace("test", []*exec.Tool{one}, nil)
	scrape(t, m)
	wantMetrics(t, m, `
		toolspec_calls_total{code="ok",tool="one"} 2000
		toolspec_calls_total{code="failed",tool="one"} 2000
		toolspec_call_duration_seconds_count{tool="one"} 4000`, "toolspec_calls_total", "toolspec_call_duration_seconds_count")
}

// Two in one process share nothing, with each other or with the library's global registry.
func TestNothingIsShared(t *testing.T) {
	a, b := New(registry.New(), Options{}), New(registry.New(), Options{})
	a.Observe(exec.Event{Tool: "one"})
	if text := scrape(t, b); strings.Contains(text, `"one"`) {
		t.Errorf("a call of another registry:\n%s", text)
	}
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), "toolspec_") {
			t.Errorf("%s is in the global registry", f.GetName())
		}
	}
}

// The library's own linter has nothing to say of our names and helps.
func TestPromlint(t *testing.T) {
	reg := registry.New()
	reg.Source("dir:tools").Update([]registry.Entry{{File: "a.yaml", Tool: compile(t, nil, "a", "executor: {expr: '1'}"), State: registry.StateStale}}, nil)
	m := New(reg, Options{Watch: func() []serve.WatchStatus {
		return []serve.WatchStatus{{Dir: "tools", Mode: "events", LastScan: time.Now()}}
	}})
	m.Observe(exec.Event{Tool: "a"})
	faults, err := testutil.GatherAndLint(m.gathered)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Errorf("%s: %s", f.Metric, f.Text)
	}
	text := scrape(t, m)
	for _, name := range append(standingNames(), "toolspec_watch_mode", "toolspec_last_scan_age_seconds", "toolspec_calls_total",
		"toolspec_call_duration_seconds", "go_goroutines", "process_start_time_seconds") {
		if !strings.Contains(text, "# TYPE "+name+" ") {
			t.Errorf("%s is not told of", name)
		}
	}
}

// scrape is what Prometheus would be answered.
func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/metrics", nil))
	if answer.Code != http.StatusOK {
		t.Fatalf("status %d: %s", answer.Code, answer.Body)
	}
	return answer.Body.String()
}

// BenchmarkObserve is what counting adds to a call.
func BenchmarkObserve(b *testing.B) {
	for name, code := range map[string]spec.Code{"ok": "", "failed": spec.CodeFailed} {
		b.Run(name, func(b *testing.B) {
			m := New(registry.New(), Options{})
			b.ReportAllocs()
			for b.Loop() {
				m.Observe(exec.Event{Tool: "one", Code: code, Duration: time.Millisecond})
			}
		})
	}
}
