package spec

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnifiedDiff(t *testing.T) {
	lines := func(from, to int) (text string) {
		for i := from; i <= to; i++ {
			text += fmt.Sprintf("line %d\n", i)
		}
		return text
	}
	for _, c := range []struct{ name, before, after, want string }{
		{"the same", "a\n", "a\n", ""},
		{"all is new", "", "a\nb\n", "--- x\n+++ y\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"all is gone", "a\n", "", "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n"},
		{"one line", "a\nb\nc\n", "a\nB\nc\n", "--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"far apart", "A\n" + lines(1, 9) + "Z\n", "a\n" + lines(1, 9) + "z\n",
			"--- x\n+++ y\n@@ -1,4 +1,4 @@\n-A\n+a\n line 1\n line 2\n line 3\n@@ -8,4 +8,4 @@\n line 7\n line 8\n line 9\n-Z\n+z\n"},
		{"near", "A\n" + lines(1, 6) + "Z\n", "a\n" + lines(1, 6) + "z\n",
			"--- x\n+++ y\n@@ -1,8 +1,8 @@\n-A\n+a\n line 1\n line 2\n line 3\n line 4\n line 5\n line 6\n-Z\n+z\n"},
	} {
		if have := UnifiedDiff("x", "y", c.before, c.after); have != c.want {
			t.Errorf("%s: have\n%s\nwant\n%s", c.name, have, c.want)
		}
	}
}

// TestUnifiedDiffPatches has patch make the one text of the other.
func TestUnifiedDiffPatches(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("there is no patch on this machine: diffs are held against the table alone")
	}
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range r.IntN(30) {
			fmt.Fprintf(&b, "%c\n", 'a'+rune(r.IntN(8)))
		}
		return b.String()
	}
	dir := t.TempDir()
	for range 30 {
		before, after := "first\n"+text(), "first\n"+text()
		diff := UnifiedDiff("a/f", "b/f", before, after)
		if diff == "" {
			continue
		}
		file := filepath.Join(dir, "f")
		if err := os.WriteFile(file, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(patch, "-s", "--fuzz=0", file)
		cmd.Stdin = strings.NewReader(diff)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v %s\n%s", err, out, diff)
		}
		if have, err := os.ReadFile(file); err != nil || string(have) != after {
			t.Fatalf("patched:\n%s\nwant\n%s\n%s", have, after, diff)
		}
	}
}
