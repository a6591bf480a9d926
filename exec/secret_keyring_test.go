package exec

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// TestTheKeyringIsAskedLast, and only for what the others do not have; what it gives is masked like all.
func TestTheKeyringIsAskedLast(t *testing.T) {
	locked := &spec.Error{Code: spec.CodeNeedsCredential, Message: "the keyring is locked", Err: errors.New("cause-for-the-log")}
	for _, c := range []struct {
		name, env, file, value string
		err                    error
		got, says              string
		asked                  int
	}{
		{"environment", "of-environment", "of-file", "of-keyring", nil, "of-environment", "", 0},
		{"directory", "", "of-file", "of-keyring", nil, "of-file", "", 0},
		{"keyring", "", "", "of-keyring\n", nil, "of-keyring", "", 1},
		{"nobody", "", "", "", nil, "", "the secret TOKEN is not there; the operator gives it to the server as the environment variable X_TOKEN, or as the file TOKEN in its directory of secrets, or as TOKEN of the service my-tools in the system's keyring", 1},
		{"locked", "", "", "", locked, "", "the secret TOKEN cannot be read just now: the keyring is locked", 1},
		{"broken", "", "", "", errors.New("cause-for-the-log"), "", "the secret TOKEN cannot be read just now; the server's log says why", 1},
		{"too large", "", "", strings.Repeat("x", mostSecret+1), nil, "", "the secret TOKEN cannot be read just now; the server's log says why", 1},
	} {
		p, ds, dir := readPolicy(t, "secrets: {env: X_, dir: secrets, keyring: my-tools}")
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		t.Setenv("X_TOKEN", c.env)
		if c.file != "" {
			if err := os.WriteFile(filepath.Join(dir, "secrets", "TOKEN"), []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		asked := 0
		p.Secrets.AskKeyring = func(_ context.Context, service, name string) (string, bool, error) {
			if asked++; service != "my-tools" || name != "TOKEN" {
				t.Errorf("asked for %s of %s", name, service)
			}
			return c.value, c.value != "", c.err
		}
		server := record(t, repeatBack)
		var log bytes.Buffer
		tool := compile(t, "executor: {http: {url: '"+server.URL+"', headers: {X-Key: '${secret.TOKEN}'}}}\n", nil, func(e *Env) {
			e.Policy, e.Log = p, slog.New(slog.NewTextHandler(&log, nil))
		})
		r := tool.Call(t.Context(), use(`{}`))
		got := ""
		for _, q := range server.seen() {
			got += q.header.Get("X-Key")
		}
		if got != c.got || asked != c.asked || c.got == "" && (codeOf(r) != spec.CodeNeedsCredential || text(r) != "Error: "+c.says) {
			t.Errorf("%s: the server got %q, the keyring was asked %d times: %s", c.name, got, asked, text(r))
		}
		if c.got != "" && strings.Contains(text(r)+log.String(), c.got) || strings.Contains(text(r), "cause-for") || c.err != nil && !strings.Contains(log.String(), "keyring is locked") && !strings.Contains(log.String(), "cause-for") {
			t.Errorf("%s: says %s, logs %s", c.name, text(r), log.String())
		}
	}
}

func TestAProgramWithoutAKeyring(t *testing.T) {
	tool := compile(t, "executor: {http: {url: 'http://127.0.0.1:1', headers: {X-Key: '${secret.TOKEN}'}}}\n", nil, func(e *Env) {
		e.Policy.Secrets = Secrets{Keyring: "my-tools"}
	})
	if r := tool.Call(t.Context(), use(`{}`)); codeOf(r) != spec.CodeNeedsCredential || text(r) != "Error: the secret TOKEN cannot be read just now: this program asks no keyring" {
		t.Errorf("have %s", text(r))
	}
}
