package main

import (
	"runtime"
	"strings"
	"testing"
)

// TestLongLines splits long command lines, each character of which once cost a copy of its word so far.
func TestLongLines(t *testing.T) {
	const n = 100_000
	for _, c := range []struct{ name, line, want string }{
		{"brackets", "git " + strings.Repeat("[", n), strings.Repeat("[", n)},
		{"quoted", `git "` + strings.Repeat("a b", n) + `"`, strings.Repeat("a b", n)},
		{"escaped", "git " + strings.Repeat(`\a`, n), strings.Repeat("a", n)},
		{"ANSI", "git $'" + strings.Repeat(`\n`, n) + "'", strings.Repeat("\n", n)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		words, err := shellWords(c.line)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := words[1].text(); got != c.want {
			t.Errorf("%s: have %.20q…, %d bytes", c.name, got, len(got))
		}
		if spent := (after.TotalAlloc - before.TotalAlloc) >> 20; spent > 512 { // the race detector makes it several times as much; copies would be 5 GiB
			t.Errorf("%s: %d MiB", c.name, spent)
		}
	}
}
