package exec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Stub stands in for all that a call would touch outside of the program. A call that has one starts no process and
// opens no connection: commands and requests are made as always, told to [Call.Planned], and answered from here, by the
// same code that reads the answers of the world. What has no answer here is an error that says so.
//
// What differs between machines is fixed: argv[0] is as the file has it, dir is {tool: /dir/tool, work: /dir/work,
// scratch: /dir/scratch}, a child inherits [StubEnv] under Env, and a file that would be sent is the text "file:PATH". So tools
// can be called that are unavailable here. Go functions are the program's own, and run.
type Stub struct {
	HTTP        *StubResponse
	Command     *StubProcess
	Steps       map[string]any    // what the steps of the tool's pipeline give, by id, instead of running
	Tools       map[string]any    // what tools give to the steps that call them; others are called, with this stub but for Steps and Self
	Env         map[string]string // what env.NAME reads, as far as the policy lets it, and what a child may inherit
	State, Self map[string]any    // instead of those of the call
	Now         time.Time         // of now(); zero: the clock's
}

// StubResponse is the answer to every request of a call. It is not followed where it redirects.
type StubResponse struct {
	Status int // 0: 200
	Header http.Header
	Body   []byte
}

// StubProcess is what every command of a call leaves behind.
type StubProcess struct {
	Stdout, Stderr []byte
	ExitCode       int
	Files          map[string][]byte // that it writes into dir.scratch, by their paths there
}

// StubEnv is the environment of stubbed calls, before [Stub.Env] is put over it.
func StubEnv() map[string]string {
	return map[string]string{"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/home/user", "LANG": "C.UTF-8", "TZ": "UTC"}
}

// The directories of stubbed calls, as expressions see them.
const (
	stubToolDir    = "/dir/tool"
	stubWorkDir    = "/dir/work"
	stubScratchDir = "/dir/scratch"
)

// environment is the server's environment as a stubbed call has it.
func (s *Stub) environment() map[string]string {
	env := StubEnv()
	maps.Copy(env, s.Env)
	return env
}

// vars is env in expressions.
func (s *Stub) vars(names []string) map[string]any {
	vars, env := map[string]any{}, s.environment()
	for _, name := range names {
		if value, ok := env[name]; ok {
			vars[name] = value
		}
	}
	return vars
}

// inherited is what a child gets of it, sorted.
func (s *Stub) inherited() []string {
	var pairs []string
	for name, value := range s.environment() {
		if name == "PATH" || inherits(name) {
			pairs = append(pairs, name+"="+value)
		}
	}
	slices.Sort(pairs)
	return pairs
}

// response is the stub's answer to a request.
func (s *Stub) response() (*http.Response, error) {
	if s.HTTP == nil {
		return nil, missingStub("http", "this request")
	}
	status := s.HTTP.Status
	if status == 0 {
		status = http.StatusOK
	}
	header := http.Header{}
	for name, values := range s.HTTP.Header {
		for _, value := range values {
			header.Add(name, value)
		}
	}
	return &http.Response{
		StatusCode: status, Header: header, ContentLength: int64(len(s.HTTP.Body)), Body: io.NopCloser(bytes.NewReader(s.HTTP.Body)),
	}, nil
}

// process is what the stub says that a process left behind; its files are in the call's scratch directory afterwards.
func (s *Stub) process(call *Call, p *process) (*ending, error) {
	if s.Command == nil {
		return nil, missingStub("command", "this command")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Command.Files)) {
		if err := call.writeScratch(name, s.Command.Files[name]); err != nil {
			return nil, err
		}
	}
	out := &ending{name: p.name, stdout: newCapture(p.read, p.vault), stderr: newCapture(p.read, p.vault), exitCode: s.Command.ExitCode}
	_, _ = out.stdout.Write(s.Command.Stdout)
	_, _ = out.stderr.Write(s.Command.Stderr)
	return out, nil
}

// writesFiles tells whether the call needs a scratch directory for the stub's sake.
func (s *Stub) writesFiles() bool { return s != nil && s.Command != nil && len(s.Command.Files) > 0 }

// forTool is the stub for a tool that a step calls: the ids of its steps are its own, and so is self.
func (s *Stub) forTool() *Stub {
	if s == nil || s.Steps == nil && s.Self == nil {
		return s
	}
	other := *s
	other.Steps, other.Self = nil, nil
	return &other
}

// value is what a step or a tool of this name gives.
func (s *Stub) value(given func(*Stub) map[string]any, name string) (value any, ok bool, err error) {
	if s == nil {
		return nil, false, nil
	}
	if value, ok = given(s)[name]; !ok {
		return nil, false, nil
	}
	value, err = spec.Plain(value)
	return value, true, err
}

// stubs tells whether a tool is answered for.
func (s *Stub) stubs(tool string) bool {
	if s == nil {
		return false
	}
	_, ok := s.Tools[tool]
	return ok
}

func stubSteps(s *Stub) map[string]any { return s.Steps }
func stubTools(s *Stub) map[string]any { return s.Tools }

func missingStub(kind, what string) error {
	return &spec.Error{
		Code: spec.CodeInternal, Message: fmt.Sprintf("the test has no stub.%s for %s", kind, what), Err: ErrNoStub,
	}
}

// ErrNoStub is within the error of a stubbed call that wanted what its stub has not.
var ErrNoStub = errors.New("no stub")

// stubFile is the path in dir.scratch of a file that a stub writes.
func stubFile(name string) string {
	return filepath.Clean(filepath.FromSlash(strings.TrimPrefix(name, stubScratchDir+"/")))
}

// writeScratch writes a file into the call's own directory, and what directories it needs.
func (c *Call) writeScratch(name string, content []byte) error {
	fail := func(err error) error {
		return &spec.Error{Code: spec.CodeInternal, Message: fmt.Sprintf("stub.command.files: %q cannot be written in dir.scratch", name), Err: err}
	}
	root, err := os.OpenRoot(c.scratch)
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	name = stubFile(name)
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fail(err)
	}
	if err := root.WriteFile(name, content, 0o600); err != nil {
		return fail(err)
	}
	return nil
}
