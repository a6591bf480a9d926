package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// A tool that hangs leaves the others be, however often it is called; what is too much is refused, and an edit of its file
// gives it no more.
func TestServeLeavesPlacesToOthers(t *testing.T) {
	release := make(chan struct{})
	hung := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer hung.Close()
	dir, policy := t.TempDir(), filepath.Join(t.TempDir(), "policy.yaml")
	file := "description: Hangs.\nexecutor: {http: {url: '" + hung.URL + "'}}\nname: hung\n"
	write(t, filepath.Join(dir, "hung.yaml"), file)
	write(t, filepath.Join(dir, "quick.yaml"), "name: quick\ndescription: Answers.\nexecutor: {expr: '1'}\n")
	write(t, policy, "limits: {concurrency: 4, queue: 4}\n")
	server := start(t, "-d", dir, "--policy", policy)
	call := func(tool string) (r spec.ToolResult) {
		res, err := http.Post(server.url+"/v1/tools/"+tool, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Error(err)
			return r
		}
		defer res.Body.Close()
		if err := json.NewDecoder(res.Body).Decode(&r); err != nil {
			t.Error(err)
		}
		return r
	}
	came := make(chan spec.ToolResult)
	for range 4 {
		go func() { came <- call("hung") }()
	}
	await := func(samples ...string) {
		t.Helper()
		waitFor(t, fmt.Sprint(samples), func() bool {
			told := server.metrics(t)
			for _, sample := range samples {
				if !strings.Contains(told, "\n"+sample+"\n") {
					return false
				}
			}
			return true
		})
	}
	await("toolspec_places 4", "toolspec_places_in_use 2", "toolspec_calls_waiting 2", `toolspec_tool_calls_running{tool="hung"} 2`, `toolspec_tool_calls_waiting{tool="hung"} 2`)
	write(t, filepath.Join(dir, "hung.yaml"), file+"title: Edited\n")
	await("toolspec_generation 2")
	for range 3 {
		if r := call("hung"); r.Metadata.Error == nil || r.Metadata.Error.Code != spec.CodeUnavailable || !r.Metadata.Error.Retryable {
			t.Errorf("have %+v", r)
		}
		if r := call("quick"); r.Status != spec.StatusSuccess {
			t.Errorf("have %+v", r)
		}
	}
	await(`toolspec_calls_refused_total{limit="tool_queue"} 3`, "toolspec_places_in_use 2")
	close(release)
	for range 4 {
		if r := <-came; r.Status != spec.StatusSuccess {
			t.Errorf("have %+v", r)
		}
	}
	await("toolspec_places_in_use 0", "toolspec_calls_waiting 0")
}
