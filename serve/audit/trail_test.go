package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// open opens a record in a directory of its own.
func open(t *testing.T) (*Trail, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	trail, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = trail.Close() })
	return trail, path
}

// recorded offers tools whose calls a trail records.
func recorded(t *testing.T, trail *Trail, files map[string]string) *registry.Registry {
	t.Helper()
	env := &exec.Env{Policy: exec.DefaultPolicy(), Observe: trail.Observe, Admit: trail.Admit}
	env.Policy.Egress.Hosts = []string{"allowed.example"}
	reg := registry.New()
	reg.Observe = trail.Observe
	var tools []*exec.Tool
	for name, rest := range files {
		s, ds := spec.Parse(name+".yaml", []byte("name: "+name+"\ndescription: A tool for tests.\n"+rest))
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		tool, ds := exec.StandardKinds().Compile(env, s)
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		tools = append(tools, tool)
	}
	reg.Replace("test", tools, nil)
	return reg
}

func call(t *testing.T, reg *registry.Registry, name, input string) spec.ToolResult {
	t.Helper()
	return reg.Snapshot().Call(t.Context(), exec.Call{
		Use: spec.ToolUse{ID: "id-" + name, Name: name, Input: []byte(input)}, Session: "s1", User: "ada", Caller: exec.Caller{Transport: "http", Client: "curl/8"},
	})
}

// lines are those of a record.
func lines(t *testing.T, path string) (all []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for l := range bytes.Lines(text) {
		var m map[string]any
		if err := json.Unmarshal(l, &m); err != nil {
			t.Fatalf("%v in %q", err, l)
		}
		all = append(all, m)
	}
	return all
}

const (
	echo   = "inputSchema: {type: object, required: [text], properties: {text: {type: string}, n: {type: integer, default: 3}}}\nexecutor: {expr: input.text}\n"
	relay  = "inputSchema: {type: object, required: [text], properties: {text: {type: string}}}\nexecutor: {pipeline: [{id: one, tool: echo, input: {text: '${input.text}'}}, {id: two, tool: nothing}]}\n"
	banned = "inputSchema: {type: object, required: [u], properties: {u: {type: string}}}\nexecutor: {http: {url: '${input.u}'}}\n"
)

// TestWhatStandsInALine calls in each way a call can go, and looks at what is on record.
func TestWhatStandsInALine(t *testing.T) {
	trail, path := open(t)
	reg := recorded(t, trail, map[string]string{
		"echo": echo, "relay": relay, "banned": banned, "far": "requires: {commands: [no-such-program]}\nexecutor: {expr: '1'}\n",
		"fails": "executor: {expr: 'fromJSON(\"{\")'}\n", "waits": "executor: {expr: '1'}\n", "runs": "executor: {command: {argv: [\"true\"]}}\n",
	})
	var approved []registry.Approval
	for tool := range reg.Snapshot().All() {
		if tool.Spec.Name != "waits" {
			approved = append(approved, registry.Approve(tool))
		}
	}
	reg.Enforce(registry.NewLock("the.lock", approved))
	for _, c := range []struct{ name, input, decision, reason, outcome string }{
		{"echo", `{"text": "tok-12345"}`, "allowed", "", "ok"},
		{"echo", `{"n": 1}`, "denied", "invalid_input", "invalid_input"},
		{"ecko", `{}`, "denied", "not_found", "not_found"},
		{"waits", `{}`, "denied", "pending", "denied"},
		{"far", `{}`, "denied", "unavailable", "unavailable"},
		{"fails", `{}`, "allowed", "", "failed"},
		{"banned", `{"u": "http://elsewhere.example/"}`, "denied", "policy", "denied"},
		{"runs", `{}`, "allowed", "", "ok"},
	} {
		before := len(lines(t, path))
		call(t, reg, c.name, c.input)
		have := lines(t, path)
		if len(have) != before+1 {
			t.Fatalf("%s: %d lines more", c.name, len(have)-before)
		}
		l := have[before]
		reason, _ := l["reason"].(string)
		if l["event"] != "call" || l["tool"] != c.name || l["decision"] != c.decision || reason != c.reason || l["outcome"] != c.outcome || l["id"] != "id-"+c.name {
			t.Errorf("%s: %v", c.name, l)
		}
		if want := (map[string]any{"transport": "http", "session": "s1", "user": "ada", "client": "curl/8"}); fmt.Sprint(l["caller"]) != fmt.Sprint(want) {
			t.Errorf("%s: caller %v", c.name, l["caller"])
		}
		if at, err := time.Parse("2006-01-02T15:04:05.000Z", l["time"].(string)); err != nil || time.Since(at) > time.Hour {
			t.Errorf("%s: time %v", c.name, l["time"])
		}
		tool, known := reg.Snapshot().Tool(c.name)
		if known != (l["digest"] != nil) || known && l["digest"] != tool.Digest {
			t.Errorf("%s: digest %v", c.name, l["digest"])
		}
		if accepted := c.outcome == "ok" || c.outcome == "failed" || c.reason == "policy"; accepted != (l["argsDigest"] != nil) {
			t.Errorf("%s: argsDigest %v", c.name, l["argsDigest"])
		}
		if (l["sandbox"] != nil) != (c.name == "runs") {
			t.Errorf("%s: sandbox %v", c.name, l["sandbox"])
		}
		if _, ok := l["durationMs"].(float64); !ok {
			t.Errorf("%s: duration %v", c.name, l["durationMs"])
		}
	}
	if text, err := os.ReadFile(path); err != nil || bytes.Contains(text, []byte("tok-12345")) || bytes.Contains(text, []byte("elsewhere")) {
		t.Errorf("what went into a call is on record:\n%s", text)
	}
}

