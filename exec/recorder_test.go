package exec_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be the programs that command tools run: under another name it is one of them.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "recorder":
		record()
	case "sleeper":
		time.Sleep(time.Hour)
	default:
		code := m.Run()
		if builtRecorder != "" {
			os.RemoveAll(builtRecorder)
		}
		os.Exit(code)
	}
}

// recording is what a process got from us.
type recording struct {
	Args  []string          `json:"args"`
	Stdin string            `json:"stdin,omitempty"`
	Env   map[string]string `json:"env,omitempty"`
}

// record prints what the process got: its arguments, its input, and what is in its environment by our doing.
func record() {
	stdin, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	r := recording{Args: os.Args[1:], Stdin: string(stdin), Env: map[string]string{}}
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "INPUT_") || strings.HasPrefix(name, "TOOLSPEC_") || strings.HasPrefix(name, "X_") {
			r.Env[name] = value
		}
	}
	e := json.NewEncoder(os.Stdout)
	e.SetEscapeHTML(false)
	_ = e.Encode(r)
}

// recorderPath makes a directory that holds the programs of this file, and gives a PATH that starts with it.
func recorderPath(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"recorder", "sleeper"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	return dir + string(filepath.ListSeparator) + os.Getenv("PATH")
}
