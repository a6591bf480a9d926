package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sayings are tools that bring a secret to light in every way that they can: each has read it, or finds it in a file that
// holds it.
var sayings = map[string]string{
	"out":       `command: {shell: 'printf %s "$X"', env: {X: '${secret.CANARY}'}}`,
	"err":       `command: {shell: 'printf %s "$X" >&2; exit 3', env: {X: '${secret.CANARY}'}}`,
	"signal":    `command: {shell: 'printf %s "$X"; kill -9 $$', env: {X: '${secret.CANARY}'}}`,
	"slow":      `command: {shell: 'echo "$X" >&2; exec sleep 60', env: {X: '${secret.CANARY}'}}`,
	"encoded":   `command: {shell: 'printf %s "$X" | base64 -w0; printf x%s "$X" | base64 -w0; printf xx%s "$X" | base64 -w0; printf %s "$X" | od -An -tx1 -v | tr -d " \n"', env: {X: '${secret.CANARY}'}}`,
	"argv":      `command: {argv: [printf, '%s', '${secret.CANARY}']}`,
	"file":      `command: {argv: [cat, HERE/kept.txt]}`,
	"json":      `command: {argv: [cat, HERE/kept.json], output: json}`,
	"bytes":     `command: {argv: [cat, HERE/kept.txt], output: bytes}`,
	"echo":      `http: {url: 'SERVER/echo', auth: {bearer: 'x${toBase64(secret.CANARY)}'}, headers: {X-A: '${toBase64(secret.CANARY)}'}, body: {json: {a: '${secret.CANARY}'}}}`,
	"refused":   `http: {url: 'SERVER/refused', query: {key: '${secret.CANARY}'}, auth: {basic: {username: u, password: '${secret.CANARY}'}}}`,
	"nowhere":   `http: {url: 'http://127.0.0.1:1/', query: {key: '${secret.CANARY}'}}`,
	"elsewhere": `http: {url: 'SERVER/elsewhere', redirects: 2, query: {key: '${secret.CANARY}'}}`,
	"step":      `pipeline: [{id: a, tool: out}, {id: b, expr: 'steps.a + upper(steps.a)'}]`,
	"wrong":     `pipeline: [{id: a, tool: file}, {id: b, expr: 'int(steps.a)'}]`,
	"unheard":   `command: {argv: [printf, '%s', '${secret.NOT_GIVEN}']}`,
}

// layOutSayings writes those tools, and what they find secrets in.
func layOutSayings(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/refused":
			w.WriteHeader(http.StatusForbidden)
		case "/elsewhere":
			http.Redirect(w, r, "http://127.0.0.1:1/"+r.URL.RawQuery, http.StatusFound)
		}
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "%s %s %v %s", r.RequestURI, r.URL.Query(), r.Header, body)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kept.txt"), canaryValue)
	write(t, filepath.Join(dir, "kept.json"), fmt.Sprintf(`{"a": %q, "b": [{%[1]q: 1}]}`, strings.ReplaceAll(canaryValue, `\`, `\u005c`)))
	for name, executor := range sayings {
		executor = strings.ReplaceAll(strings.ReplaceAll(executor, "HERE", dir), "SERVER", server.URL)
		write(t, filepath.Join(dir, "tools", name+".yaml"), "name: "+name+"\ndescription: Says a secret.\ntimeout: 1s\nexecutor: {"+executor+"}\n")
	}
	write(t, filepath.Join(dir, "tools", "broken.yaml"), "name: broken\ndescription: Does not load.\nexecutor: {expr: secret.CANARY}\n")
	return dir
}

// TestNoSecretLeavesTheProgram has every way out of the program carry what tools say of a secret; the taps find whether it is
// among that.
func TestNoSecretLeavesTheProgram(t *testing.T) {
	dir := layOutSayings(t)
	tools := filepath.Join(dir, "tools")
	said := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(program(t), args...).CombinedOutput(); err != nil && len(out) == 0 {
			t.Errorf("%v: %v", args, err)
		}
	}
	for name := range sayings {
		said("call", "-d", tools, name)
		said("call", "-d", tools, name, "--json")
		said("call", "-d", tools, name, "--dry-run")
		said("call", "-d", tools, name, "--record")
		said("show", "-d", tools, name)
	}
	recorded, err := filepath.Glob(filepath.Join(tools, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range recorded {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, leak := range leaks(text, []string{canaryValue}, leastSecret) {
			t.Errorf("%s was recorded with %s", file, leak)
		}
	}
	for _, format := range []string{"strands", "bedrock", "anthropic", "openai", "openai-strict", "gemini", "mcp", "markdown"} {
		said("export", "-d", tools, "--to", format)
	}
	report := filepath.Join(dir, "junit.xml")
	for _, args := range [][]string{{"list", "-d", tools}, {"list", "-d", tools, "--json"}, {"check", tools}, {"check", tools, "--json"}, {"check", tools, "--sarif"}, {"test", tools, "-v", "--junit", report}, {"policy", "-d", tools}} {
		said(args...)
	}
	if text, err := os.ReadFile(report); err != nil || len(leaks(text, []string{canaryValue}, leastSecret)) > 0 {
		t.Errorf("%v %s", err, text)
	}
	s := start(t, "-d", tools)
	get := func(method, path string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if _, err := io.ReadAll(res.Body); err != nil {
			t.Error(err)
		}
	}
	for name := range sayings {
		get(http.MethodPost, "/v1/tools/"+name)
		get(http.MethodPost, "/v1/tools/"+name+"?dryRun=1")
	}
	for _, path := range []string{"/v1/tools", "/v1/status", "/metrics", "/openapi.json", "/healthz", "/v1/tools/out"} {
		get(http.MethodGet, path)
	}
	sayOverStdio(t, tools)
}

// sayOverStdio calls them all as an agent does, with progress.
func sayOverStdio(t *testing.T, tools string) {
	t.Helper()
	cmd := exec.Command(program(t), "serve", "-d", tools)
	in, out, said := piped(t, cmd)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	id := 2
	for name := range sayings {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{},"_meta":{"progressToken":%[1]d}}}`+"\n", id, name)
		id++
	}
	answers := 0
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 8<<20)
	for answers < id && lines.Scan() {
		if strings.Contains(lines.Text(), `"result"`) || strings.Contains(lines.Text(), `"error"`) {
			answers++
		}
	}
	in.Close()
	_, _ = io.Copy(io.Discard, out)
	<-said.ended
	if err := cmd.Wait(); err != nil || answers != id {
		t.Errorf("%d of %d answers, %v\n%s", answers, id, err, said.text())
	}
}
