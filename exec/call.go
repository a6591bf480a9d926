package exec

import (
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
	Depth      int                  // of tools that call tools
	Progress   func(message string) // nil when nobody asked for progress
	Log        *slog.Logger         // nil: the Env's

	vars *Vars
}

// Tools is what a pipeline needs of a snapshot.
type Tools interface {
	Tool(name string) (*Tool, bool)
}

// Vars are the names that expressions of this call see.
func (c *Call) Vars() *Vars { return c.vars }

// Show makes a value visible to the expressions of the tool's result: response, process.
func (c *Call) Show(name string, value any) { c.vars = c.vars.With(name, value) }
