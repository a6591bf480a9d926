package exec

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"github.com/toolspec/toolspec/spec"
)

// Env is what the program gives to all its tools. It is not changed once the first tool is compiled.
type Env struct {
	Policy     Policy
	Funcs      map[string]Executor // Go functions that files name with {func: NAME}
	Transport  http.RoundTripper   // nil: one of our own that guards where requests go
	Middleware []Middleware        // around every executor, the first outermost
	Observe    func(Event) error   // told of each call that ends, those that tools make among them; an error withholds its result. nil: nobody is
	Admit      func() error        // asked before each call whether it could be recorded; an error refuses it. nil: nobody is
	WorkDir    string              // dir.work: where commands run; empty: the process's working directory
	Log        *slog.Logger        // nil: discarded
	Sandbox    Sandbox             // confines the programs of commands; nil: a command that is to be confined is unavailable
	Protected  []string            // where tools, and what they may do, come from: no confined program may write there

	// Hold is the best way in which the processes of a call are kept together, if this system has it; empty: HoldGroup. The
	// others are for a program that starts no processes but those of its tools: it adopts orphans, makes cgroups below its
	// own, and ends what it cannot tell whose it is. It calls [Env.Close] at its end.
	Hold HoldWay

	egress egress
	holds  *holds

	holdOnce sync.Once
	once     sync.Once
	whole    *Env           // see complete; only it has what follows
	here     string         // the process's working directory
	reach    reach          // where requests may go
	places   *places        // how many calls may run
	vars     map[string]any // env in expressions
	secrets  *allSecrets    // those that the program has
}

// complete is the env with what its program left open, made once for all its tools.
func (e *Env) complete() *Env {
	if e == nil {
		e = &Env{}
	}
	e.once.Do(func() {
		e.whole = &Env{
			Policy: e.Policy.complete(), Funcs: e.Funcs, Transport: e.Transport, Middleware: e.Middleware,
			Observe: e.Observe, Admit: e.Admit, Log: e.Log, Hold: e.Hold, Sandbox: e.Sandbox, Protected: e.Protected,
		}
		e.whole.settle(e)
	})
	return e.whole
}

func (e *Env) settle(from *Env) {
	e.holds = from.callHolds()
	e.reach, e.places = e.Policy.Egress.reach(), newPlaces(e.Policy.Limits)
	if e.Transport == nil {
		e.Transport = from.egress.guard(e.reach) // one for all tools: they share its connections
	}
	here, err := os.Getwd()
	if err != nil {
		here = "." // it is gone: paths stay as they are
	}
	e.here = here
	if e.WorkDir = from.WorkDir; !filepath.IsAbs(e.WorkDir) {
		e.WorkDir = filepath.Join(e.here, e.WorkDir)
	}
	e.secrets = e.Policy.Secrets.all()
	e.vars = make(map[string]any, len(e.Policy.EnvNames))
	for _, name := range e.Policy.EnvNames {
		if value, ok := os.LookupEnv(name); ok {
			e.vars[name] = value
		}
	}
}

// Middleware wraps a tool's executor.
type Middleware func(*spec.Spec, Executor) Executor
