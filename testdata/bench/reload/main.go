// Command reload measures what staying true to a directory costs, with more and more tools in it, and prints a table.
// Times are of the processor this program used, whatever else the machine does; only latencies are by the clock.
//
//	go run ./testdata/bench/reload [-tools 100,1000,10000,50000] [-edits 40] [-idle 31s]
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/testdata/reload"
)

var (
	sizes = flag.String("tools", "100,1000,10000,50000", "how many tools, one row each")
	edits = flag.Int("edits", 40, "how many edits are measured")
	idle  = flag.Duration("idle", 31*time.Second, "how long idling is measured")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	fmt.Printf("%7s %13s %9s %9s %11s %10s %11s %8s %10s %9s\n", "tools", "visible after", "p99", "CPU/edit",
		"scan: stat", "content", "first load", "by clock", "KiB/tool", "idle CPU")
	for _, size := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(size)
		check(err)
		row, err := measure(n)
		check(err)
		fmt.Println(row)
	}
	fmt.Println("\nvisible after: beyond the settle time, median and p99. first load: as a share of a plain yaml.v3 + jsonschema/v5 pass over the same files, of the processor and by the clock.")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

const settle = 50 * time.Millisecond

// row is what was measured with so many tools.
type row struct {
	tools                   int
	median, p99             time.Duration
	edit, byStat, byContent time.Duration
	load, loadClock         float64 // of a plain pass
	bytes                   float64
	idle                    float64
}

func (r row) String() string {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000) }
	return fmt.Sprintf("%7d %13s %9s %9s %11s %10s %11.2f %8.2f %10.1f %8.3f%%", r.tools, ms(r.median), ms(r.p99), ms(r.edit),
		ms(r.byStat), ms(r.byContent), r.load, r.loadClock, r.bytes/1024, 100*r.idle)
}

func measure(n int) (row, error) {
	r := row{tools: n}
	dir, err := os.MkdirTemp("", "toolspec-bench-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	if err := fill(dir, n); err != nil {
		return r, err
	}
	r.load, r.loadClock = firstLoad(dir)
	before := heap()
	reg := registry.New()
	l := loader.New(reg, dir, exec.StandardKinds(), &exec.Env{}, loader.Options{Rescan: time.Hour})
	l.Sync()
	r.bytes = (heap() - before) / float64(n)
	time.Sleep(2500 * time.Millisecond) // until stat alone says that nothing changed
	l.Sync()
	r.byStat = scans(func() { l.Sync() })
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	for l.Status().Mode == "" {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Second)
	err = r.edits(reg, dir)
	cancel()
	if err := <-ended; err != nil {
		return r, err
	}
	r.byContent = polling(dir)
	r.idle = idling(dir)
	runtime.KeepAlive(l)
	return r, err
}

func fill(dir string, n int) error {
	for i := range n {
		sub := filepath.Join(dir, fmt.Sprintf("%03d", i/100))
		if i%100 == 0 {
			if err := os.Mkdir(sub, 0o755); err != nil {
				return err
			}
		}
		name := fmt.Sprintf("tool_%06d", i)
		if err := os.WriteFile(filepath.Join(sub, name+".yaml"), reload.Ordinary(name, 0), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// firstLoad is what the program's first load takes, as a share of a plain pass over the same files: the medians of three
// of each.
func firstLoad(dir string) (used, clock float64) {
	var loads, floors spans
	for range 3 {
		floors.add(func() { check(plainPass(dir)) })
		loads.add(func() {
			target := debug.SetGCPercent(400)
			loader.New(registry.New(), dir, exec.StandardKinds(), &exec.Env{}, loader.Options{}).Sync()
			debug.SetGCPercent(target)
		})
	}
	return median(loads.used) / median(floors.used), median(loads.clock) / median(floors.clock)
}

// spans are the seconds that something took, of the processor and by the clock.
type spans struct{ used, clock []float64 }

func (s *spans) add(do func()) {
	runtime.GC()
	start, used := time.Now(), cpuTime()
	do()
	s.used = append(s.used, (cpuTime() - used).Seconds())
	s.clock = append(s.clock, time.Since(start).Seconds())
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// edits changes one tool after the other, and waits until each is seen.
func (r *row) edits(reg *registry.Registry, dir string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	changes := reg.Subscribe(ctx)
	var beyond []time.Duration
	debug.FreeOSMemory() // else the runtime gives back what the load left, meanwhile
	used := cpuTime()
	for i := range *edits {
		name := fmt.Sprintf("tool_%06d", i*7919%r.tools)
		file := filepath.Join(dir, fmt.Sprintf("%03d", i*7919%r.tools/100), name+".yaml")
		if err := os.WriteFile(file, reload.Ordinary(name, i+1), 0o644); err != nil {
			return err
		}
		written := time.Now()
		c := <-changes
		beyond = append(beyond, time.Since(written)-settle)
		if len(c.Updated) != 1 || c.Updated[0] != name {
			return fmt.Errorf("want %s updated, have %+v", name, c)
		}
	}
	r.edit = (cpuTime() - used) / time.Duration(*edits)
	slices.Sort(beyond)
	r.median, r.p99 = beyond[len(beyond)/2], beyond[len(beyond)*99/100]
	return nil
}

// idling is the share of one processor that a loader uses to which nothing happens, its look at everything included.
func idling(dir string) float64 {
	l := loader.New(registry.New(), dir, exec.StandardKinds(), &exec.Env{}, loader.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	<-l.Loaded()
	runtime.GC()
	used := cpuTime()
	time.Sleep(*idle)
	share := float64(cpuTime()-used) / float64(*idle)
	cancel()
	check(<-ended)
	return share
}

// polling is what a look at everything costs that reads all content, as without events.
func polling(dir string) time.Duration {
	l := loader.New(registry.New(), dir, exec.StandardKinds(), &exec.Env{}, loader.Options{Poll: 10 * time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	<-l.Loaded()
	used := scans(func() {
		for last := l.Status().LastScan; l.Status().LastScan.Equal(last); {
			time.Sleep(time.Millisecond)
		}
	})
	cancel()
	check(<-ended)
	return used
}

// scans is what one of five looks costs, without what the collector left undone before.
func scans(look func()) time.Duration {
	runtime.GC()
	look()
	used := cpuTime()
	for range 5 {
		look()
	}
	return (cpuTime() - used) / 5
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
