package exec

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Event is a call that has ended, for whoever counts calls or keeps a record of them. It holds nothing of what went in or came
// out.
type Event struct {
	Tool     string    // its name, as it was asked for
	Digest   string    // of the version that was called; empty if none was
	Code     spec.Code // what went wrong; empty if nothing did
	Duration time.Duration

	ID      string // of the call
	Parent  string // id of the call whose step this is; empty for one that came from outside
	Depth   int    // of tools that call tools; 0 for one that came from outside
	Session string
	User    string
	Caller  Caller
	Sandbox Level  // how far the tool's programs are confined, by the one that is least; empty if it starts none
	Refusal string // why the executor was not asked: pending, not_found, invalid_input, queue, …; empty if it was

	args map[string]any
}

// Caller is who asks, as far as it is known.
type Caller struct {
	Transport string // cli, http, mcp-http or mcp-stdio
	Client    string // what its program calls itself
}

// ArgsDigest is an HMAC-SHA256 of the arguments as they were accepted: the same for the same arguments, and of no use to whoever
// guesses them without the key. Empty if none were accepted.
func (e Event) ArgsDigest(key []byte) string {
	if e.args == nil {
		return ""
	}
	text, err := json.Marshal(e.args) // keys sorted, numbers with their digits
	if err != nil {
		return ""
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return "hmac-sha256:" + hex.EncodeToString(mac.Sum(nil))
}

// What Refusal may be beside a code.
const (
	RefusedPending = "pending" // the lock does not let the tool through
	RefusedQueue   = "queue"   // too many calls run, or begin
	RefusedPolicy  = "policy"  // the executor was asked, and the operator's policy was against what it was about to do
	RefusedAudit   = "audit"   // calls cannot be recorded
)

// RefusalEvent is that of a call for which there is no tool.
func RefusalEvent(call *Call, refusal string, code spec.Code) Event {
	e := call.event(0)
	e.Tool, e.Code, e.Refusal = call.Use.Name, code, refusal
	return e
}

func (c *Call) event(took time.Duration) Event {
	return Event{
		Duration: took, ID: c.Use.ID, Parent: c.parent, Depth: c.Depth, Session: c.Session, User: c.User, Caller: c.Caller, args: c.Args,
	}
}

// isSilent tells whether the call does nothing, so that there is nothing to be told of it.
func (c *Call) isSilent() bool { return c.Stub != nil || c.dry != nil }

// admit asks whether a call may begin, where someone has to be able to keep a record of it.
func (t *Tool) admit(call *Call) error {
	if t.env.Admit == nil || call.isSilent() {
		return nil
	}
	if err := t.env.Admit(); err != nil {
		call.refused = RefusedAudit
		return &spec.Error{Code: spec.CodeUnavailable, Retryable: true, Err: err,
			Message: "calls cannot be recorded now, and none is made that is not; the operator is told why"}
	}
	return nil
}

// observe tells the program of a call that has ended; not of one that was stubbed or planned, which did nothing. An error is that it
// could not be recorded: its result is withheld.
func (t *Tool) observe(call *Call, code spec.Code, took time.Duration) (withheld error) {
	if t.env.Observe == nil || call.isSilent() {
		return nil
	}
	e := call.event(took)
	e.Tool, e.Digest, e.Code, e.Refusal, e.Sandbox = t.Spec.Name, t.Digest, code, call.refused, t.level
	if code != "" && !call.begun && e.Refusal == "" {
		e.Refusal = string(code)
	}
	withheld = call.record(t.env, e)
	if !call.begun {
		return nil // nothing came of it
	}
	return withheld
}

// record tells of an event. Who panics at it does not decide what becomes of the call.
func (c *Call) record(env *Env, e Event) (withheld error) {
	defer func() {
		if p := recover(); p != nil {
			_ = crash(c, p)
		}
	}()
	if err := env.Observe(e); err != nil {
		return &spec.Error{Code: spec.CodeInternal, Err: err, Message: "the call could not be recorded, and what came of it is withheld; the operator is told why"}
	}
	return nil
}

// recordStep tells of a step's call for which there is no tool.
func (c *Call) recordStep(id, name string, err error) {
	if c.tool == nil || c.tool.env.Observe == nil || c.isSilent() {
		return
	}
	step := *c
	step.Use, step.parent, step.Depth, step.Args = spec.ToolUse{ID: id, Name: name}, c.Use.ID, c.Depth+1, nil
	code := spec.AsError(err).Code
	refusal := string(code)
	if code == spec.CodeDenied {
		refusal = RefusedPending
	}
	_ = c.record(c.tool.env, RefusalEvent(&step, refusal, code)) // the call it is a step of is withheld, if this cannot be recorded
}
