package exec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// TestHostileExpressions compiles files, each below every limit of reading, with more expressions, or faults in them,
// than anybody writes.
func TestHostileExpressions(t *testing.T) {
	var fields, slips, steps strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&fields, "k%s%d: {type: string},", strings.Repeat("a", 30), i)
		fmt.Fprintf(&slips, ", '${input.kaaa%d}'", i)
		fmt.Fprintf(&steps, "{id: s%d, tool: other},", i)
	}
	for _, c := range []struct{ name, executor, want string }{
		{"1,000 slots", `http: {url: 'http://x/', body: {text: '` + strings.Repeat("${1}", 1000) + `'}}`, ""},
		{"more slots", `http: {url: 'http://x/', body: {text: '` + strings.Repeat("${1}", 40_000) + `'}}`, "f.yaml:4:51: a tool file holds at most 1,000 expressions"},
		{"slots of a secret", `http: {url: 'http://x/', auth: {bearer: '` + strings.Repeat("${secret.A}", 15_000) + `'}}`, "f.yaml:4:53: a tool file holds at most 1,000 expressions"},
		{"slips", `command: {argv: [echo` + slips.String() + `]}`, "more than 100 faults were found in expressions before this text"},
		{"steps", `pipeline: [` + steps.String() + `]`, "a pipeline has at most 200 steps"},
	} {
		src := "name: x\ndescription: d\ninputSchema: {type: object, properties: {" + fields.String() + "}}\nexecutor: {" + c.executor + "}\n"
		s, ds := spec.Parse("f.yaml", []byte(src))
		if ds.HasErrors() {
			t.Fatalf("%s: %.200s", c.name, ds)
		}
		_, ds = StandardKinds().Compile(&Env{}, s)
		if said := ds.Error(); ds.HasErrors() != (c.want != "") || !strings.Contains(said, c.want) || len(ds) > maxExprFaults+2 || len(said) > 1<<18 {
			t.Errorf("%s: have %d faults, %d bytes, %.300q, want %q", c.name, len(ds), len(said), said, c.want)
		}
	}
}
