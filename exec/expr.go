package exec

import (
	"context"

	"github.com/toolspec/toolspec/spec"
)

// Expr is an expression of a tool file, compiled. It is bounded in memory and time wherever it runs.
type Expr struct{}

// Expr compiles an expression; the wrapping ${ } is optional.
func (s *Site) Expr(t spec.Text) (*Expr, spec.Diagnostics) { return nil, nil }

// Condition compiles an expression that must be boolean.
func (s *Site) Condition(t spec.Text) (*Expr, spec.Diagnostics) { return nil, nil }

// Eval gives the expression's value: nil, bool, int, float64, string, []any, map[string]any, time.Time, …; a plain path
// into the input gives json.Number with its digits.
func (e *Expr) Eval(ctx context.Context, v *Vars) (any, error) { return nil, nil }

// fromFile tells whether the first character of the value's text is certain to stand in the tool file: a literal, a
// number, a boolean, a value of an enum, or a choice among these.
func (e *Expr) fromFile() bool { return false }
