package exec_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// compileCommand compiles a tool with a text field x, in a directory of its own where it also works.
func compileCommand(t testing.TB, command string) (tool *exec.Tool, dir string) {
	t.Helper()
	dir = t.TempDir()
	return compileCommandIn(t, dir, command), dir
}

func compileCommandIn(t testing.TB, dir, command string) *exec.Tool {
	t.Helper()
	src := "name: t\ndescription: A tool.\ninputSchema: {properties: {x: {type: string}}}\nexecutor:\n  command: " + command + "\n"
	s, ds := spec.Parse(filepath.Join(dir, "t.yaml"), []byte(src))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	env := &exec.Env{Policy: exec.DefaultPolicy(), WorkDir: dir}
	env.Policy.Path = recorderPath(t)
	tool, ds := exec.StandardKinds().Compile(env, s)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return tool
}

func callWith(ctx context.Context, tool *exec.Tool, x string) spec.ToolResult {
	input, _ := json.Marshal(map[string]string{"x": x})
	return tool.Call(ctx, exec.Call{Use: spec.ToolUse{ID: "1", Input: input}})
}

// textOf is the text of a result's one block; of an error with its code in front.
func textOf(r spec.ToolResult) string {
	text := fmt.Sprintf("%d blocks", len(r.Content))
	if len(r.Content) == 1 && r.Content[0].Text != nil {
		text = *r.Content[0].Text
	}
	if r.Metadata.Error != nil {
		return string(r.Metadata.Error.Code) + ": " + text
	}
	return text
}

