package loader

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/toolspec/toolspec/registry"
)

// Nothing is left when Run has returned: no goroutine, no descriptor.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.yaml", "sub/b.yaml", "sub/sub/c.yaml"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(toolText("a", "1")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	watching := func() (n int) {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		for _, e := range entries {
			if target, _ := os.Readlink("/proc/self/fd/" + e.Name()); strings.Contains(target, "inotify") {
				n++
			}
		}
		return n
	}
	before, descriptors := runtime.NumGoroutine(), watching()
	for range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		l := New(registry.New(), dir, testKinds(), nil, Options{})
		ended := make(chan error, 1)
		go func() { ended <- l.Run(ctx) }()
		for l.Status().LastScan.IsZero() {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	for range 1_000 { // a goroutine that has sent its last word takes a moment to end
		if runtime.NumGoroutine() <= before && watching() == descriptors {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("goroutines: %d before, %d after; descriptors: %d before, %d after", before, runtime.NumGoroutine(), descriptors, watching())
}
