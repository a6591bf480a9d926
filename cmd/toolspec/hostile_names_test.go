package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hostileTexts are the values of testdata/hostile, as JSON.
func hostileTexts(t *testing.T) []json.RawMessage {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "hostile", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	var all []json.RawMessage
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var some []json.RawMessage
		if err := json.Unmarshal(text, &some); err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// TestHostileNames has hostile values as names of tools and as inputs over HTTP and MCP: nothing is called, each is answered,
// and the server goes on.
func TestHostileNames(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "only.yaml"), "name: only\ndescription: The only tool.\nexecutor: {command: {argv: [touch, "+filepath.Join(dir, "called")+"]}}\n")
	texts := hostileTexts(t)
	s := start(t, "-d", dir)
	post := func(path, body string) int {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatalf("%.200q: %v", path, err)
		}
		defer res.Body.Close()
		if text, err := io.ReadAll(res.Body); err != nil || strings.Contains(string(text), `"status":"success"`) {
			t.Errorf("%.200q: %.200s, %v", path, text, err)
		}
		return res.StatusCode
	}
	for _, raw := range texts {
		var name string
		if json.Unmarshal(raw, &name) == nil && len(name) < 1000 {
			if code := post("/v1/tools/"+url.PathEscape(name), "{}"); code < 300 || code >= 500 {
				t.Errorf("the tool %.100q: %d", name, code)
			}
		}
		if code := post("/v1/call", `{"name":`+string(raw)+`,"input":{}}`); code >= 500 {
			t.Errorf("a call of %.100s: %d", raw, code)
		}
		if code := post("/v1/tools/only", `{"x":`+string(raw)+`}`); code >= 500 {
			t.Errorf("with %.100s: %d", raw, code)
		}
	}
	hostileOverStdio(t, dir, texts)
	if _, err := os.Stat(filepath.Join(dir, "called")); err == nil {
		t.Error("the tool was called")
	}
}

func hostileOverStdio(t *testing.T, dir string, texts []json.RawMessage) {
	t.Helper()
	cmd := exec.Command(program(t), "serve", "-d", dir)
	in, out, said := piped(t, cmd)
	var messages bytes.Buffer
	messages.WriteString(`{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	for i, raw := range texts {
		fmt.Fprintf(&messages, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s,"arguments":{}}}`+"\n", i, raw)
	}
	go func() {
		_, _ = io.Copy(in, &messages)
		in.Close()
	}()
	lines, errors := bufio.NewScanner(out), 0
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		switch text := lines.Text(); {
		case !json.Valid(lines.Bytes()):
			t.Errorf("no message: %.200q", text)
		case strings.Contains(text, `"error":{`):
			errors++
		case !strings.Contains(text, `"id":"first"`):
			t.Errorf("no error: %.200q", text)
		}
	}
	<-said.ended
	if err := cmd.Wait(); err != nil || errors != len(texts) {
		t.Errorf("%d errors for %d calls, %v\n%s", errors, len(texts), err, said.text())
	}
}
