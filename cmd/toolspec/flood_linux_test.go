//go:build linux

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A program that prints without end, or what takes far more memory as values than as text, does not have the server use more than what it
// reads of an output, which is 8 MiB, and 16 MB.
func TestMemoryStaysBoundedWhateverAToolPrints(t *testing.T) {
	const most, flood, fit = 8<<20 + 16_000_000, "head -c 64000000", "head -c 8000000"
	for name, tool := range map[string]struct{ format, shell string }{
		"bytes":            {"bytes", flood + " /dev/zero"},
		"not UTF-8":        {"text", "yes \"$(printf 'a\\377a\\377a\\377')\" | " + flood},
		"NUL":              {"text", flood + " /dev/zero"},
		"escape sequences": {"text", "yes \"$(printf '\\033[31mx\\033]0;a')\" | " + flood},
		"short lines":      {"lines", "yes a | " + fit},
		"numbers":          {"json", "(printf '[1'; yes ,1 | tr -d '\\n' | " + fit + "; printf ']')"},
		"empty objects":    {"json", "(printf '[1'; yes ,{} | tr -d '\\n' | " + fit + "; printf ']')"},
		"values a line":    {"jsonl", "yes 1 | " + fit},
		"records":          {"csv", "(echo a; yes b | " + fit + ")"},
		"text that fits":   {"text", "yes 'a line of text' | " + fit},
		"objects that fit": {"json", "(printf '[1'; yes ',{\"id\":1,\"name\":\"a user\",\"active\":true}' | tr -d '\\n' | head -c 481000; printf ']')"},
		"records that fit": {"csv", "(echo a,b,c; yes one,two,three | head -c 190000)"},
		"columns":          {"csv", "yes 1, | tr -d '\\n' | " + fit},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "flood.yaml"), "name: flood\ndescription: Prints.\ntimeout: 60s\nexecutor:\n  command:\n    output: "+tool.format+"\n    shell: |\n      "+tool.shell+"\n")
			s := startSoaked(t, "-d", dir)
			before := s.peak(t)
			text := s.ask(t, "flood")
			if grown := (s.peak(t) - before) * 1024; grown > most {
				t.Errorf("memory grew by %d bytes, at most %d; the call gave %.200s", grown, most, text)
			} else {
				t.Logf("memory grew by %d KiB", grown/1024)
			}
			s.stop(t)
		})
	}
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+)`)

// peak is the most memory that the server has used so far, in KiB, once it has answered.
func (s *soaked) peak(t *testing.T) int {
	t.Helper()
	waitFor(t, "readyz", func() bool {
		res, err := s.client.Get(s.url + "/readyz")
		if err != nil {
			return false
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	m := peakLine.FindStringSubmatch(string(status))
	if m == nil {
		t.Fatalf("no peak in %q", strings.SplitN(string(status), "\n", 2)[0])
	}
	peak, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return peak
}
