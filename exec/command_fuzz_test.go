package exec

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// FuzzArgument looks for a value that becomes anything but itself within one argument.
func FuzzArgument(f *testing.F) {
	for _, seed := range []string{"", "a b", "-x", "--", "a\x00b", "${input.x}", "$(id)", "\n", "'\"", "\xff"} {
		f.Add(seed)
	}
	s, ds := spec.Parse("t.yaml", []byte(`name: t
description: A tool.
inputSchema: {required: [x], properties: {x: {type: string}}}
executor: {command: {argv: ['true', 'a${input.x}', [-e, '=${input.x}b'], '${input.x}', --, '${input.x}'], env: {X: '${input.x}'}}}
`))
	if ds.HasErrors() {
		f.Fatal(ds)
	}
	tool, ds := StandardKinds().Compile(&Env{Policy: Policy{Path: f.TempDir()}}, s)
	if ds.HasErrors() {
		f.Fatal(ds)
	}
	f.Fuzz(func(t *testing.T, x string) {
		call := &Call{Args: map[string]any{"x": x}}
		p, err := tool.executor.(*commandExecutor).prepare(t.Context(), call)
		if refused := strings.HasPrefix(x, "-") || strings.Contains(x, "\x00"); refused {
			if err == nil || spec.AsError(err).Code != spec.CodeInvalidInput {
				t.Errorf("%q: have %v, want a refusal", x, err)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", x, err)
		}
		if want := []string{"true", "a" + x, "-e", "=" + x + "b", x, "--", x}; !slices.Equal(p.argv, want) {
			t.Errorf("have %q, want %q", p.argv, want)
		}
		if !slices.Contains(p.env, "X="+x) && len(x) < maxVariable {
			t.Errorf("%q is not in the environment", x)
		}
	})
}

// FuzzCode looks for an argv whose check crashes.
func FuzzCode(f *testing.F) {
	f.Add("sh\n-c\n-x\n${input.x}")
	f.Add("env\n-S\nssh\n-p\n22\nh\n${input.x}")
	f.Add("perl\n-ne${input.x}\n--\n+x\n-")
	f.Fuzz(func(t *testing.T, lines string) {
		argv, err := json.Marshal(strings.Split(strings.ToValidUTF8(lines, "?"), "\n"))
		if err != nil {
			t.Fatal(err)
		}
		root, ds := spec.ReadDocument("t.json", []byte(`{"argv": `+string(argv)+`}`))
		if ds.HasErrors() {
			t.Skip()
		}
		site := &Site{Env: (&Env{}).complete(), Spec: &spec.Spec{Input: spec.NoParameters()}, needs: &needs{}}
		newCommand(site, root)
	})
}
