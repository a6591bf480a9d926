package export_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/spec/export"
)

// TestHostileExports exports small files that careless exporters make megabytes of, or minutes: each document stays of a
// size that somebody could send.
func TestHostileExports(t *testing.T) {
	var names []string
	defs := map[string]any{}
	for i := range 18_000 {
		names = append(names, fmt.Sprint("a", i))
	}
	for i := range 40 {
		fields := map[string]any{}
		for j := range 40 {
			fields[fmt.Sprint("k", j)] = map[string]string{"$ref": fmt.Sprintf("#/$defs/d%d", j)}
		}
		defs[fmt.Sprint("d", i)] = map[string]any{"type": "object", "properties": fields}
	}
	for name, schema := range map[string]any{
		"required":   map[string]any{"type": "object", "required": names},
		"each other": map[string]any{"type": "object", "properties": map[string]any{"a": map[string]string{"$ref": "#/$defs/d0"}}, "$defs": defs},
	} {
		doc, _ := json.Marshal(schema)
		s := withInput(t, string(doc))
		for _, format := range export.Formats() {
			out, _, err := export.Convert(format, []*spec.Spec{s})
			if err != nil {
				t.Fatal(err)
			}
			if len(out) > 10<<20 {
				t.Errorf("%s for %s: %d bytes", name, format, len(out))
			}
			if name == "required" && format == "gemini" && !strings.Contains(string(out), "`a17999` must be given too") {
				t.Errorf("%s for %s does not tell what must be given: %.300s", name, format, out)
			}
		}
	}
}
