package exec_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/toolspec/toolspec/exec"
)

// ground is where hostile values are let loose: a directory whose every change is seen, a port that nobody may connect
// to, and programs that write down what they got.
type ground struct {
	t       *testing.T
	dir     string // dir.work
	records string
	port    string // of the listener that nobody may reach
	reached *atomic.Int32
	before  []string // what is in dir
	env     *exec.Env
}

// builtRecorder is its directory, which TestMain removes.
var builtRecorder string

// recorderProgram is built once for all tests: it starts in a tenth of the time that this binary takes.
var recorderProgram = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "recorder-")
	if err != nil {
		return "", err
	}
	builtRecorder = dir
	if out, err := osexec.Command("go", "build", "-o", filepath.Join(dir, "recorder"), "../testdata/recorder").CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return dir, nil
})

func newGround(t *testing.T) *ground {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("*** NOT TESTED HERE: the recorder is a program for Unix")
	}
	bin, err := recorderProgram()
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{t: t, dir: t.TempDir(), records: t.TempDir()}
	if g.dir, err = filepath.EvalSymlinks(g.dir); err != nil {
		t.Fatal(err)
	}
	keepDescriptors()
	g.port, g.reached = forbiddenPort(t)
	t.Setenv("LC_RECORD_TO", g.records) // a mark, too, by which the processes of this test are known
	t.Setenv("TMPDIR", t.TempDir())     // of scratch directories
	t.Setenv("TOOLSPEC_SECRET_HOSTILE", "a-secret-of-the-operator")
	g.env = &exec.Env{Policy: exec.DefaultPolicy(), WorkDir: g.dir}
	g.env.Policy.Path = bin + ":/usr/bin:/bin"
	g.env.Policy.Limits.Output, g.env.Policy.Defaults.Output = 4<<20, 4<<20
	g.env.Resolve(&net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("there is no name server here")
	}})
	return g
}

// forbiddenPort is a port of this machine, in both families, and how often it was connected to.
func forbiddenPort(t *testing.T) (string, *atomic.Int32) {
	t.Helper()
	reached := new(atomic.Int32)
	listen := func(address string) net.Listener {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			return nil
		}
		t.Cleanup(func() { listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				reached.Add(1)
				conn.Close()
			}
		}()
		return listener
	}
	listener := listen("127.0.0.1:0")
	if listener == nil {
		t.Fatal("no port to be had")
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	listen("[::1]:" + port)
	return port, reached
}

// fence remembers what is in the directory now: nothing may be added.
func (g *ground) fence() { g.before = tree(g.t, g.dir) }

// check finds what values did beyond arriving: files, processes, connections.
func (g *ground) check() {
	g.t.Helper()
	if now := tree(g.t, g.dir); !slices.Equal(now, g.before) {
		g.t.Errorf("files were made or removed: %d before, %d now", len(g.before), len(now))
		for _, f := range now {
			if !slices.Contains(g.before, f) {
				g.t.Errorf("made: %q", f)
			}
		}
	}
	for _, where := range []string{".", os.Getenv("TMPDIR")} {
		if _, err := os.Lstat(filepath.Join(where, "pwned")); err == nil {
			g.t.Errorf("there is a file pwned in %s", where)
		}
	}
	if left := tree(g.t, os.Getenv("TMPDIR")); len(left) > 1 {
		g.t.Errorf("temporary files are left: %q", left)
	}
	if n := g.reached.Load(); n > 0 {
		g.t.Errorf("%d connections to where nobody may connect", n)
	}
	if left := marked("LC_RECORD_TO=" + g.records); len(left) > 0 {
		g.t.Errorf("processes are left: %q", left)
	}
}

// tree are all paths below a directory.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	if err := filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
		all = append(all, path)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// marked are the processes, but for this one, that have a variable in their environment; none where there is no /proc.
func marked(pair string) []string {
	var found []string
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range environs {
		content, err := os.ReadFile(file)
		if err != nil || !slices.Contains(strings.Split(string(content), "\x00"), pair) {
			continue
		}
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		found = append(found, string(command))
	}
	return found
}

// recorded is what the recorder was started with.
type recorded struct {
	Args        [][]byte
	Env         map[string][]byte
	Stdin       []byte
	Dir         []byte
	Descriptors []int
}

// taken are the records since it was last asked for them.
func (g *ground) taken() []recorded {
	g.t.Helper()
	files, err := filepath.Glob(filepath.Join(g.records, "record-*"))
	if err != nil {
		g.t.Fatal(err)
	}
	var all []recorded
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			g.t.Fatal(err)
		}
		var r recorded
		if err := json.Unmarshal(content, &r); err != nil {
			g.t.Fatal(err)
		}
		all = append(all, r)
		if err := os.Remove(file); err != nil {
			g.t.Fatal(err)
		}
	}
	return all
}
