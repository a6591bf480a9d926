// Package versus measures a piece of work against its floor: the least that the same work costs with the libraries
// alone. The two take turns in one process, a few milliseconds each, so that whatever else the machine does meets both,
// and what is reported is the ratio of the two.
package versus

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// turn is how long one side runs before the other does: long enough for garbage collections of its own.
const turn = 20 * time.Millisecond

// side is one of the two, as measured so far.
type side struct {
	work   func() error
	wall   []float64 // nanoseconds an operation, turn by turn
	cpu    time.Duration
	allocs uint64
}

// Floor is a benchmark of work, whose time and allocations it reports as usual, and beside them how often it costs what
// floor does: in time on the clock (×wall, the median of all turns, and ×least and ×most, its quartiles; ×quick, by each
// side's quickest tenth, which were disturbed least), in time of processors (×cpu, programs that were started included),
// in allocations (×allocs).
func Floor(b *testing.B, work, floor func() error) {
	b.Helper()
	ours, least := &side{work: work}, &side{work: floor}
	size := ours.warm(b)
	least.warm(b)
	b.ReportAllocs()
	b.ResetTimer()
	b.StopTimer()
	for done, first := 0, true; done < b.N; done, first = done+size, !first {
		n := min(size, b.N-done)
		if !first { // who comes second may find the machine warmer
			least.take(b, n)
		}
		runtime.GC() // what one side has left lying about is not the other's to clear
		b.StartTimer()
		ours.take(b, n)
		b.StopTimer()
		runtime.GC()
		if first {
			least.take(b, n)
		}
	}
	ratios := make([]float64, len(ours.wall))
	for i := range ratios {
		ratios[i] = ours.wall[i] / least.wall[i]
	}
	b.ReportMetric(at(ratios, 0.5), "×wall")
	b.ReportMetric(at(ratios, 0.25), "×least")
	b.ReportMetric(at(ratios, 0.75), "×most")
	b.ReportMetric(at(ours.wall, 0.1)/at(least.wall, 0.1), "×quick")
	b.ReportMetric(at(ours.wall, 0.5), "ours-ns")
	b.ReportMetric(at(least.wall, 0.5), "floor-ns")
	if least.cpu > 0 {
		b.ReportMetric(float64(ours.cpu)/float64(least.cpu), "×cpu")
	}
	if least.allocs > 0 {
		b.ReportMetric(float64(ours.allocs)/float64(least.allocs), "×allocs")
	}
}

// warm does the work for a turn, and tells how often it is done in one when nothing disturbs it.
func (s *side) warm(b *testing.B) (n int) {
	b.Helper()
	quickest := turn
	for start := time.Now(); time.Since(start) < turn; {
		before := time.Now()
		if err := s.work(); err != nil {
			b.Fatal(err)
		}
		quickest = min(quickest, time.Since(before))
	}
	return int(turn / max(quickest, 1))
}

// take is one turn.
func (s *side) take(b *testing.B, n int) {
	b.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, start := CPU(), time.Now()
	for range n {
		if err := s.work(); err != nil {
			b.Fatal(err)
		}
	}
	s.wall = append(s.wall, float64(time.Since(start))/float64(n))
	s.cpu += CPU() - cpu
	runtime.ReadMemStats(&after)
	s.allocs += after.Mallocs - before.Mallocs
}

// at is the value below which so large a part of all values lies.
func at(values []float64, part float64) float64 {
	return slices.Sorted(slices.Values(values))[int(float64(len(values))*part)]
}
