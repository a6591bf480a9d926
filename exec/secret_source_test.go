//go:build unix

package exec

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// askSecret calls a tool that hands secret.TOKEN to a server, under a policy of that text with a file for each secret
// beside it. It gives what the server got, what the call says, and the log.
func askSecret(t *testing.T, policy string, files map[string]string, file string) (got string, r spec.ToolResult, said string) {
	t.Helper()
	p, ds, dir := readPolicy(t, policy)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	for name, value := range files {
		if err := os.WriteFile(filepath.Join(dir, "secrets", name), []byte(value), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := record(t, repeatBack)
	var log bytes.Buffer
	tool := compile(t, "executor: {http: {url: '"+server.URL+"', headers: {X-Key: '${secret.TOKEN"+file+"'}}}\n", nil, func(e *Env) {
		e.Policy = p
		e.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	r = tool.Call(t.Context(), use(`{}`))
	for _, q := range server.seen() {
		got += q.header.Get("X-Key")
	}
	out, _ := json.Marshal(r)
	return got, r, string(out) + plainTexts(r) + log.String()
}

func TestSourcesOfSecrets(t *testing.T) {
	const dir, command = "secrets: {dir: secrets}", `secrets: {command: [sh, -c, 'echo "$1-of-command"', x, '${name}']}`
	inFile := map[string]string{"TOKEN": "token-of-file\n"}
	for _, c := range []struct {
		name, policy string
		files        map[string]string
		env          string
		want         string // what the server gets; empty: the call needs_credential
	}{
		{"a file", dir, inFile, "", "token-of-file"},
		{"a file, the environment is not asked", dir, nil, "token-of-env", ""},
		{"a file without a break", dir, map[string]string{"TOKEN": "token-of-file"}, "", "token-of-file"},
		{"a file of another system", dir, map[string]string{"TOKEN": "token-of-file\r\n"}, "", "token-of-file"},
		{"blanks stay", dir, map[string]string{"TOKEN": "token of file  x\n"}, "", "token of file  x"},
		{"an empty file", dir, map[string]string{"TOKEN": "\n"}, "", ""},
		{"another file", dir, map[string]string{"TOKEN2": "x"}, "", ""},
		{"a file too large", dir, map[string]string{"TOKEN": strings.Repeat("x", mostSecret+1)}, "", ""},
		{"a command", command, nil, "", "TOKEN-of-command"},
		{"a command that knows none", "secrets: {command: [sh, -c, 'exit 0', '${name}']}", nil, "", ""},
		{"a command that prints without end", "secrets: {command: [sh, -c, 'head -c 70000 /dev/zero', '${name}']}", nil, "", ""},
		{"the environment is first", "secrets: {env: TOOLSPEC_SECRET_, dir: secrets}", inFile, "token-of-env", "token-of-env"},
		{"the file is next", "secrets: {env: TOOLSPEC_SECRET_, dir: secrets, command: [sh, -c, 'echo token-of-command', '${name}']}", inFile, "", "token-of-file"},
		{"the command is last", "secrets: {env: TOOLSPEC_SECRET_, dir: secrets, command: [sh, -c, 'echo token-of-command', '${name}']}", nil, "", "token-of-command"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TOOLSPEC_SECRET_TOKEN", c.env)
			got, r, said := askSecret(t, c.policy, c.files, "}")
			if got != c.want || (codeOf(r) == spec.CodeNeedsCredential) != (c.want == "") {
				t.Errorf("the server got %q, want %q; %s", got, c.want, text(r))
			}
			if c.want != "" && shows(said, c.want) != "" {
				t.Errorf("the secret is in %s", said)
			}
		})
	}
}

// A command that fails may have printed the secret on the way: nobody is told what it wrote.
func TestWhatASecretsCommandWritesIsToldToNobody(t *testing.T) {
	for _, script := range []string{"echo tok-123456; echo tok-123456 >&2; exit 3", "echo tok-123456; echo tok-123456 >&2; kill -9 $$"} {
		got, r, said := askSecret(t, "secrets: {command: [sh, -c, '"+script+"', '${name}']}", nil, "}")
		if got != "" || codeOf(r) != spec.CodeNeedsCredential || strings.Contains(said, "tok-123456") || !strings.Contains(said, "the command of secrets ") {
			t.Errorf("%s: the server got %q; %s", script, got, said)
		}
	}
}

// The command ends with the call; it finds a short environment and no input.
func TestASecretsCommandIsHeldShort(t *testing.T) {
	t.Setenv("OTHER", "of the server")
	got, r, _ := askSecret(t, `secrets: {command: [sh, -c, 'cat; echo "[$OTHER]$PATH"', '${name}']}`+"\npath: /usr/bin:/bin", nil, "}")
	if got != "[]/usr/bin:/bin" {
		t.Errorf("have %q; %s", got, text(r))
	}
	_, r, _ = askSecret(t, "secrets: {command: [sleep, '1000${name}']}\nlimits: {timeout: 50ms}", nil, "}")
	if r.Status != spec.StatusError || strings.Contains(text(r), "sleep") {
		t.Errorf("have %s", text(r))
	}
}

func TestASecretThatMayBeMissing(t *testing.T) {
	got, r, _ := askSecret(t, "secrets: {dir: secrets}", nil, ` ?? "none"}`)
	if got != "none" {
		t.Errorf("have %q; %s", got, text(r))
	}
	_, r, _ = askSecret(t, "secrets: {env: MY_, dir: secrets, command: [true, '${name}']}", nil, "}")
	const want = "the operator gives it to the server as the environment variable MY_TOKEN, or as the file TOKEN in its directory of secrets, or by its command for secrets"
	if !strings.Contains(text(r), want) {
		t.Errorf("have %s", text(r))
	}
}
