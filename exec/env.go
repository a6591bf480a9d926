package exec

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Env is what the program gives to all its tools. It is not changed once the first tool is compiled.
type Env struct {
	Policy     Policy
	Funcs      map[string]Executor // Go functions that files name with {func: NAME}
	Transport  http.RoundTripper   // nil: one of our own that guards where requests go
	Middleware []Middleware        // around every executor, the first outermost
	Observe    func(Event)         // told of each call that ends, but not of those that tools make; nil: nobody is
	WorkDir    string              // dir.work: where commands run; empty: the process's working directory
	Log        *slog.Logger        // nil: discarded

	egress egress

	once  sync.Once
	whole *Env           // see complete; only it has what follows
	here  string         // the process's working directory
	vars  map[string]any // env in expressions
}

// complete is the env with what its program left open, made once for all its tools.
func (e *Env) complete() *Env {
	if e == nil {
		e = &Env{}
	}
	e.once.Do(func() {
		e.whole = &Env{
			Policy: e.Policy.complete(), Funcs: e.Funcs, Transport: e.Transport, Middleware: e.Middleware,
			Observe: e.Observe, Log: e.Log,
		}
		e.whole.settle(e)
	})
	return e.whole
}

func (e *Env) settle(from *Env) {
	if e.Transport == nil {
		e.Transport = from.egress.guard() // one for all tools: they share its connections
	}
	here, err := os.Getwd()
	if err != nil {
		here = "." // it is gone: paths stay as they are
	}
	e.here = here
	if e.WorkDir = from.WorkDir; !filepath.IsAbs(e.WorkDir) {
		e.WorkDir = filepath.Join(e.here, e.WorkDir)
	}
	e.vars = make(map[string]any, len(e.Policy.EnvNames))
	for _, name := range e.Policy.EnvNames {
		if value, ok := os.LookupEnv(name); ok {
			e.vars[name] = value
		}
	}
}

// Middleware wraps a tool's executor.
type Middleware func(*spec.Spec, Executor) Executor

// Policy is what the operator allows.
type Policy struct {
	Path     string   // where argv[0] is looked up, and PATH of every child; empty: the server's own
	EnvNames []string // variables of the server that files may use as env.NAME
	Secrets  Secrets  // where secret.NAME comes from
	Defaults Bounds   // for a file that is silent
	Limits   Bounds   // the most a file may ask for
}

// Bounds are how long a call may take, how large its result may be, and how much is taken from a process or a body.
type Bounds struct {
	Timeout time.Duration
	Output  spec.Bytes
	Read    spec.Bytes
}

// DefaultPolicy is the policy of a program whose operator says nothing.
func DefaultPolicy() Policy {
	return Policy{
		EnvNames: []string{"HOME", "LANG", "TZ", "USER"},
		Secrets:  Secrets{Prefix: secretPrefix},
		Defaults: Bounds{Timeout: 30 * time.Second, Output: 64 << 10, Read: 8 << 20},
		Limits:   Bounds{Timeout: time.Hour, Output: 1 << 20, Read: 64 << 20},
	}
}
