package spec

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// shared opens a file of the data that is at hand on some machines only; in CI it must be there.
func shared(t testing.TB, name string) *os.File {
	t.Helper()
	f, err := os.Open("../../shared/data/" + name)
	if err == nil {
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("the shared data must be at hand in CI: %v", err)
	}
	t.Skipf("SKIPPED, the shared data is not at hand: %v", err)
	return nil
}

type corpusTool struct {
	Name       string
	Parameters json.RawMessage
}

func corpus(t testing.TB) []corpusTool {
	t.Helper()
	lines := bufio.NewScanner(shared(t, "tool-corpus.jsonl"))
	lines.Buffer(nil, 1<<20)
	var tools []corpusTool
	for lines.Scan() {
		var tool corpusTool
		if err := json.Unmarshal(lines.Bytes(), &tool); err != nil {
			t.Fatal(err)
		}
		tools = append(tools, tool)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return tools
}

// Schemas as they are found in the world compile unchanged, but for those whose default breaks its own schema.
func TestCorpus(t *testing.T) {
	refused := 0
	for _, tool := range corpus(t) {
		s, ds := ReadDocument("schema.json", tool.Parameters)
		if ds.HasErrors() {
			t.Fatalf("%s: %v", tool.Name, ds)
		}
		schema, ds := CompileSchema(s)
		if ds.HasErrors() {
			refused++
			for _, d := range ds {
				if d.Severity == SeverityError && (d.Rule != "default" || !d.Pos.IsValid() || !strings.Contains(d.Message, "default")) {
					t.Errorf("%s: refused for another reason: %v", tool.Name, d)
				}
			}
			continue
		}
		schema.Shape()
		checkAccepted(t, schema, []byte("{}"))
		if want, got := decoded(t, tool.Parameters), decoded(t, schema.JSON()); !reflect.DeepEqual(withRoot(want), got) {
			t.Errorf("%s: want the schema unchanged\nwant %v\nhave %v", tool.Name, want, got)
		}
	}
	t.Logf("%d refused", refused)
	if refused > 133 {
		t.Errorf("want at most 133 refused, have %d", refused)
	}
}

func withRoot(v any) any {
	root := v.(map[string]any)
	if root["properties"] == nil {
		root["properties"] = map[string]any{}
	}
	return root
}

func decoded(t testing.TB, doc []byte) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(doc)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
