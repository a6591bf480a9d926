package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
)

// listen opens an event stream, and gives what it says, a block at a time.
func listen(t *testing.T, url string) func() string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url+"/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	if have := res.Header.Get("Content-Type"); have != "text/event-stream" {
		t.Fatalf("Content-Type %q", have)
	}
	lines := bufio.NewReader(res.Body)
	return func() string {
		var block strings.Builder
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return err.Error()
			}
			if line == "\n" {
				return block.String()
			}
			block.WriteString(line)
		}
	}
}

func TestEventsOnePerChange(t *testing.T) {
	reg, web := offer(t, Options{}, compile(t, "add", addFile, nil))
	next := listen(t, web.URL)
	if have := next(); have != ": generation 1\n" {
		t.Fatalf("have %q", have)
	}
	for _, c := range []struct {
		tools []*exec.Tool
		want  registry.Change
	}{
		{[]*exec.Tool{compile(t, "add", addFile, nil), compile(t, "one", "executor: {expr: '1'}", nil)}, registry.Change{Generation: 2, Added: []string{"one"}, Contract: true}},
		{[]*exec.Tool{compile(t, "add", addFile, nil), compile(t, "one", "executor: {expr: '2'}", nil)}, registry.Change{Generation: 3, Updated: []string{"one"}}},
		{[]*exec.Tool{compile(t, "one", "executor: {expr: '2'}", nil)}, registry.Change{Generation: 4, Removed: []string{"add"}, Contract: true}},
	} {
		reg.Replace("test", c.tools, nil)
		block := next()
		head, data, _ := strings.Cut(block, "data: ")
		var have registry.Change
		if err := json.Unmarshal([]byte(data), &have); err != nil {
			t.Fatalf("%s: %v", block, err)
		}
		if have.Generation != c.want.Generation || have.Contract != c.want.Contract || strings.Join(have.Added, "") != strings.Join(c.want.Added, "") ||
			strings.Join(have.Updated, "") != strings.Join(c.want.Updated, "") || strings.Join(have.Removed, "") != strings.Join(c.want.Removed, "") {
			t.Errorf("have %+v\nwant %+v", have, c.want)
		}
		if !strings.HasPrefix(head, "event: change\nid: ") {
			t.Errorf("head %q", head)
		}
	}
}

// A server that is told to stop ends its streams and lets calls end.
func TestRunEndsWell(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	wait := exec.ExecutorFunc(func(context.Context, *exec.Call) (any, error) {
		close(started)
		<-release
		return "done", nil
	})
	reg := registry.New()
	reg.Replace("test", []*exec.Tool{compile(t, "wait", "executor: {func: wait}", map[string]exec.Executor{"wait": wait})}, nil)
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped, ran := make(chan struct{}), make(chan error, 1)
	go func() {
		ran <- Run(ctx, l, Handler(ctx, reg, Options{}), func(context.Context) { close(stopped) }, slog.New(slog.DiscardHandler))
	}()
	url := "http://" + l.Addr().String()
	next := listen(t, url)
	next()
	answer := make(chan string, 1)
	go func() {
		_, text := ask(t, "POST", url+"/v1/tools/wait", "")
		answer <- text
	}()
	<-started
	cancel()
	<-stopped
	if have := next(); have != io.EOF.Error() {
		t.Errorf("the stream goes on: %q", have)
	}
	close(release)
	if have := <-answer; !strings.Contains(have, "done") {
		t.Errorf("have %s", have)
	}
	if err := <-ran; err != nil {
		t.Error(err)
	}
}

func TestRunSaysWhyItCannotServe(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := Run(t.Context(), l, http.NotFoundHandler(), nil, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("served on a closed listener")
	}
}
