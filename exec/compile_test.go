package exec

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// refused compiles a file that must not compile, and gives what is wrong with it.
func refused(t *testing.T, kinds Kinds, env *Env, file string) string {
	t.Helper()
	s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\n"+file))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tool, ds := kinds.Compile(env, s)
	if tool != nil || !ds.HasErrors() {
		t.Fatalf("want a refusal, have %v", ds)
	}
	return ds.Error()
}

func TestCompileRefuses(t *testing.T) {
	env := &Env{Funcs: map[string]Executor{"weather": give(1)}}
	for file, want := range map[string]string{
		"executor: {exprs: 1}":                   "t.yaml:3:11: executor: unknown kind exprs: did you mean expr?",
		"executor: {python: x}":                  "executor: unknown kind python: write command: {argv: [python3,",
		"executor: {mcp: {}}":                    "the kind mcp is not supported by this version",
		"executor: {func: wether}":               "t.yaml:3:18: executor.func: this program has no Go function wether; did you mean weather?",
		"executor: {func: }":                     "executor.func: want the name of a Go function",
		"executor: {func: weather}\ntimeout: 2h": "t.yaml:4:10: timeout: want at most 1h0m0s, which is the operator's limit, have 2h0m0s",
	} {
		if have := refused(t, StandardKinds(), env, file); !strings.HasPrefix(have, want) && !strings.Contains(have, want) {
			t.Errorf("%s:\nhave %s\nwant %s", file, have, want)
		}
	}
}

func TestCompileSurvivesAKindThatCrashes(t *testing.T) {
	kinds := Kinds{"bad": {Build: func(*Site, spec.Section) (Executor, spec.Diagnostics) { panic("boom") }}}
	if have := refused(t, kinds, nil, "executor: {bad: 1}"); !strings.Contains(have, "the kind bad crashed on this file: boom") {
		t.Errorf("have %s", have)
	}
}

func TestCompileLeavesTheSpecAsItIs(t *testing.T) {
	s, _ := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\nexecutor: {expr: '1'}\n"))
	tool, ds := StandardKinds().Compile(nil, s)
	if ds.HasErrors() || tool.Spec == s || s.Input != nil || tool.Spec.Input == nil || tool.Digest != s.Digest {
		t.Errorf("have %+v of %+v: %v", tool, s, ds)
	}
}

func TestRequires(t *testing.T) {
	t.Setenv("TOOLSPEC_TEST_SET", "1")
	for requires, want := range map[string]string{
		"{os: [" + runtime.GOOS + "], env: [TOOLSPEC_TEST_SET], commands: [go]}": "",
		"{os: [plan9, aix]}":                "it works on plan9, aix only, this is " + runtime.GOOS,
		"{env: [TOOLSPEC_TEST_NOT_SET]}":    "it requires the environment variable TOOLSPEC_TEST_NOT_SET, which is not set",
		"{commands: [no-such-command-xyz]}": "it requires the command no-such-command-xyz, which is not found on PATH",
	} {
		tool := compile(t, "executor: {func: f}\nrequires: "+requires+"\n", give(1))
		if tool.Unavailable() != want {
			t.Errorf("%s: have %q", requires, tool.Unavailable())
		}
		r := tool.Call(t.Context(), use(`{}`))
		if want != "" && (r.Metadata.Error == nil || r.Metadata.Error.Code != spec.CodeUnavailable || !strings.Contains(text(r), want)) {
			t.Errorf("have %s", text(r))
		}
	}
}

func TestScriptsCountInTheDigest(t *testing.T) {
	script := filepath.Join(t.TempDir(), "run.sh")
	kinds := maps.Clone(StandardKinds())
	kinds["script"] = Kind{Build: func(s *Site, _ spec.Section) (Executor, spec.Diagnostics) {
		s.CountScript(script)
		return give(1), nil
	}}
	s, _ := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\nexecutor: {script: x}\n"))
	seen := map[string]bool{}
	for _, content := range []string{"", "one", "two"} {
		if content != "" {
			if err := os.WriteFile(script, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		tool, ds := kinds.Compile(nil, s)
		if ds.HasErrors() || seen[tool.Digest] {
			t.Errorf("have %s twice: %v", tool.Digest, ds)
		}
		seen[tool.Digest] = true
	}
}

func TestAPolicyThatSaysLittleHasTheDefaultsBounds(t *testing.T) {
	p := Policy{EnvNames: []string{"X"}, Limits: Bounds{Timeout: time.Minute}}.complete()
	if p.Defaults != DefaultPolicy().Defaults || p.Limits.Timeout != time.Minute || p.Limits.Output != DefaultPolicy().Limits.Output {
		t.Errorf("have %+v", p)
	}
	if len(Policy{}.complete().EnvNames) != 4 {
		t.Error("want the default's names")
	}
}
