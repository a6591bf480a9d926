// Command bench prints what this program's work costs, as ratios to a floor: the least that the same work costs with the
// libraries alone. The two sides of a ratio take turns in one process (see testdata/versus), so that a machine that is
// busy disturbs both alike; where it is very busy the ratio by the quickest turns says most.
//
//	go run ./testdata/bench [-promises] [-benchtime 2s]
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// promises are what this project watches over: how large each ratio may be, or how much time may come on top.
var promises = []promise{
	{benchmark: "File/http", words: "a file parsed and compiled / yaml.v3 and jsonschema/v5 alone", ratio: 1.5},
	{benchmark: "Func", words: "a func call, 3 properties / json.Unmarshal and Validate", ratio: 1.5},
	{benchmark: "Command/serve", words: "a command call without sandbox / os/exec", ratio: 1.1},
	{benchmark: "HTTP/decoded", words: "an http call / net/http and json.Unmarshal of the answer", ratio: 1.25},
	{benchmark: "Sandbox/full", words: "a command call in a full sandbox / without", more: 8 * time.Millisecond},
}

const promised = "^Benchmark(File|Func|Command|HTTP|Sandbox)$"

type promise struct {
	benchmark, words string
	ratio            float64
	more             time.Duration // instead of ratio
}

// verdict says whether the promise is kept. Where the machine is busy, the quickest turns of both sides may keep it alone.
func (p promise) verdict(r result) string {
	aim, wall, quick := fmt.Sprintf("aim ≤ %.2f", p.ratio), r.units["×wall"], r.units["×quick"]
	most := p.ratio
	if p.more > 0 {
		floor := r.units["floor-ns"]
		aim, most = fmt.Sprintf("aim ≤ +%s, has %+.1f ms", p.more, (r.units["ours-ns"]-floor)/1e6), 1+float64(p.more)/floor
	}
	switch {
	case wall <= most:
		return aim + ": met"
	case quick <= most:
		return aim + ": MISSED, met by the quickest turns"
	}
	return aim + ": MISSED"
}

// result is what one benchmark reported, by unit.
type result struct {
	name  string
	units map[string]float64
}

func main() {
	log.SetFlags(0)
	only := flag.Bool("promises", false, "run only what is promised")
	benchtime := flag.String("benchtime", "2s", "how long each benchmark runs")
	flag.Parse()
	results := run("-bench", promised, "-benchtime", *benchtime, "./exec")
	fmt.Printf("Ratios to a floor%s.\nratio: the median of all turns, and their middle half; quick: by the quickest tenth of each side; cpu: time of processors.\n\n", load())
	heading()
	for _, p := range promises {
		at := slices.IndexFunc(results, func(r result) bool { return r.name == p.benchmark })
		if at < 0 {
			fmt.Printf("%-64sNOT MEASURED: there is no benchmark %s, or it cannot be run here\n", p.words, p.benchmark)
			continue
		}
		ratio(p.words, results[at], "  "+p.verdict(results[at]))
		results = slices.Delete(results, at, at+1)
	}
	if *only {
		return
	}
	fmt.Println("\nThe rest")
	fmt.Println()
	results = append(results, run("-bench", ".", "-skip", promised, "-benchtime", "300ms", "./spec", "./exec", "./registry", "./loader", "./serve/...")...)
	heading()
	for _, r := range results {
		if _, ok := r.units["×wall"]; ok {
			ratio(r.name, r, "")
		}
	}
	fmt.Printf("\n%-64s%12s\n", "without a floor", "ours")
	for _, r := range results {
		if _, ok := r.units["×wall"]; !ok {
			alone(r)
		}
	}
}

// run runs benchmarks, and gives what they report, in their order.
func run(args ...string) []result {
	fmt.Fprintf(os.Stderr, "go test %s\n", strings.Join(args, " "))
	out, err := exec.Command("go", append([]string{"test", "-run", "^$", "-benchmem"}, args...)...).CombinedOutput()
	if err != nil {
		log.Fatalf("%s\n%v", out, err)
	}
	var all []result
	for _, m := range line.FindAllStringSubmatch(string(out), -1) {
		r := result{strings.TrimSuffix(m[1], "-"+strconv.Itoa(runtime.GOMAXPROCS(0))), map[string]float64{}}
		fields := strings.Fields(m[2])
		for i := 0; i+1 < len(fields); i += 2 {
			r.units[fields[i+1]], _ = strconv.ParseFloat(fields[i], 64) // a number, as testing writes it
		}
		all = append(all, r)
	}
	return all
}

var line = regexp.MustCompile(`(?m)^Benchmark(\S+)\s+\d+\t(.*)$`)

func heading() {
	fmt.Printf("%-64s%12s%12s%9s %-15s%7s%7s%9s\n", "", "ours", "floor", "ratio", "", "quick", "cpu", "allocs")
}

func ratio(words string, r result, aim string) {
	spread := fmt.Sprintf("(%.2f–%.2f)", r.units["×least"], r.units["×most"])
	fmt.Printf("%-64s%12s%12s%9.2f %-15s%7.2f%7.2f%9.2f%s\n", words, show(r.units["ours-ns"]), show(r.units["floor-ns"]),
		r.units["×wall"], spread, r.units["×quick"], r.units["×cpu"], r.units["×allocs"], aim)
}

// alone is a benchmark without a floor: its time, its allocations and what else it reports.
func alone(r result) {
	var more []string
	for unit, value := range r.units {
		if unit != "ns/op" && unit != "B/op" {
			more = append(more, fmt.Sprintf("%.4g %s", value, unit))
		}
	}
	slices.Sort(more)
	fmt.Printf("%-64s%12s  %s\n", r.name, show(r.units["ns/op"]), strings.Join(more, ", "))
}

func show(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	}
	return fmt.Sprintf("%.2f ms", ns/1e6)
}

// load says how busy the machine is, where that is known.
func load() string {
	averages, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	now, _, _ := strings.Cut(string(averages), " ")
	return fmt.Sprintf(", with %s of %d processors wanted by whatever runs on this machine", now, runtime.NumCPU())
}