// TestStepsAreOnRecord: a line for each tool that a step called, found or not, before that of the pipeline.
func TestStepsAreOnRecord(t *testing.T) {
	trail, path := open(t)
	reg := recorded(t, trail, map[string]string{"echo": echo, "relay": relay})
	call(t, reg, "relay", `{"text": "x"}`)
	var told []string
	for _, l := range lines(t, path) {
		told = append(told, fmt.Sprint(l["tool"], " ", l["id"], " ", l["parent"], " ", l["depth"], " ", l["decision"], " ", l["outcome"], " ", l["caller"].(map[string]any)["user"]))
	}
	want := []string{
		"echo id-relay/one id-relay 1 allowed ok ada", "nothing id-relay/two id-relay 1 denied not_found ada", "relay id-relay <nil> <nil> allowed not_found ada",
	}
	if strings.Join(told, "\n") != strings.Join(want, "\n") {
		t.Errorf("have\n%s", strings.Join(told, "\n"))
	}
}

func TestDigestsOfArguments(t *testing.T) {
	trail, path := open(t)
	other, otherPath := open(t)
	for _, c := range []*Trail{trail, other} {
		reg := recorded(t, c, map[string]string{"echo": echo})
		for _, input := range []string{`{"text": "a"}`, `{"n": 3, "text": "a"}`, `{"n": "3", "text": "a"}`, `{"text": "b"}`} {
			call(t, reg, "echo", input)
		}
	}
	have, others := lines(t, path), lines(t, otherPath)
	digest := func(l map[string]any) string { return l["argsDigest"].(string) }
	if digest(have[0]) != digest(have[1]) || digest(have[0]) != digest(have[2]) || digest(have[0]) == digest(have[3]) || !strings.HasPrefix(digest(have[0]), "hmac-sha256:") {
		t.Error("the same arguments, as accepted, have the same digest, and others another:", have)
	}
	if digest(have[0]) == digest(others[0]) || have[0]["run"] == others[0]["run"] || have[0]["run"] != have[1]["run"] {
		t.Error("another process has another key")
	}
}

// TestLinesNeverMix has two records of one file written at once, as two servers would, by many callers each.
func TestLinesNeverMix(t *testing.T) {
	first, path := open(t)
	second, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	const callers, calls = 8, 100
	var all sync.WaitGroup
	for _, trail := range []*Trail{first, second} {
		reg := recorded(t, trail, map[string]string{"echo": echo})
		for range callers {
			all.Go(func() {
				for range calls {
					call(t, reg, "echo", `{"text": "`+strings.Repeat("x", 1000)+`"}`)
					call(t, reg, strings.Repeat("no", 500), `{}`)
				}
			})
		}
	}
	all.Wait()
	have := lines(t, path)
	if len(have) != 2*2*callers*calls {
		t.Errorf("%d lines of %d calls", len(have), 2*2*callers*calls)
	}
	for _, l := range have {
		if l["event"] != "call" || len(l["tool"].(string)) > most+len("…") {
			t.Fatal(l)
		}
	}
}

// disk is a file that is full, at times, and takes a part of the first line that it has no room for.
type disk struct {
	full  bool
	torn  bool
	kept  bytes.Buffer
	calls int
}

func (d *disk) Write(b []byte) (int, error) {
	d.calls++
	switch {
	case d.full && !d.torn:
		d.torn = true
		d.kept.Write(b[:5])
		return 5, errors.New("no space left on device")
	case d.full:
		return 0, errors.New("no space left on device")
	}
	return d.kept.Write(b)
}

