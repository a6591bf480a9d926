//go:build unix

package exec_test

import (
	"encoding/json"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// How a program ended is told apart by what a program can read, too.
func TestHowAProgramEndedIsInTheMetadata(t *testing.T) {
	for shell, want := range map[string]string{
		"exit 3":                        `{"code":"failed","retryable":false,"exitCode":3}`,
		"exit 143":                      `{"code":"failed","retryable":false,"exitCode":143}`,
		"kill -TERM $$":                 `{"code":"failed","retryable":false,"signal":"SIGTERM"}`,
		"kill -SEGV $$":                 `{"code":"failed","retryable":false,"signal":"SIGSEGV"}`,
		"echo late >&2; exec sleep 100": `{"code":"timeout","retryable":true}`,
	} {
		tool, _ := compileCommand(t, `{shell: '`+shell+`'}`)
		ctx := late{t.Context(), make(chan struct{})}
		r := tool.Call(ctx, exec.Call{Progress: func(string) { close(ctx.done) }})
		if have, err := json.Marshal(r.Metadata.Error); err != nil || string(have) != want {
			t.Errorf("%s: %s, %v, want %s", shell, have, err, want)
		}
	}
	tool, _ := compileCommand(t, `{shell: 'echo line >&2; exec sleep 100'}`)
	r, _ := callUntil(t.Context(), tool)
	if have, err := json.Marshal(r.Metadata.Error); err != nil || string(have) != `{"code":"canceled","retryable":false}` {
		t.Errorf("%s, %v", have, err)
	}
}

// result.error may have better words for it, and a step is named; how the program ended stays.
func TestBetterWordsKeepHowItEnded(t *testing.T) {
	for name, rest := range map[string]string{
		"in other words": "executor: {command: {shell: exit 3}}\nresult: {error: 'Nothing was found.'}\n",
		"in a step":      "executor: {pipeline: [{id: one, command: {shell: exit 3}}]}\n",
	} {
		r := compileText(t, "name: t\ndescription: A tool.\n"+rest).Call(t.Context(), exec.Call{})
		if e := r.Metadata.Error; e == nil || e.ExitCode == nil || *e.ExitCode != 3 {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func compileText(t *testing.T, file string) *exec.Tool {
	t.Helper()
	s, ds := spec.Parse("t.yaml", []byte(file))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	env := &exec.Env{Policy: exec.DefaultPolicy()}
	env.Policy.Defaults.Read = 64 << 10
	tool, ds := exec.StandardKinds().Compile(env, s)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return tool
}

// What was cut while it was read is said in the metadata, whatever the result still shows of it.
func TestACutOutputIsInTheMetadata(t *testing.T) {
	const flood, drop = `head -c 300000 /dev/zero | tr "\\0" a`, `head -c 3000 /dev/zero | tr "\\0" a`
	for name, c := range map[string]struct {
		rest string
		cut  bool
	}{
		"text":            {"executor: {command: {shell: '" + flood + "'}}", true},
		"not shown":       {"executor: {command: {shell: '" + flood + "'}}\nresult: {content: [{text: fine}]}", true},
		"an error":        {"executor: {command: {shell: '" + flood + "; exit 1'}}", true},
		"another format":  {"executor: {command: {shell: '" + flood + "', output: json}}", true},
		"in a step":       {"executor: {pipeline: [{id: one, command: {shell: '" + flood + "'}}, {id: two, expr: '1'}]}", true},
		"in each of some": {"executor: {pipeline: [{id: one, each: '[1]', command: {shell: '" + flood + "'}}, {id: two, expr: '1'}]}", true},
		"little":          {"executor: {command: {shell: '" + drop + "'}}", false},
	} {
		r := compileText(t, "name: t\ndescription: A tool.\n"+c.rest+"\n").Call(t.Context(), exec.Call{})
		if r.Metadata.Truncated != c.cut {
			t.Errorf("%s: %+v", name, r.Metadata)
		}
	}
}
