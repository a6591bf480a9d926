package loader

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/testdata/reload"
	"github.com/toolspec/toolspec/testdata/versus"
)

// filledDir is a directory of n tool files, a hundred in each directory below it.
func filledDir(b *testing.B, n int) string {
	dir := b.TempDir()
	for i := range n {
		name := fmt.Sprintf("tool_%06d", i)
		sub := filepath.Join(dir, fmt.Sprintf("%03d", i/100))
		if i%100 == 0 {
			if err := os.Mkdir(sub, 0o755); err != nil {
				b.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(sub, name+".yaml"), reload.Ordinary(name, 0), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// BenchmarkFirstLoad reads a whole directory, and tells what each of its tools costs in time and holds in memory.
func BenchmarkFirstLoad(b *testing.B) {
	for _, n := range []int{1_000, 3_900} {
		dir := filledDir(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			before, cpu := held(), versus.CPU()
			var reg *registry.Registry
			for b.Loop() {
				reg = registry.New()
				c := New(reg, dir, exec.StandardKinds(), nil, Options{}).Sync()
				if len(c.Added) != n {
					b.Fatal(c.Diagnostics)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/tool")
			b.ReportMetric(float64((versus.CPU()-cpu).Microseconds())/float64(b.N*n), "cpu-µs/tool")
			b.ReportMetric(float64(held()-before)/float64(n), "held-B/tool")
			runtime.KeepAlive(reg)
		})
		b.Run(fmt.Sprint(n, "-read-alone"), func(b *testing.B) {
			for b.Loop() {
				tree, err := walkTree(disk(dir), func(string, bool) {})
				if err != nil {
					b.Fatal(err)
				}
				for _, f := range tree.files {
					if _, err := os.ReadFile(disk(dir).join(f.path)); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/tool")
		})
	}
}

// held is how much memory is in use once what is not has been collected.
func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkScan looks at everything where nothing changed: by stat alone, or by content.
func BenchmarkScan(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		dir := filledDir(b, n)
		for _, how := range []string{"stat", "content"} {
			b.Run(fmt.Sprint(n, "-", how), func(b *testing.B) {
				l := New(registry.New(), dir, exec.StandardKinds(), nil, Options{})
				l.Sync()
				for _, rec := range l.records {
					rec.proved = true // as two seconds after the last edit
				}
				l.always = how == "content"
				cpu := cpuTime()
				for b.Loop() {
					if c := l.Sync(); !c.Empty() {
						b.Fatal(c)
					}
				}
				b.ReportMetric(float64((cpuTime()-cpu).Microseconds())/float64(b.N)/1000, "cpu-ms/op")
			})
		}
	}
}

// BenchmarkEdit is what one edit costs once it has settled, its own writing included.
func BenchmarkEdit(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		dir := filledDir(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := New(registry.New(), dir, exec.StandardKinds(), nil, Options{})
			l.Sync()
			version := 0
			cpu := cpuTime()
			for b.Loop() {
				version++
				if err := os.WriteFile(filepath.Join(dir, "000", "tool_000042.yaml"), reload.Ordinary("tool_000042", version), 0o644); err != nil {
					b.Fatal(err)
				}
				findings, _ := l.findPaths(nil, []string{"000/tool_000042.yaml"})
				if c := l.apply(b.Context(), findings); len(c.Updated) != 1 {
					b.Fatal(c)
				}
			}
			b.ReportMetric(float64((cpuTime()-cpu).Microseconds())/float64(b.N)/1000, "cpu-ms/op")
		})
	}
}