// hostile are values that a shell, an option parser, a template or a terminal would take for more than text.
var hostile = []string{
	"", " ", "plain", "two words", "a;touch pwned", "a|touch pwned", "a&touch pwned", "a\ntouch pwned\n", "$(touch pwned)", "`touch pwned`",
	"&& touch pwned", ">pwned", "<pwned", "'; touch pwned; '", `"; touch pwned; "`, `\`, `\\`, `\n`, "$HOME", "${HOME}", "${input.x}", "$${x}", "{{x}}",
	"%s%n", "*", "?", "[a-z]*", "~", "~root", "!!", "#", "--", "-", "-rf", "--output=pwned", "=x", "@pwned", "+x", "a\tb\r\nc", "\x01\x1b[31m\x7f",
	"é ü 漢字 🙂", "\u202eevil", "\ufeff", strings.Repeat("x", 8_000), "null", "true", "0640", "1e3",
}

func TestEveryValueIsOneArgument(t *testing.T) {
	dir := t.TempDir()
	s, ds := spec.Parse(filepath.Join(dir, "t.yaml"), []byte(`name: t
description: A tool.
inputSchema: {properties: {xs: {type: array, items: {type: string}}}}
executor:
  command:
    argv: [recorder, --, '${input.xs}', 'a${input.xs}b', '--opt=${input.xs}']
    output: json
`))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tool, ds := exec.StandardKinds().Compile(&exec.Env{Policy: exec.Policy{Path: recorderPath(t)}, WorkDir: dir}, s)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	want := []string{"--"}
	for _, form := range []string{"%s", "a%sb", "--opt=%s"} {
		for _, x := range hostile {
			want = append(want, fmt.Sprintf(form, x))
		}
	}
	input, _ := json.Marshal(map[string]any{"xs": hostile})
	r := tool.Call(t.Context(), exec.Call{Use: spec.ToolUse{Input: input}})
	var got recording
	if r.Status != spec.StatusSuccess || json.Unmarshal(r.Content[0].JSON, &got) != nil {
		t.Fatal(textOf(r))
	}
	if !slices.Equal(got.Args, want) {
		t.Errorf("arrived as %q, want %q", got.Args, want)
	}
	onlyThese(t, dir)
}

func TestEveryValueArrivesAsItselfBesideArguments(t *testing.T) {
	tool, dir := compileCommand(t, `
    shell: cat; printf '\036%s\036%s\036%s' "$MINE" "$INPUT_X" "$TOOLSPEC_INPUT"
    env: {MINE: '${input.x}'}
    stdin: '${input.x}'
    output: bytes`)
	for _, x := range hostile {
		r := callWith(t.Context(), tool, x)
		output, _ := r.Value.([]byte)
		parts := strings.Split(string(output), "\036")
		if len(parts) != 4 {
			t.Fatalf("%.40q: %s", x, textOf(r))
		}
		var all struct{ X string }
		if err := json.Unmarshal([]byte(parts[3]), &all); err != nil {
			t.Errorf("%.40q: %v", x, err)
		}
		for i, got := range append(parts[:3], all.X) {
			if got != x {
				t.Errorf("%.40q arrived in %s as %.40q", x, []string{"stdin", "env", "INPUT_X", "TOOLSPEC_INPUT"}[i], got)
			}
		}
	}
	onlyThese(t, dir)
}

// onlyThese fails when a directory holds anything else.
func onlyThese(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+e.Name()+" ") {
			t.Errorf("there is a file %q", e.Name())
		}
	}
}

func TestWhatNoProgramCanTakeIsRefused(t *testing.T) {
	for name, config := range map[string]string{
		"argv":  `{argv: [recorder, --, '${input.x}']}`,
		"env":   `{argv: [recorder], env: {X_A: '${input.x}'}}`,
		"shell": `{shell: recorder}`,
		"cwd":   `{argv: [recorder], cwd: 'a/${input.x}'}`,
	} {
		tool, _ := compileCommand(t, config)
		if have := textOf(callWith(t.Context(), tool, "a\x00b")); !strings.HasPrefix(have, "invalid_input: ") || name != "cwd" && !strings.Contains(have, "NUL") {
			t.Errorf("%s: %s", name, have)
		}
	}
	tool, _ := compileCommand(t, `{argv: [recorder, --, '${input.x}']}`)
	if have := textOf(callWith(t.Context(), tool, strings.Repeat("x", 900_000))); !strings.HasPrefix(have, "invalid_input: ") {
		t.Errorf("too long: %.200s", have)
	}
}

func TestDashes(t *testing.T) {
	const refused = "invalid_input: Error: "
	for config, want := range map[string]string{
		`{argv: [printf, '${input.x}']}`:                          refused + "Field `x` must not start with \"-\" here: %q would be read as an option",
		`{argv: [printf, [-e, '${input.x}']]}`:                    refused,
		`{argv: [printf, '${input.x}${input.x}']}`:                refused,
		`{argv: [printf, '-${input.x}']}`:                         refused,
		`{argv: [printf, --, '${input.x}']}`:                      "ok",
		`{argv: [printf, [--, '${input.x}']]}`:                    "ok",
		`{argv: [printf, '--opt=${input.x}']}`:                    "ok",
		`{argv: [printf, 'x${input.x}']}`:                         "ok",
		`{argv: [printf, '${ input.x != "" ? "--all" : null }']}`: "ok",
		`{argv: [printf, '${ "--name=" + input.x }']}`:            "ok",
		`{argv: [printf, '${ -5 }', '${ len(input.x) - 1000 }']}`: "ok",
		`{argv: [printf, '${ map([input.x], "--glob=" + #) }']}`:  "ok",
		`{argv: [printf, '${ [input.x] }']}`:                      refused,
		`{argv: [printf, [--, a], '${input.x}']}`:                 refused,
		`{argv: [printf, '${ input.x + "" }']}`:                   refused,
	} {
		tool, _ := compileCommand(t, config)
		for _, x := range []string{"-", "-n", "--output=pwned"} {
			r := callWith(t.Context(), tool, x)
			switch have := textOf(r); {
			case want == "ok" && r.Status != spec.StatusSuccess:
				t.Errorf("%s with %s: %s", config, x, have)
			case want != "ok" && !strings.HasPrefix(have, strings.ReplaceAll(want, "%q", fmt.Sprintf("%q", x))):
				t.Errorf("%s with %s: %s", config, x, have)
			}
		}
		if r := callWith(t.Context(), tool, "feature/a-1"); r.Status != spec.StatusSuccess {
			t.Errorf("%s: %s", config, textOf(r))
		}
	}
}

func TestAnEmptyValueMakesNoOption(t *testing.T) {
	s, ds := spec.Parse("t.yaml", []byte(`name: t
description: A tool.
inputSchema: {required: [a, b], properties: {a: {type: string}, b: {type: string}}}
executor: {command: {argv: [printf, '${input.a}-${input.b}']}}
`))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tool, ds := exec.StandardKinds().Compile(&exec.Env{Policy: exec.Policy{}}, s)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	r := tool.Call(t.Context(), exec.Call{Use: spec.ToolUse{Input: json.RawMessage(`{"a": "", "b": "-output=pwned"}`)}})
	if have := textOf(r); !strings.HasPrefix(have, "invalid_input: ") {
		t.Error(have)
	}
}

func TestTheServersEnvironmentStaysItsOwn(t *testing.T) {
	for name, value := range map[string]string{"API_TOKEN": "s3cret-1", "LD_DEBUG": "s3cret-2", "BASH_ENV": "/s3cret-3", "LC_TIME": "C", "TZ": "UTC"} {
		t.Setenv(name, value)
	}
	t.Setenv("PATH", "."+string(filepath.ListSeparator)+"bin"+string(filepath.ListSeparator)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	dir := t.TempDir()
	for _, name := range []string{"env", "ls"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho pwned\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	have := textOf(callWith(t.Context(), compileCommandIn(t, dir, `{argv: [env], env: {MINE: 'a b'}}`), ""))
	for line := range strings.Lines(have) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case "HOME", "LANG", "TMPDIR", "TERM", "TOOLSPEC_INPUT":
		case "PATH":
			for _, entry := range filepath.SplitList(value) {
				if !filepath.IsAbs(entry) {
					t.Errorf("PATH has %q", entry)
				}
			}
		case "TZ", "MINE", "LC_TIME":
		default:
			if !strings.HasPrefix(name, "LC_") {
				t.Errorf("the child has %s", line)
			}
		}
	}
	for _, want := range []string{"MINE=a b\n", "LC_TIME=C", "TZ=UTC", "PATH=/"} {
		if !strings.Contains(have+"\n", want) {
			t.Errorf("the child lacks %s", want)
		}
	}
	if have := textOf(callWith(t.Context(), compileCommandIn(t, dir, `{argv: [ls]}`), "")); strings.Contains(have, "pwned") {
		t.Error("ran the program of the working directory")
	}
}

func TestAProgramIsFixedWhenRead(t *testing.T) {
	tool, _ := compileCommand(t, `{argv: [no-such-program-here]}`)
	if want := "it runs the command no-such-program-here, which is not found on PATH"; tool.Unavailable() != want {
		t.Errorf("have %q, want %q", tool.Unavailable(), want)
	}
	if have := textOf(callWith(t.Context(), tool, "")); !strings.HasPrefix(have, "unavailable: ") {
		t.Error(have)
	}
	tool, dir := compileCommand(t, `{argv: [./run.sh]}`)
	if want := "it runs the command ./run.sh, but there is no " + filepath.Join(dir, "run.sh"); tool.Unavailable() != want {
		t.Errorf("have %q, want %q", tool.Unavailable(), want)
	}
	writeScript(t, filepath.Join(dir, "run.sh"), `printf "%s in %s" "$0" "$PWD"`)
	tool = compileCommandIn(t, dir, `{argv: [./run.sh], cwd: /}`)
	if have, want := textOf(callWith(t.Context(), tool, "")), filepath.Join(dir, "run.sh")+" in /"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}

// A script is no better than what runs it.
func TestInterpretersOfScripts(t *testing.T) {
	for line, want := range map[string]string{
		"#!/bin/sh": "", "#! /bin/sh -e": "", "#!/usr/bin/env sh": "", "#!/usr/bin/env -S A=1 -u B sh -e": "", "echo no first line of that kind": "", "#!": "",
		"#!/no/such/interpreter -x": "it runs the script ./run, whose first line names /no/such/interpreter, but there is no /no/such/interpreter",
		"#!/usr/bin/env no-such-sh": "it runs the script ./run, whose first line names no-such-sh, which is not found on PATH",
		"#!/usr":                    "it runs the script ./run, whose first line names /usr, but /usr is a directory",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "run"), []byte(line+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		if have := compileCommandIn(t, dir, `{argv: [./run]}`).Unavailable(); have != want {
			t.Errorf("%s: have %q, want %q", line, have, want)
		}
	}
}

func writeScript(t testing.TB, path, body string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestInputAndOutputOfAnySize(t *testing.T) {
	large := strings.Repeat("0123456789abcde\n", 60_000)
	for name, c := range map[string]struct{ config, x, want string }{
		"no input":      {`{argv: [cat]}`, "", ""},
		"echoed":        {`{argv: [cat], stdin: '${input.x}'}`, large, strings.TrimSuffix(large, "\n")},
		"not read":      {`{argv: ['true'], stdin: '${input.x}'}`, large, ""},
		"half read":     {`{argv: [head, -c, 5], stdin: '${input.x}'}`, large, "01234"},
		"both outputs":  {`{shell: 'cat >&2; echo done', stdin: '${input.x}'}`, large, "done"},
		"own directory": {`{shell: 'cat > f; wc -c < f | tr -d " "', cwd: '${dir.scratch}', stdin: '${input.x}'}`, large, "960000"},
	} {
		t.Run(name, func(t *testing.T) {
			tool, dir := compileCommand(t, c.config)
			if have := textOf(callWith(t.Context(), tool, c.x)); have != c.want && len(have) < 64<<10-1000 {
				t.Errorf("have %d bytes %.80q, want %.80q", len(have), have, c.want)
			}
			onlyThese(t, dir)
		})
	}
}

func TestManyCallsAtOnceKeepTheirOwn(t *testing.T) {
	tool, _ := compileCommand(t, `{argv: [sh, -c, 'cat; printf %s "$1"', _, '${input.x}'], stdin: '${input.x}'}`)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			x := fmt.Sprint("value ", i, " ")
			if have := textOf(callWith(context.Background(), tool, x)); have != x+x {
				t.Errorf("have %q, want %q", have, x+x)
			}
		})
	}
	wg.Wait()
}
