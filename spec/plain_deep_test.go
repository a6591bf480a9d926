package spec_test

import (
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// TestPlainEnds gives values without an end, as a Go function may return them.
func TestPlainEnds(t *testing.T) {
	circle := map[string]any{}
	circle["self"] = []any{circle}
	type node struct{ Next *node }
	ring := &node{}
	ring.Next = ring
	for name, value := range map[string]any{"map": circle, "struct": ring, "in a list": []any{1, ring}} {
		if _, err := spec.Plain(value); err == nil {
			t.Errorf("%s: a value that holds itself was taken", name)
		}
		r := spec.Success("1", value)
		if r.Status != spec.StatusError || !strings.Contains(*r.Content[0].Text, "the result") {
			t.Errorf("%s: have %+v", name, r)
		}
	}
}
