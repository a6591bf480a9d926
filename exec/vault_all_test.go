package exec

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// TestSecretsOfTheWholeProgram: a call says none of them, whether it has read it or not.
func TestSecretsOfTheWholeProgram(t *testing.T) {
	const key = `sk-proj-4f/9+"é"`
	t.Setenv("TOOLSPEC_SECRET_KEY", key)
	t.Setenv("TOOLSPEC_SECRET_SHORT", "abc")
	tool := compile(t, "inputSchema: {properties: {a: {type: string}, b: {type: string}}}\nexecutor: {expr: 'input.a + (input.b ?? \"\")'}\n", nil)
	say := func(given string) string { return text(tool.Call(t.Context(), input(t, map[string]any{"a": given}))) }
	for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key), hex.EncodeToString([]byte(key)), strings.ToUpper(hex.EncodeToString([]byte(key))), `sk-proj-4f/9+\"é\"`} {
		if have := say("<" + form + ">"); have != "<secret:KEY>" {
			t.Errorf("%q: have %q", form, have)
		}
	}
	for shift := range 3 {
		encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + key + "yyy"))
		if have := say(encoded); !strings.Contains(have, "secret:KEY") {
			t.Errorf("base64, %d on: have %q", shift, have)
		}
	}
	for _, piece := range []string{key[:8], key[:len(key)-1], key[1:], key[:9] + "…", "abc"} {
		if have := say(piece); have != piece {
			t.Errorf("a piece tells whether a guess is right: %q became %q", piece, have)
		}
	}
	if have := text(tool.Call(t.Context(), input(t, map[string]any{"a": key[:8], "b": key[8:]}))); have != "secret:KEY" {
		t.Errorf("in two halves: have %q", have)
	}
	stubbed := input(t, map[string]any{"a": key})
	stubbed.Stub = &Stub{}
	if have := text(tool.Call(t.Context(), stubbed)); have != key {
		t.Errorf("a test depends on the machine: have %q", have)
	}
}

// TestSecretThatAnotherCallRead: what a source shows to one call no other call says, and what is read again and again does
// not add up.
func TestSecretThatAnotherCallRead(t *testing.T) {
	env := &Env{Policy: DefaultPolicy()}
	n := 0
	env.Policy.Secrets.Lookup = func(context.Context, string) (string, bool, error) {
		n++
		return fmt.Sprintf("token-%06d", n), true, nil
	}
	put, get := "", ""
	env.Funcs = map[string]Executor{
		"put": ExecutorFunc(func(_ context.Context, call *Call) (any, error) { put = call.Args["v"].(string); return nil, nil }),
		"get": ExecutorFunc(func(context.Context, *Call) (any, error) { return get, nil }),
	}
	writer := compileIn(t, env, "executor: {pipeline: [{id: a, func: put, input: {v: '${secret.TOKEN}'}}]}\n")
	reader := compileIn(t, env, "executor: {func: get}\n")
	for range 3 * mostRead {
		writer.Call(t.Context(), use(`{}`))
		get = "it was " + put
		if have := text(reader.Call(t.Context(), use(`{}`))); have != "it was secret:TOKEN" {
			t.Fatalf("have %q", have)
		}
	}
	if kept := len(env.complete().secrets.read); kept != mostRead {
		t.Errorf("%d secrets are kept, want %d", kept, mostRead)
	}
}

// compileIn compiles a tool in an env that it shares with others.
func compileIn(t *testing.T, env *Env, file string) *Tool {
	t.Helper()
	s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\n"+file))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tool, ds := StandardKinds().Compile(env, s)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return tool
}
