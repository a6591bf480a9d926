package exec

import (
	"context"
	"errors"
	"fmt"

	"github.com/toolspec/toolspec/spec"
)

// What one evaluation of one expression may use. A step is the work of some ten nanoseconds.
const (
	maxExprBytes = 64 << 20
	maxExprSteps = 50_000_000
	maxExprDepth = 1_000 // of maps and lists within each other in a value that is walked

	stepsPerItem = 10      // of a predicate's turn
	stepsPerLook = 1 << 14 // between two looks at the clock
	itemBytes    = 32      // that one more entry of a list or a map takes
)

// meter is the state of one evaluation: what it sees, and what it may still use. It is the library's environment;
// every function of ours is handed it first.
type meter struct {
	ctx   context.Context
	vars  *Vars
	bytes int
	steps int
	look  int // steps left when the clock is looked at next
	depth int // of the value being walked
}

func newMeter(ctx context.Context, v *Vars) *meter {
	return &meter{ctx: ctx, vars: v, bytes: maxExprBytes, steps: maxExprSteps, look: maxExprSteps - stepsPerLook}
}

// spend takes steps; an error when none are left, or the call's time is up.
func (m *meter) spend(steps int) error {
	m.steps -= steps
	if m.steps > m.look {
		return nil
	}
	m.look = m.steps - stepsPerLook
	if m.ctx.Err() != nil {
		return exprTimeError(m.ctx)
	}
	if m.steps < 0 {
		return errors.New("it takes too many steps; handle fewer items")
	}
	return nil
}

// grow takes memory, and the steps of filling it.
func (m *meter) grow(bytes int) error {
	if bytes < 0 || bytes > m.bytes {
		return fmt.Errorf("it takes too much memory, more than %d MiB", maxExprBytes>>20)
	}
	m.bytes -= bytes
	return m.spend(1 + bytes/64)
}

// growBy takes memory for n things of so many bytes.
func (m *meter) growBy(n, bytes int) error {
	if n > 0 && bytes > 0 && n > m.bytes/bytes {
		return m.grow(-1)
	}
	return m.grow(n * bytes)
}

// enter is for walking into a value: one step, one level deeper; leave is for coming back.
func (m *meter) enter() error {
	if m.depth++; m.depth > maxExprDepth {
		m.depth--
		return fmt.Errorf("it makes a value nested more than %d deep", maxExprDepth)
	}
	return m.spend(1)
}

func (m *meter) leave() { m.depth-- }

// exprTimeError is the error of an evaluation whose call is over.
func exprTimeError(ctx context.Context) error {
	code, what := spec.CodeTimeout, "the time was up while an expression was computed"
	if errors.Is(ctx.Err(), context.Canceled) {
		code, what = spec.CodeCanceled, "the call was canceled while an expression was computed"
	}
	return &spec.Error{Code: code, Message: what, Err: ctx.Err()}
}
