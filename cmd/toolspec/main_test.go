package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	tools "github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/sandbox"
)

// tidy are the tests, and the removal of what they built.
type tidy struct{ *testing.M }

// Run runs them.
func (t tidy) Run() int {
	code := t.M.Run()
	if builtDir != "" {
		os.RemoveAll(builtDir)
	}
	return code
}

func TestMain(m *testing.M) {
	os.Setenv(canaryName, canaryValue)
	testscript.Main(tidy{m}, map[string]func(){"toolspec": func() { os.Exit(live(tapped(standard()))) }})
}

// TestScripts runs the command line as its users do; see testdata/script.
func TestScripts(t *testing.T) {
	taps, server := t.TempDir(), mirror(t)
	t.Cleanup(func() { // when all scripts have run
		scripts, err := os.ReadDir(taps)
		if err != nil || len(scripts) == 0 {
			t.Errorf("no taps: %v", err)
		}
		for _, script := range scripts {
			t.Log(script.Name())
			checkTaps(t, filepath.Join(taps, script.Name()))
		}
	})
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("..", "..", "testdata", "script"),
		UpdateScripts: *update,
		Condition: func(name string) (bool, error) {
			if name != "sandbox" {
				return false, errors.New("unknown condition " + name)
			}
			err := sandbox.New().Has(tools.LevelFull)
			if err != nil {
				t.Log("NO SANDBOX HERE: ", err)
			}
			return err == nil, nil
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv(canaryName, canaryValue)
			env.Setenv("SERVER", server)
			tap := filepath.Join(taps, filepath.Base(env.WorkDir))
			env.Setenv(tapVariable, tap)
			return os.Mkdir(tap, 0o700)
		},
	})
}

// patience is how long a test waits for what must come; it only runs out when something is broken.
const patience = time.Minute

// running is a server of the built binary.
type running struct {
	url  string // http://127.0.0.1:PORT
	said *transcript
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start serves a directory over HTTP until the test ends, and checks that the program ends well when told to.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	cmd := exec.Command(program(t), append([]string{"serve", "--http", "127.0.0.1:0"}, args...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := record(stderr)
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-said.ended
		if err := cmd.Wait(); err != nil {
			t.Errorf("toolspec serve: %v\n%s", err, said.text())
		}
	})
	url := said.await(t, address)
	waitFor(t, "readyz", func() bool {
		res, err := http.Get(url + "/readyz")
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	return &running{url, said}
}

// piped starts a program and holds the ends of its standard streams.
func piped(t *testing.T, cmd *exec.Cmd) (in io.WriteCloser, out io.Reader, said *transcript) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err = cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, out, record(stderr)
}

// transcript is what a program says on stderr, as it says it.
type transcript struct {
	mu    sync.Mutex
	lines []string
	more  chan struct{} // closed and made anew at every line
	ended chan struct{}
}

func record(r io.Reader) *transcript {
	tr := &transcript{more: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(tr.ended)
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			tr.mu.Lock()
			tr.lines = append(tr.lines, lines.Text())
			close(tr.more)
			tr.more = make(chan struct{})
			tr.mu.Unlock()
		}
	}()
	return tr
}

func (tr *transcript) text() string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return strings.Join(tr.lines, "\n")
}

// await waits for a line that matches, from the start of the transcript.
func (tr *transcript) await(t *testing.T, want *regexp.Regexp) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		tr.mu.Lock()
		more := tr.more
		for _, line := range tr.lines {
			if found := want.FindString(line); found != "" {
				tr.mu.Unlock()
				return found
			}
		}
		tr.mu.Unlock()
		select {
		case <-more:
		case <-tr.ended:
			t.Fatalf("the program ended without saying %s; it said:\n%s", want, tr.text())
		case <-ctx.Done():
			t.Fatalf("the program never said %s; it said:\n%s", want, tr.text())
		}
	}
}

// waitFor polls what has no event of its own.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// echo is an HTTP service on this machine: GET /echo/WORD answers {"word": WORD}.
func echo(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /echo/{word}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"word": "`+r.PathValue("word")+`"}`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

var ready = flag.String("program", "", "the program to test, built already, without a tap; empty: it is built")

var update = flag.Bool("update", false, "write expected outputs anew")
