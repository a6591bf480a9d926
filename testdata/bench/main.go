// Command bench runs every benchmark that has a floor (BenchmarkX beside BenchmarkXFloor) several times, each pair in one
// run, and prints the median of the ratios with their spread: the machines are noisy, ratios of one run less so.
//
//	go run ./testdata/bench [-rounds 5] [PACKAGE]...
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 5, "how often each pair is run")
	benchtime := flag.String("benchtime", "300ms", "how long one benchmark runs in a round")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = []string{"./spec", "./exec", "./registry", "./loader", "./serve/..."}
	}
	times := map[string][]float64{}
	for round := range *rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, *rounds)
		args := append([]string{"test", "-run", "^$", "-bench", ".", "-benchmem", "-benchtime", *benchtime}, packages...)
		out, err := exec.Command("go", args...).CombinedOutput()
		if err != nil {
			log.Fatalf("%s\n%v", out, err)
		}
		collect(times, string(out))
	}
	report(times)
}

var line = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op`)

func collect(times map[string][]float64, out string) {
	for _, m := range line.FindAllStringSubmatch(out, -1) {
		ns, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			log.Fatal(err)
		}
		times[m[1]] = append(times[m[1]], ns)
	}
}

// floorOf is the name of a benchmark's floor: BenchmarkX has BenchmarkXFloor, BenchmarkX/sub has BenchmarkXFloor/sub.
func floorOf(name string) string {
	head, sub, nested := strings.Cut(name, "/")
	if nested {
		return head + "Floor/" + sub
	}
	return head + "Floor"
}

func report(times map[string][]float64) {
	names := make([]string, 0, len(times))
	for name := range times {
		names = append(names, name)
	}
	slices.Sort(names)
	fmt.Printf("%-44s %14s %14s %8s %s\n", "benchmark", "median", "floor", "ratio", "(least–most)")
	for _, name := range names {
		floor := times[floorOf(name)]
		if strings.Contains(name, "Floor") {
			continue
		}
		if len(floor) != len(times[name]) {
			fmt.Printf("%-44s %14s\n", name, show(median(times[name])))
			continue
		}
		ratios := make([]float64, len(floor))
		for i := range floor {
			ratios[i] = times[name][i] / floor[i]
		}
		fmt.Printf("%-44s %14s %14s %8.2f (%.2f–%.2f)\n", name, show(median(times[name])), show(median(floor)), median(ratios), slices.Min(ratios), slices.Max(ratios))
	}
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
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
