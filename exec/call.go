package exec

import (
	"context"
	"log/slog"

	"github.com/toolspec/toolspec/spec"
)

// Call is one tool use on its way, with everything it may touch. Whoever asks fills Use, and what else it has; Tool
// fills the rest.
type Call struct {
	Use        spec.ToolUse
	Args       map[string]any       // the input as accepted: defaults filled, repaired, validated; numbers are json.Number
	Tools      Tools                // the snapshot the call was admitted to
	Generation uint64               // of that snapshot
	Session    string               // id of the conversation, if there is one
	User       string               // who asks, if known
	Caller     Caller               // by what
	Exact      bool                 // its scripts must be what they were when the tool was compiled: where only approved versions may run
	Depth      int                  // of tools that call tools
	Progress   func(message string) // nil when nobody asked for progress
	Log        *slog.Logger         // nil: the Env's
	State      map[string]any       // what expressions read as state; nil: {}
	Self       map[string]any       // what they read as self, the tool's own part of it; nil: {}
	Stub       *Stub                // nil: the call is for real
	Planned    func(Plan)           // told of each command, request and so on before it is done; nil when nobody asked
	Answered   func(Answer)         // told of what came back of each; nil when nobody asked

	tool     *Tool
	parent   string   // id of the call whose step this is
	begun    bool     // the executor was asked
	refused  string   // why it was not, if more is known than the code; or why it was refused what it was about to do
	callers  []string // names of the tools that led here, the outermost first
	repaired []string
	again    int      // requests that were made again, in the outermost call of those that led here
	retries  *int     // that one
	step     string   // ids of the steps that lead here
	scratch  string   // dir.scratch; empty when the tool names none
	vault    *vault   // the secrets that were read; nil when there is none to be read or known
	dry      *dryCall // nil: the call is to be done
	vars     *Vars
	shown    bool  // the executor got as far as to show something
	lossy    bool  // output of a program was cut, here or in a call that this one makes
	cut      *bool // where that is noted: lossy of the outermost call
}

// Tools is what a pipeline needs of a snapshot.
type Tools interface {
	Tool(name string) (*Tool, bool)
}

// Vars are the names that expressions of this call see.
func (c *Call) Vars() *Vars {
	if c.vars == nil {
		c.vars = c.firstVars()
	}
	return c.vars
}

// Show makes a value visible to the expressions of the tool's result: response, process.
func (c *Call) Show(name string, value any) { c.vars, c.shown = c.Vars().With(name, value), true }

// watched tells whether any expression can look at what an executor shows.
func (c *Call) watched() bool { return c.tool == nil || !c.tool.result.quiet }

// firstVars are what every expression of a tool file sees. They are made when the first expression asks; all but the
// input when one asks for it by name, which is seldom.
func (c *Call) firstVars() *Vars {
	input := c.Args
	if input == nil {
		input = map[string]any{}
	}
	return &Vars{name: "input", value: input, call: c}
}

// given is what expressions see beside the input.
func (c *Call) given(name string) (any, bool) {
	switch {
	case name == "call":
		return map[string]any{"id": c.Use.ID, "tool": c.Use.Name, "session": textOrNull(c.Session), "user": textOrNull(c.User)}, true
	case name == "state":
		return mapOrEmpty(c.State), true
	case name == "self":
		return mapOrEmpty(c.Self), true
	case c.tool == nil:
	case name == "env" && c.Stub != nil:
		return c.Stub.vars(c.tool.env.Policy.EnvNames), true
	case name == "env":
		return c.tool.env.vars, true
	case name == "dir":
		return map[string]any{"tool": c.toolDir(), "work": c.workDir(), "scratch": textOrNull(c.scratchDir())}, true
	}
	return nil, false
}

func mapOrEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// toolDir, workDir and scratchDir are the directories as expressions and commands see them.
func (c *Call) toolDir() string {
	if c.Stub != nil {
		return stubToolDir
	}
	return c.tool.dir
}

func (c *Call) workDir() string {
	if c.Stub != nil {
		return stubWorkDir
	}
	return c.tool.env.WorkDir
}

func (c *Call) scratchDir() string {
	if c.Stub != nil && c.scratch != "" {
		return stubScratchDir
	}
	return c.scratch
}

func textOrNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// log is where the call's tool writes what is not for the model.
func (c *Call) log() *slog.Logger {
	switch {
	case c.Log != nil:
		return c.Log
	case c.tool != nil && c.tool.env.Log != nil:
		return c.tool.env.Log
	}
	return silent
}

// silent is the log of a program that wants none.
var silent = slog.New(slog.DiscardHandler)

type callKey struct{}

// Context is ctx with the call in it, for executors that hand ctx on to code that knows no Call.
func (c *Call) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// CallFrom is the call whose executor made ctx with [Call.Context]; gofunc's do.
func CallFrom(ctx context.Context) (*Call, bool) {
	c, ok := ctx.Value(callKey{}).(*Call)
	return c, ok
}
