package exec

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Env is what the program gives to all its tools. It is not changed once the first tool is compiled.
type Env struct {
	Policy     Policy
	Funcs      map[string]Executor // Go functions that files name with {func: NAME}
	Transport  http.RoundTripper   // nil: one of our own that guards where requests go
	Middleware []Middleware        // around every executor, the first outermost
	WorkDir    string              // dir.work: where commands run; empty: the process's working directory
	Log        *slog.Logger        // nil: discarded

	egress egress
}

// Middleware wraps a tool's executor.
type Middleware func(*spec.Spec, Executor) Executor

// Policy is what the operator allows.
type Policy struct {
	Path     string   // where argv[0] is looked up, and PATH of every child; empty: the server's own
	EnvNames []string // variables of the server that files may use as env.NAME
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
		Defaults: Bounds{Timeout: 30 * time.Second, Output: 64 << 10, Read: 8 << 20},
		Limits:   Bounds{Timeout: time.Hour, Output: 1 << 20, Read: 64 << 20},
	}
}
