package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A broken edit is seen by whoever looks at metrics alone: that it is there, in which file, and that it is no more.
func TestMetricsOfABrokenEdit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "greet.yaml")
	const good = "name: greet\ndescription: Greets.\nexecutor: {expr: '\"hello\"'}\n"
	write(t, path, good)
	server := start(t, "-d", dir, "--builtin")
	await := func(sample string) {
		t.Helper()
		waitFor(t, sample, func() bool { return strings.Contains(server.metrics(t), "\n"+sample+"\n") })
	}
	await(`toolspec_tools{status="stale"} 0`)
	await(`toolspec_watch_mode{dir="` + dir + `",mode="events"} 1`)
	before := server.metrics(t)
	write(t, path, "name: greet\ndescription: \"Greets\n")
	await(`toolspec_tools{status="stale"} 1`)
	await(`toolspec_file_stale{file="` + path + `",tool="greet"} 1`)
	await(`toolspec_diagnostics{severity="error"} 1`)
	for _, call := range []string{"greet", "greet", "nobody"} {
		res, err := http.Post(server.url+"/v1/tools/"+call, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
	}
	await(`toolspec_calls_total{code="ok",tool="greet"} 2`)
	write(t, path, good)
	await(`toolspec_tools{status="stale"} 0`)
	after := server.metrics(t)
	if strings.Contains(after, "toolspec_file_stale{") || strings.Contains(after, "nobody") {
		t.Errorf("too much is told:\n%s", after)
	}
	count := regexp.MustCompile(`(?m)^toolspec_reloads_total .*$`)
	if count.FindString(before) == count.FindString(after) {
		t.Errorf("two changes were not counted: %s", count.FindString(after))
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the end of a tool's series", func() bool { return !strings.Contains(server.metrics(t), `tool="greet"`) })
}

func (r *running) metrics(t *testing.T) string {
	t.Helper()
	res, err := http.Get(r.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") {
		t.Fatalf("%s, %s, %v", res.Status, res.Header.Get("Content-Type"), err)
	}
	return string(text)
}
