package main

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/loader"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	readmeFile    = regexp.MustCompile("(?s)<!-- file: (\\S+) -->\n```\\w+\n(.*?)```")
	readmeSession = regexp.MustCompile("(?s)```console\n(.*?)```")
)

// TestReadmeSessions writes the files that the README shows and runs every console session in it, in order, in one folder:
// each must print what it shows, where a line … stands for anything.
func TestReadmeSessions(t *testing.T) {
	text, dir := freePort(t, readme(t), "127.0.0.1:8090"), t.TempDir() // files name this one, too
	for _, m := range readmeFile.FindAllStringSubmatch(text, -1) {
		write(t, filepath.Join(dir, m[1]), m[2])
	}
	sessions := readmeSession.FindAllStringSubmatch(text, -1)
	if len(sessions) == 0 {
		t.Fatal("the README shows no session")
	}
	for _, m := range sessions {
		session(t, dir, freePort(t, m[1], "127.0.0.1:8080"))
	}
}

// freePort puts a free port in the place of one that the README shows. It is none of those that connections are given
// by themselves, so that it is still free when it is asked for.
func freePort(t *testing.T, text, shown string) string {
	t.Helper()
	for port := 20000 + os.Getpid()%5000; port < 30000; port++ {
		address := fmt.Sprintf("127.0.0.1:%d", port)
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return strings.ReplaceAll(text, shown, address)
		}
	}
	t.Fatal("no port is free")
	return ""
}

// inBackground runs a command that goes on while others are typed, once it has said something or is at its end.
const inBackground = "%s > .said 2>&1 &\nwhile kill -0 $! 2>/dev/null && ! [ -s .said ]; do :; done\ncat .said\necho '@@@'\n"

// session runs the lines that start with "$ " in one shell, and compares what follows each.
func session(t *testing.T, dir, text string) {
	t.Helper()
	var script strings.Builder
	var want []string
	for _, block := range strings.Split("\n"+text, "\n$ ")[1:] {
		command, shown, _ := strings.Cut(block, "\n")
		if going, ok := strings.CutSuffix(command, " &"); ok {
			fmt.Fprintf(&script, inBackground, going)
		} else if strings.HasPrefix(command, "kill ") { // the next line comes when it is gone, as it does where a person types
			fmt.Fprintf(&script, "%s\nwait\necho '@@@'\n", command)
		} else {
			fmt.Fprintf(&script, "%s\necho '@@@'\n", command)
		}
		want = append(want, strings.TrimRight(shown, "\n"))
	}
	cmd := osexec.Command("sh", "-c", "exec 2>&1\n"+script.String())
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	have := strings.Split(string(out), "@@@\n")
	for i, shown := range want {
		if i >= len(have) || !matches(shown, strings.TrimRight(have[i], "\n")) {
			t.Errorf("the README shows\n%s\nbut it prints\n%s", shown, have[min(i, len(have)-1)])
		}
	}
}

// matches compares line by line; … within a line stands for the rest of it, alone on a line for any lines.
func matches(shown, have string) bool {
	pattern := regexp.QuoteMeta(shown)
	pattern = strings.ReplaceAll(pattern, "\n…\n", "\n(?s:.*)\n")
	pattern = strings.TrimSuffix(pattern, "\n…")
	if strings.HasSuffix(shown, "\n…") {
		pattern += `(?s:.*)`
	}
	pattern = strings.ReplaceAll(pattern, "…", ".*")
	return regexp.MustCompile(`^` + pattern + `$`).MatchString(have)
}

// TestReadmeGo holds the Go that the README shows to an example that runs.
func TestReadmeGo(t *testing.T) {
	_, api, _ := strings.Cut(readme(t), "\n## Go API\n")
	block := regexp.MustCompile("(?s)```go\n(.*?)```").FindStringSubmatch(api)
	if block == nil {
		t.Fatal("the README shows no Go")
	}
	example, err := os.ReadFile(filepath.Join("..", "..", "loader", "example_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(block[1]) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(string(example), line) {
			t.Errorf("loader/example_test.go does not run this line of the README: %s", line)
		}
	}
}

// TestReadmeFiles compiles every whole tool file that the README shows.
func TestReadmeFiles(t *testing.T) {
	shown := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	whole := 0
	for _, m := range shown {
		if !strings.HasPrefix(m[1], "name:") {
			continue // a part of one
		}
		whole++
		path := filepath.Join(t.TempDir(), "shown.yaml")
		write(t, path, m[1])
		if _, ds := loader.LoadFile(path, exec.StandardKinds(), environment(slog.New(slog.DiscardHandler))); ds.HasErrors() {
			t.Errorf("%v\n%s", ds.Err(), m[1])
		}
	}
	if whole == 0 {
		t.Error("the README shows no tool file")
	}
}

// TestDemo runs what `make demo` runs.
func TestDemo(t *testing.T) {
	cmd := osexec.Command("go", "run", "./testdata/demo", program(t))
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"Hello, Ada!", "Good evening, Ada!", "list_changed", "status: stale", "the list has 0 tools"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the demo does not show %q:\n%s", want, out)
		}
	}
}
