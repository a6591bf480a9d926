package exec

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Policy is what the operator allows. A tool file may ask for less, never for more.
type Policy struct {
	File     string   // where it stands, for messages that say what to change; empty: in no file
	Kinds    []string // that files may use; nil: all there are
	Egress   Egress   // where requests may go
	Path     string   // where argv[0] is looked up, and PATH of every child; empty: the server's own
	EnvNames []string // variables of the server that files may use as env.NAME
	Secrets  Secrets  // where secret.NAME comes from
	Defaults Bounds   // for a file that is silent
	Limits   Bounds   // the most a file may ask for

	// Sandbox is that of every command, and the most that a file may ask for; with no level, or none, only files that ask are
	// confined, and get what they ask for. Links does not count.
	Sandbox Confinement
	// RequireSandbox is that a program must not start where the level is not to be had, see [Env.HasSandbox]; otherwise its
	// commands are unavailable.
	RequireSandbox bool
	Lock           string // path of the lock, without which nothing is offered; empty: the policy names none
	WorldWritable  bool   // tool files and scripts may be such as every user of the machine may write
}

// Bounds are how long a call may take, how large its result may be, how much is taken from a process or a body, and how many calls
// run at once and begin in a time: as defaults of each tool; as limits of all tools together.
type Bounds struct {
	Timeout     time.Duration
	Output      spec.Bytes
	Read        spec.Bytes
	Concurrency spec.Count // as a default, 0: half of the places that there are for all
	Rate        spec.Rate  // zero: any
	Queue       spec.Count // of limits alone: how many calls may wait
}

// DefaultPolicy is the policy of a program whose operator says nothing.
func DefaultPolicy() Policy {
	return Policy{
		EnvNames: []string{"HOME", "LANG", "TZ", "USER"},
		Secrets:  Secrets{Prefix: secretPrefix},
		Defaults: Bounds{Timeout: 30 * time.Second, Output: 64 << 10, Read: 8 << 20},
		Limits:   Bounds{Timeout: time.Hour, Output: 1 << 20, Read: 64 << 20, Concurrency: 16, Queue: 64},
	}
}

// complete is the policy with the default's bounds where it has none; the default itself if it says nothing at all.
func (p Policy) complete() Policy {
	silent := DefaultPolicy()
	if reflect.ValueOf(p).IsZero() {
		return silent
	}
	p.Limits = p.Limits.or(silent.Limits)
	p.Defaults = p.Defaults.or(silent.Defaults.within(p.Limits))
	p.Secrets = p.Secrets.complete()
	return p
}

func (b Bounds) or(silent Bounds) Bounds {
	if b.Timeout == 0 {
		b.Timeout = silent.Timeout
	}
	if b.Output == 0 {
		b.Output = silent.Output
	}
	if b.Read == 0 {
		b.Read = silent.Read
	}
	if b.Concurrency == 0 {
		b.Concurrency = silent.Concurrency
	}
	if b.Queue == 0 {
		b.Queue = silent.Queue
	}
	return b
}

// within is no more than the limits are.
func (b Bounds) within(most Bounds) Bounds {
	return Bounds{Timeout: min(b.Timeout, most.Timeout), Output: min(b.Output, most.Output), Read: min(b.Read, most.Read)}
}

// toAllow ends a refusal with what the operator changes in the policy's file; empty where there is none.
func (p Policy) toAllow(change string, args ...any) string {
	if p.File == "" {
		return ""
	}
	return "; to allow it, " + fmt.Sprintf(change, args...) + " in " + p.File
}

// refuseKind refuses a kind that files may not use, at the place where one names it.
func (p Policy) refuseKind(within string, kind spec.Text) spec.Diagnostics {
	if p.Kinds == nil || kind.Value == "tool" || slices.Contains(p.Kinds, kind.Value) {
		return nil
	}
	return spec.Diagnostics{spec.Errorf(kind.Pos, "policy", "%s: the operator's policy does not allow the kind %s; it allows %s%s",
		within, kind.Value, orNothing(p.Kinds), p.toAllow("add %s to kinds", kind.Value))}
}
