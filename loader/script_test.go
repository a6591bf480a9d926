package loader

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/testdata/reload"
)

// testKinds are one kind that needs nothing, so that reloading is tested by itself.
func testKinds() exec.Kinds {
	return exec.Kinds{"expr": {Build: func(site *exec.Site, config spec.Section) (exec.Executor, spec.Diagnostics) {
		if text, _ := config.Text(); strings.HasPrefix(text.Value, "script ") {
			site.CountScript(filepath.Join(filepath.Dir(site.Spec.Pos.File), strings.TrimPrefix(text.Value, "script ")))
		}
		return exec.ExecutorFunc(func(context.Context, *exec.Call) (any, error) { return site.Spec.Description, nil }), nil
	}}}
}

func toolText(name, description string) string { return reload.ToolText(name, description) }

// TestScripts runs testdata/reload/*.txtar against loaders at work in this process; cmd/toolspec runs the same against
// the built binary.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("../testdata/reload/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			reload.Run(t, file, &inProcess{})
		})
	}
}

// inProcess is loaders at work.
type inProcess struct {
	reg      *registry.Registry
	loaders  []*Loader
	cancel   context.CancelFunc
	ended    chan error
	watching chan error // of the lock; nil: there is none
}

func (p *inProcess) Kind() string { return "process" }

func (p *inProcess) Start(t testing.TB, dirs []string, o reload.Options) {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	p.reg, p.loaders, p.cancel, p.ended = registry.New(), nil, cancel, make(chan error, len(dirs))
	if o.Lock != "" {
		lock := NewLockWatch(p.reg, o.Lock, Options{Poll: o.Poll, Settle: o.Settle})
		p.watching = make(chan error, 1)
		go func() { p.watching <- lock.Run(ctx) }()
	}
	for _, dir := range dirs {
		opts := Options{Poll: o.Poll, Rescan: o.Rescan, Settle: o.Settle, MaxBatch: reload.Batch, Pin: o.Pin}
		if o.RequireTests {
			opts.Judge = check.Judge
		}
		l := New(p.reg, dir, testKinds(), nil, opts)
		p.loaders = append(p.loaders, l)
		go func() { p.ended <- l.Run(ctx) }()
		<-l.Loaded()
	}
}

func (p *inProcess) Stop(t testing.TB) {
	p.cancel()
	for range p.loaders {
		if err := <-p.ended; err != nil {
			t.Error(err)
		}
	}
	if p.watching != nil {
		if err := <-p.watching; err != nil {
			t.Error(err)
		}
	}
}

// Approve does what toolspec lock does.
func (p *inProcess) Approve(t testing.TB, dirs []string, path string, names []string) {
	t.Helper()
	before, err := ReadLock(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	approved := map[string]registry.Approval{}
	if before != nil {
		for _, a := range before.Approvals() {
			approved[a.Name] = a
		}
	}
	reg := registry.New()
	for _, dir := range dirs {
		New(reg, dir, testKinds(), nil, Options{}).Sync()
	}
	for tool := range reg.Snapshot().All() {
		if len(names) == 0 || slices.Contains(names, tool.Spec.Name) {
			approved[tool.Spec.Name] = registry.Approve(tool)
		}
	}
	if err := WriteLock(registry.NewLock(path, slices.Collect(maps.Values(approved))), before); err != nil {
		t.Fatal(err)
	}
}

func (p *inProcess) Kill(t testing.TB) { p.Stop(t) }

func (p *inProcess) View() (reload.View, error) {
	st := p.loaders[0].Status()
	snapshot := p.reg.Snapshot()
	v := reload.View{Generation: snapshot.Generation(), Mode: st.Mode, Missing: st.Missing, Scanned: !st.LastScan.IsZero()}
	for tool := range snapshot.All() {
		e, _ := snapshot.Entry(tool.Spec.Name)
		v.Tools = append(v.Tools, reload.Tool{Name: tool.Spec.Name, Description: tool.Spec.Description, State: string(e.State)})
	}
	for e := range snapshot.Entries() {
		if e.State == registry.StateBroken || e.State == registry.StateShadowed || e.State == registry.StatePending {
			v.Others = append(v.Others, string(e.State)+":"+filepath.ToSlash(e.File))
		}
		for _, d := range e.Diagnostics {
			v.Diagnostics = append(v.Diagnostics, d.Error())
		}
	}
	return v, nil
}

func (p *inProcess) Call(name, input string) (reload.Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	snapshot := p.reg.Snapshot()
	result := snapshot.Call(ctx, exec.Call{Use: spec.ToolUse{ID: "1", Name: name, Input: []byte(input)}})
	return reload.ReadAnswer(result)
}
