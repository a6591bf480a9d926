package loader

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// TestJudgementEndsWithRun cancels a judgement that would last: Run ends, and nothing is said of files that were not judged.
func TestJudgementEndsWithRun(t *testing.T) {
	dir, pins := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "a.yaml")
	if err := os.WriteFile(path, []byte(toolText("a", "one")), 0o600); err != nil {
		t.Fatal(err)
	}
	begun, lasting := make(chan bool, 1), false
	judge := func(ctx context.Context, tool *exec.Tool, _ exec.Tools) spec.Diagnostics {
		if !lasting {
			return nil
		}
		begun <- true
		<-ctx.Done()
		return spec.Diagnostics{spec.Errorf(tool.Spec.Pos, "test", "it was not judged")}
	}
	reg := registry.New()
	l := New(reg, dir, testKinds(), nil, Options{Judge: judge, Pin: pins})
	l.Sync()
	before := reg.Snapshot()
	lasting = true
	if err := os.WriteFile(path, []byte(toolText("a", "two")), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- l.Run(ctx) }()
	<-begun
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if reg.Snapshot() != before {
		t.Error("something was published that was not judged")
	}
	if kept, err := os.ReadDir(pins); err != nil || len(kept) > 0 {
		t.Errorf("have %v pinned, %v", kept, err)
	}
}

// TestJudgementIsRepeated judges what was refused at every look at everything, and nothing else.
func TestJudgementIsRepeated(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(toolText(name, "one")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	judged, against := map[string]int{}, true
	judge := func(_ context.Context, tool *exec.Tool, _ exec.Tools) spec.Diagnostics {
		mu.Lock()
		defer mu.Unlock()
		judged[tool.Spec.Name]++
		if tool.Spec.Name == "a" && against {
			return spec.Diagnostics{spec.Errorf(tool.Spec.Pos, "test", "no")}
		}
		return nil
	}
	reg := registry.New()
	l := New(reg, dir, testKinds(), nil, Options{Judge: judge})
	l.Sync()
	if change := l.Sync(); !change.Empty() {
		t.Errorf("the same judgement made a change: %+v", change)
	}
	if _, served := reg.Snapshot().Tool("a"); served || judged["a"] != 2 || judged["b"] != 1 {
		t.Errorf("judged %v, served %v", judged, served)
	}
	against = false
	l.Sync()
	l.Sync()
	if _, served := reg.Snapshot().Tool("a"); !served || judged["a"] != 3 || judged["b"] != 1 {
		t.Errorf("judged %v, served %v", judged, served)
	}
}
