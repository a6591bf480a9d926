package check_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/check"
)

const rulesStart, rulesEnd = "<!-- rules: written by a test -->\n", "<!-- end of rules -->\n"

// TestReadmeHasEveryRule holds the README's pages of the rules to the rules' own words; with -update it writes them.
func TestReadmeHasEveryRule(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), rulesStart)
	have, after, closed := strings.Cut(rest, rulesEnd)
	if !ok || !closed {
		t.Fatal("the README has no place for the rules")
	}
	var want strings.Builder
	for _, r := range check.AllRules() {
		fmt.Fprintf(&want, "\n#### %s\n\n%s: %s\n\n- bad: `%s`\n- good: `%s`\n", r.Name, r.Severity, r.Doc, r.Bad, r.Good)
	}
	want.WriteString("\n")
	switch {
	case have == want.String():
	case *update:
		if err := os.WriteFile("../README.md", []byte(before+rulesStart+want.String()+rulesEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the README describes other rules; go test ./check -update writes them")
	}
}
