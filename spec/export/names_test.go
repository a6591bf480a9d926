package export_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 70)
	for _, c := range []struct {
		format string
		names  []string
		want   map[string]string // by the tool's own name
	}{
		{"bedrock", []string{"city_days", "a-b"}, map[string]string{"city_days": "city_days", "a-b": "a-b"}},
		{"bedrock", []string{"math.sum"}, map[string]string{"math.sum": "math_sum"}},
		{"bedrock", []string{"a.b", "a_b"}, map[string]string{"a_b": "a_b", "a.b": "a_b_2e7336dc"}},
		{"bedrock", []string{"a_b", "a.b"}, map[string]string{"a_b": "a_b", "a.b": "a_b_2e7336dc"}},
		{"anthropic", []string{"a.b.c", "a.b_c"}, map[string]string{"a.b.c": "a_b_c_845e3044", "a.b_c": "a_b_c_5b8f934a"}},
		{"openai", []string{long}, map[string]string{long: strings.Repeat("x", 55) + "_c71bd109"}},
		{"gemini", []string{"math.sum", "2nd"}, map[string]string{"math.sum": "math.sum", "2nd": "_2nd"}},
		{"mcp", []string{"a.b", long}, map[string]string{"a.b": "a.b", long: long}},
	} {
		have := map[string]string{}
		for exported, own := range export.Names(c.format, named(t, c.names...)) {
			have[own] = exported
		}
		if len(have) != len(c.names) {
			t.Errorf("%s %v: have %v", c.format, c.names, have)
		}
		for own, want := range c.want {
			if have[own] != want {
				t.Errorf("%s: %s is exported as %s, want %s", c.format, own, have[own], want)
			}
		}
	}
}

func named(t *testing.T, names ...string) (specs []*spec.Spec) {
	t.Helper()
	for _, name := range names {
		specs = append(specs, parsed(t, name+".yaml", "name: "+name+"\ndescription: Does it.\nexecutor: {expr: '1'}\n"))
	}
	return specs
}

// TestNamesNeverMeet: whatever names are exported together, each is another, none but those that cannot stay is changed,
// and the order of the files makes no difference.
func TestNamesNeverMeet(t *testing.T) {
	parts := []string{"a", "a.", "a_", "a.b", "a_b", "a-b", "_a.b", "a_b_2e7336dc", "a.b_2e7336dc", strings.Repeat("n.", 40), strings.Repeat("n_", 40), strings.Repeat("n", 64), "7", "7.", "_7"}
	forth := named(t, parts...)
	back := slices.Clone(forth)
	slices.Reverse(back)
	for _, format := range export.Formats() {
		names := export.Names(format, forth)
		if len(names) != len(parts) {
			t.Errorf("%s: %d names of %d tools: %v", format, len(names), len(parts), names)
		}
		if again := export.Names(format, back); !maps.Equal(names, again) {
			t.Errorf("%s: the order counts: %v, %v", format, names, again)
		}
	}
}