func (d *disk) Close() error { return nil }

// TestAFullDisk: the result of the call that could not be recorded is withheld, no other call is made, and nothing of that is lost once
// there is room.
func TestAFullDisk(t *testing.T) {
	trail, _ := open(t)
	d := &disk{}
	trail.file, trail.seen = d, nil
	var said bytes.Buffer
	trail.log = slog.New(slog.NewTextHandler(&said, nil))
	made := 0
	env := &exec.Env{Observe: trail.Observe, Admit: trail.Admit, Funcs: map[string]exec.Executor{"count": exec.ExecutorFunc(func(_ context.Context, _ *exec.Call) (any, error) {
		made++
		return "a secret", nil
	})}}
	s, ds := spec.Parse("count.yaml", []byte("name: count\ndescription: Count.\nexecutor: {func: count}\n"))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tool, ds := exec.StandardKinds().Compile(env, s)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	count := func() spec.ToolResult {
		return tool.Call(t.Context(), exec.Call{Use: spec.ToolUse{ID: fmt.Sprint(made), Name: "count"}})
	}
	count()
	d.full = true
	r := count()
	if made != 2 || r.Metadata.Error == nil || r.Metadata.Error.Code != spec.CodeInternal || strings.Contains(*r.Content[0].Text, "secret") || r.Metadata.Digest != tool.Digest {
		t.Errorf("made %d, %+v", made, r)
	}
	for range 3 {
		if r := count(); made != 2 || r.Metadata.Error == nil || r.Metadata.Error.Code != spec.CodeUnavailable || !r.Metadata.Error.Retryable {
			t.Errorf("made %d, %+v", made, r)
		}
	}
	d.full = false
	if r := count(); made != 3 || r.Status != spec.StatusSuccess {
		t.Errorf("made %d, %+v", made, r)
	}
	var outcomes []string
	for l := range bytes.Lines(d.kept.Bytes()) {
		var m struct{ Decision, Reason, Outcome string }
		if err := json.Unmarshal(l, &m); err != nil {
			t.Fatalf("%v in %q", err, l)
		}
		outcomes = append(outcomes, m.Decision+" "+m.Reason+" "+m.Outcome)
	}
	if have := strings.Join(outcomes, ", "); have != "allowed  ok, allowed  ok, denied audit unavailable, denied audit unavailable, denied audit unavailable, allowed  ok" {
		t.Error(have)
	}
	if n := strings.Count(said.String(), "calls cannot be recorded"); n != 1 || !strings.Contains(said.String(), "calls are recorded again") {
		t.Errorf("%d times:\n%s", n, &said)
	}
}

// TestTooManyRefusals are counted, and told of, where nothing can be written for long.
func TestTooManyRefusals(t *testing.T) {
	trail, _ := open(t)
	d := &disk{full: true, torn: true}
	trail.file, trail.seen = d, nil
	refused := exec.Event{Tool: strings.Repeat("x", 200), Refusal: "not_found", Code: spec.CodeNotFound}
	for range 10_000 {
		if trail.Observe(refused) == nil {
			t.Fatal("there is no room")
		}
	}
	if len(trail.owed) > maxOwed+1000 || trail.lost == 0 {
		t.Errorf("%d bytes are kept, %d lines are not", len(trail.owed), trail.lost)
	}
	if err := trail.Observe(exec.Event{Tool: "made"}); err == nil || !bytes.Contains(trail.owed, []byte(`"tool":"made"`)) {
		t.Error("a call that was made is kept at any price", err)
	}
	d.full = false
	if err := trail.Admit(); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(d.kept.Bytes(), []byte("\n")); n != bytes.Count(d.kept.Bytes(), []byte(`"event":`)) || !bytes.Contains(d.kept.Bytes(), []byte(`"event":"lost"`)) {
		t.Errorf("%d lines", n)
	}
}

func TestAFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("NOT AVAILABLE HERE: there is no /dev/full")
	}
	trail, err := Open("/dev/full", nil)
	if err != nil {
		t.Fatal(err)
	}
	reg := recorded(t, trail, map[string]string{"echo": echo})
	for _, want := range []spec.Code{spec.CodeInternal, spec.CodeUnavailable} {
		if r := call(t, reg, "echo", `{"text": "a"}`); r.Metadata.Error == nil || r.Metadata.Error.Code != want {
			t.Errorf("want %s, have %+v", want, r.Metadata.Error)
		}
	}
	if trail.Close() == nil {
		t.Error("what is owed is told of at the end")
	}
}

