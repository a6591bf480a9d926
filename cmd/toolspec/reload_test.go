package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/serve"
	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/testdata/reload"
)

// TestReload runs testdata/reload/*.txtar against the built binary, over HTTP.
func TestReload(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "reload", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	program(t) // built before the first clock ticks
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			if strings.Contains(file, "-limit.") || strings.Contains(file, "overflow") {
				if err := canLimit(); err != nil {
					t.Skip("no user namespace to be had:", err)
				}
			}
			reload.Run(t, file, &server{})
		})
	}
}

// server is the built program, serving directories over HTTP.
type server struct {
	url  string
	cmd  *exec.Cmd
	said *transcript

	namespace *syscall.SysProcAttr // nil: none of its own
	before    string               // what a shell does there before the program starts
}

func (b *server) Kind() string { return "binary" }

func (b *server) Start(t testing.TB, dirs []string, o reload.Options) {
	args := []string{"serve", "--http", "127.0.0.1:0", "--max-batch", reload.Batch.String()}
	for _, dir := range dirs {
		args = append(args, "-d", dir)
	}
	for name, d := range map[string]time.Duration{"--poll": o.Poll, "--rescan": o.Rescan, "--settle": o.Settle} {
		if d > 0 {
			args = append(args, name, d.String())
		}
	}
	if o.Pin != "" {
		args = append(args, "--pin", o.Pin)
	}
	if o.Lock != "" {
		args = append(args, "--lock", o.Lock)
	}
	if o.RequireTests {
		args = append(args, "--require-tests")
	}
	b.run(t, args...)
}

// run starts the program and waits until it is ready.
func (b *server) run(t testing.TB, args ...string) {
	t.Helper()
	b.cmd = b.command(program(t), args)
	stderr, err := b.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	process := b.cmd.Process
	t.Cleanup(func() { _ = process.Kill() }) // if the test has not ended it
	b.said = record(stderr)
	for deadline := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		if b.url = address.FindString(b.said.text()); b.url != "" {
			if res, err := http.Get(b.url + "/readyz"); err == nil {
				res.Body.Close()
				if res.StatusCode == http.StatusOK {
					return
				}
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("the program does not serve; it said:\n%s", b.said.text())
		}
	}
}

func (b *server) Stop(t testing.TB) {
	_ = b.cmd.Process.Signal(os.Interrupt)
	<-b.said.ended
	if err := b.cmd.Wait(); err != nil {
		t.Errorf("toolspec serve: %v\n%s", err, b.said.text())
	}
}

func (b *server) Kill(t testing.TB) {
	_ = b.cmd.Process.Signal(syscall.SIGKILL)
	<-b.said.ended
	_ = b.cmd.Wait() // it was killed
}

func (b *server) Approve(t testing.TB, dirs []string, lock string, names []string) {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err, path)
	}
	args := append([]string{"lock", "--lock", lock}, names...)
	for _, dir := range dirs {
		args = append(args, "-d", dir)
	}
	if out, err := exec.Command(path, args...).CombinedOutput(); err != nil {
		t.Fatalf("toolspec %v: %v\n%s", args, err, out)
	}
}

func (b *server) get(path string, into any) error {
	res, err := http.Get(b.url + path)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(into)
}

// View is of one generation: the list is that of the status before and after it.
func (b *server) View() (reload.View, error) {
	for {
		var before, after serve.Status
		var list []registry.Listing
		if err := b.get("/v1/status", &before); err != nil {
			return reload.View{}, err
		}
		if err := b.get("/v1/tools", &list); err != nil {
			return reload.View{}, err
		}
		if err := b.get("/v1/status", &after); err != nil {
			return reload.View{}, err
		}
		if before.Generation == after.Generation {
			return viewOf(after, list), nil
		}
	}
}

func viewOf(status serve.Status, list []registry.Listing) reload.View {
	v := reload.View{Generation: status.Generation}
	if len(status.Watch) > 0 {
		w := status.Watch[0]
		v.Mode, v.Missing, v.Scanned = w.Mode, w.Missing, !w.LastScan.IsZero() && w.Age >= 0 && w.Age < patience.Seconds()
	}
	for _, l := range list {
		v.Tools = append(v.Tools, reload.Tool{Name: l.Name, Description: l.Description, State: string(l.Status)})
	}
	for _, f := range status.Files {
		if f.State == registry.StateBroken || f.State == registry.StateShadowed || f.State == registry.StatePending {
			v.Others = append(v.Others, string(f.State)+":"+filepath.ToSlash(f.File))
		}
		for _, d := range f.Diagnostics {
			v.Diagnostics = append(v.Diagnostics, d.Error())
		}
	}
	return v
}

func (b *server) Call(name, input string) (reload.Answer, error) {
	res, err := http.Post(b.url+"/v1/tools/"+name, "application/json", strings.NewReader(input))
	if err != nil {
		return reload.Answer{}, err
	}
	defer res.Body.Close()
	var result spec.ToolResult
	if err := json.NewDecoder(res.Body).Decode(&result); err != nil {
		return reload.Answer{}, err
	}
	denied := result.Metadata.Error != nil && result.Metadata.Error.Code == spec.CodeDenied
	if !denied && (res.StatusCode == http.StatusNotFound) == (result.Status == spec.StatusSuccess) {
		return reload.Answer{}, fmt.Errorf("%s beside %+v", res.Status, result)
	}
	return reload.ReadAnswer(result)
}
