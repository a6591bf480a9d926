package exec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

func TestScriptsCountInTheDigest(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "run.sh")
	digests := map[string]bool{}
	for _, config := range []string{`{argv: [./run.sh]}`, `{argv: [sh, '${dir.tool}/run.sh']}`} {
		for _, body := range []string{"echo one", "echo two"} {
			writeScript(t, script, body)
			digests[compileCommandIn(t, dir, config).Digest] = true
		}
		writeScript(t, script, "echo one")
		digests[compileCommandIn(t, dir, config).Digest] = true
	}
	if len(digests) != 4 {
		t.Errorf("%d digests, want 4", len(digests))
	}
	if tool := compileCommandIn(t, dir, `{argv: [sh, '${dir.tool}/none.sh']}`); !strings.Contains(tool.Unavailable(), "it runs the script none.sh") {
		t.Errorf("have %q", tool.Unavailable())
	}
}

// TestWhatIsGivenToAProgramCounts: a script counts however the file brings a program to it; what is not one does not.
func TestWhatIsGivenToAProgramCounts(t *testing.T) {
	for config, counts := range map[string]bool{
		`{argv: [sh, run.sh], cwd: '${dir.tool}'}`:                                  true,
		`{argv: [sh, ./run.sh], cwd: '${ dir.tool }/'}`:                             true,
		`{argv: [sh, -eu, run.sh], cwd: '${dir.tool}'}`:                             true,
		`{argv: [sh, runs], cwd: '${dir.tool}'}`:                                    true, // it says what interprets it
		`{argv: [sh, later.sh], cwd: '${dir.tool}'}`:                                true, // not there yet
		`{argv: [sh, run.sh]}`:                                                      false,
		`{argv: [sh, ../run.sh], cwd: '${dir.tool}'}`:                               false,
		`{argv: [cat, data.txt], cwd: '${dir.tool}'}`:                               false,
		`{argv: [git, status], cwd: '${dir.tool}'}`:                                 false,
		`{shell: '. "$X"', env: {X: '${dir.tool}/run.sh'}}`:                         true,
		`{shell: 'cat "$X"', env: {X: '${dir.tool}/data.txt'}}`:                     false,
		`{argv: [sh, '--rcfile=${dir.tool}/run.sh']}`:                               true,
		`{argv: [cat, '--file=${dir.tool}/data.txt']}`:                              false,
		`{argv: [sh, '${dir.tool}/data.txt']}`:                                      true,
		`{argv: [cat, [-x, '${dir.tool}/run.sh']]}`:                                 true,
		`{argv: [sh, '-c', 'exec "$0"', '${dir.tool}/run.sh'], cwd: '${dir.tool}'}`: true,
	} {
		dir := t.TempDir()
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range map[string]string{"run.sh": "one", "runs": "#!/bin/sh\n", "data.txt": "one"} {
			write(name, text)
		}
		before := compileCommandIn(t, dir, config).Digest
		for name, text := range map[string]string{"run.sh": "two", "runs": "#!/bin/sh\ntwo\n", "data.txt": "two", "later.sh": "two"} {
			write(name, text)
		}
		if after := compileCommandIn(t, dir, config).Digest; (before != after) != counts {
			t.Errorf("%s: changed %t, want %t", config, before != after, counts)
		}
	}
}

// TestScriptOfALaterStep: where only what was approved may run, a script that changes while the steps before it run does not.
func TestScriptOfALaterStep(t *testing.T) {
	dir := t.TempDir()
	s, ds := spec.Parse(filepath.Join(dir, "tool.yaml"), []byte(`name: both
description: A tool for tests.
executor:
  pipeline:
    - {id: one, command: {shell: 'printf "#!/bin/sh\necho two\n" > new; chmod +x new; mv new run.sh', cwd: '${dir.tool}'}}
    - {id: two, command: {argv: [./run.sh]}}
`))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	for _, exact := range []bool{true, false} {
		writeScript(t, filepath.Join(dir, "run.sh"), "echo one")
		tool, ds := exec.StandardKinds().Compile(&exec.Env{}, s)
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		want := map[bool]string{true: "unavailable: Error: step two: a script of the tool changed a moment ago, and is looked at again", false: "two"}[exact]
		if have := textOf(tool.Call(t.Context(), exec.Call{Exact: exact})); have != want {
			t.Errorf("exact %t: have %s", exact, have)
		}
	}
}