// TestRotation: a file that was moved away, or removed, is begun anew; one that was cut to nothing is written from its start.
func TestRotation(t *testing.T) {
	trail, path := open(t)
	reg := recorded(t, trail, map[string]string{"echo": echo})
	once := func() { call(t, reg, "echo", `{"text": "a"}`) }
	count := func(path string, want int) {
		t.Helper()
		if have := len(lines(t, path)); have != want {
			t.Errorf("%s has %d lines, want %d", path, have, want)
		}
	}
	once()
	if err := os.Rename(path, path+".1"); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("NOT AVAILABLE HERE: an open file cannot be moved")
		}
		t.Fatal(err)
	}
	once()
	once()
	count(path+".1", 1)
	count(path, 2)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	once()
	count(path, 1)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	once()
	count(path, 1)
	// where no file can be made, no call is
	if err := os.Rename(path, path+".2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if r := call(t, reg, "echo", `{"text": "a"}`); r.Metadata.Error == nil {
		t.Error("a call that could not be recorded has a result")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	once()
	count(path, 2)
}

func TestWhoMayWriteTheRecord(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("NOT AVAILABLE HERE: modes do not show it")
	}
	_, path := open(t)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if err := os.Chmod(path, 0o622); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, nil); err == nil || !strings.Contains(err.Error(), "every user of this machine may write it") {
		t.Error(err)
	}
	dir := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(dir, "audit.jsonl"), nil); err == nil {
		t.Error("everybody could put another file there")
	}
	if err := os.Symlink(filepath.Join(dir, "audit.jsonl"), path+".link"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path+".link", nil); err == nil {
		t.Error("everybody could put another file where the link leads")
	}
}

// TestPendingToolsAreOnRecord with how they differ from what was approved.
func TestPendingToolsAreOnRecord(t *testing.T) {
	trail, path := open(t)
	before, after := recorded(t, trail, map[string]string{"echo": echo}), recorded(t, trail, map[string]string{"echo": strings.Replace(echo, "default: 3", "default: 4", 1)})
	tool := func(reg *registry.Registry) *exec.Tool {
		for e := range reg.Snapshot().Entries() {
			return e.Tool
		}
		return nil
	}
	old, now := tool(before), tool(after)
	before.Enforce(registry.NewLock("the.lock", []registry.Approval{registry.Approve(old)}))
	waiting := map[string]string{}
	look := func(want ...string) {
		t.Helper()
		trail.compare(before, waiting)
		var have []string
		for _, l := range lines(t, path) {
			have = append(have, fmt.Sprint(l["event"], " ", l["tool"], " ", l["digest"] == now.Digest, " ", l["approved"] == old.Digest))
		}
		if strings.Join(have, ", ") != strings.Join(want, ", ") {
			t.Errorf("have %q", have)
		}
	}
	look()
	before.Replace("test", []*exec.Tool{now}, nil)
	look("pending echo true true")
	look("pending echo true true")
	before.Enforce(registry.NewLock("the.lock", []registry.Approval{registry.Approve(now)}))
	look("pending echo true true", "approved echo true false")
	if diff := lines(t, path)[0]["diff"].(string); !strings.Contains(diff, "-inputSchema:") && !strings.Contains(diff, "\n-  ") || !strings.Contains(diff, "\n+  ") {
		t.Errorf("diff %s", diff)
	}
}

// TestNoSecretInALine: a caller may send one where a name belongs, and a tool file may hold one.
func TestNoSecretInALine(t *testing.T) {
	const secret = "tok-12345/\"of-the-operator"
	trail, path := open(t)
	env := &exec.Env{Policy: exec.DefaultPolicy()}
	t.Setenv("TOOLSPEC_SECRET_TOKEN", secret)
	trail.Mask = env.Mask
	reg := recorded(t, trail, map[string]string{"echo": "executor: {expr: '\"" + strings.ReplaceAll(secret, `"`, `\"`) + "\"'}\n"})
	for _, name := range []string{secret, strings.Repeat("-", most-3) + secret} {
		reg.Snapshot().Call(t.Context(), exec.Call{Use: spec.ToolUse{ID: secret, Name: name}, Session: secret, User: secret, Caller: exec.Caller{Client: secret}})
	}
	call(t, reg, "echo", `{}`)
	reg.Enforce(registry.NewLock("the.lock", nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	trail.Follow(ctx, reg)
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "tok-12345") || strings.Contains(string(text), `---tok`) || len(lines(t, path)) != 4 {
		t.Errorf("%v, %s", err, text)
	}
}
