package exec

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"github.com/toolspec/toolspec/spec"
)

// Expr is an expression of a tool file, compiled. It is bounded in memory and time wherever it runs.
type Expr struct {
	source  string
	line    int                   // in the tool's file; 0 if it stands in none
	code    func() (*code, error) // of a plain path made when it is needed, which is seldom
	path    []step                // when it is nothing but a path
	reads   []string              // the names in scope that it reads
	boolean bool                  // its value must be one
	certain bool                  // see fromFile
	closed  bool                  // see isClosed
	texts   []string              // those in the file that its value may be
}

// code is what the library's machine runs.
type code struct {
	program *vm.Program
	sites   []site
}

// Expr compiles an expression; the wrapping ${ } is optional.
func (s *Site) Expr(t spec.Text) (*Expr, spec.Diagnostics) {
	body, ds := unwrap(t)
	if ds != nil {
		return nil, ds
	}
	e, _, ds := s.compile(t, body)
	return e, ds
}

// CompileExpr compiles an expression that belongs to no tool file, over the names of a scope; a nil shape is a name of
// which nothing is known.
func CompileExpr(t spec.Text, scope map[string]*spec.Shape) (*Expr, spec.Diagnostics) {
	site := &Site{Env: &Env{}, Spec: &spec.Spec{}, scope: scope, onlyScope: true, needs: &needs{}}
	return site.Expr(t)
}

// Condition compiles an expression that must be boolean. Null counts as false: an argument that was not given.
func (s *Site) Condition(t spec.Text) (*Expr, spec.Diagnostics) {
	body, ds := unwrap(t)
	if ds != nil {
		return nil, ds
	}
	e, shape, ds := s.compile(t, body)
	if e == nil {
		return nil, ds
	}
	if k := kindsOf(shape); !k.fits(isBool) {
		ds.Add(t.At(body.start), ruleTemplate, "want a condition, true or false; this is %s", k&^isNull)
		return nil, ds
	}
	e.boolean = true
	return e, ds
}

// unwrap finds the expression in a text that is one, or one slot.
func unwrap(t spec.Text) (slot, spec.Diagnostics) {
	lead := len(t.Value) - len(strings.TrimLeft(t.Value, " \t\r\n"))
	if !strings.HasPrefix(t.Value[lead:], "${") {
		return slot{start: lead, from: 0, to: len(t.Value), end: len(t.Value)}, nil
	}
	wrapped, fault := scanSlot(t.Value, lead)
	if fault != "" {
		return slot{}, spec.Diagnostics{spec.Errorf(t.At(lead), ruleTemplate, "%s", fault)}
	}
	if rest := t.Value[wrapped.end:]; strings.TrimSpace(rest) != "" {
		at := wrapped.end + len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
		return slot{}, spec.Diagnostics{spec.Errorf(t.At(at), ruleTemplate, "want one expression here, not a text with slots: "+
			"texts are joined with +, as in input.first + \" \" + input.last")}
	}
	return *wrapped, nil
}

// Eval gives the expression's value: nil, bool, int, float64, string, []any, map[string]any, []byte or time.Time; what
// comes from the input or the output unchanged, a plain path above all, keeps its json.Number with its digits. The
// value is not to be changed. An error is a *spec.Error.
func (e *Expr) Eval(ctx context.Context, v *Vars) (any, error) {
	if ctx.Err() != nil {
		return nil, exprTimeError(ctx)
	}
	if e.path != nil && !e.boolean {
		if value, _, plain := followPath(e.path, v); plain {
			return value, nil
		}
	}
	return e.run(newMeter(ctx, v))
}

// run evaluates within what the meter allows.
func (e *Expr) run(m *meter) (any, error) {
	code, err := e.code()
	if err != nil {
		return nil, e.fault(nil, err)
	}
	machine := vm.VM{MemoryBudget: math.MaxInt} // our meter's is the one that counts
	value, err := machine.Run(code.program, m)
	if err != nil {
		return nil, e.fault(code.sites, err)
	}
	if e.boolean {
		value, err = truth(m, []any{value})
	} else {
		value, err = m.finish(value)
	}
	if err != nil {
		return nil, e.fault(code.sites, err)
	}
	return value, nil
}

// fault makes an error of the machine one that says which expression it was, and which part of it.
func (e *Expr) fault(sites []site, err error) error {
	var done *spec.Error
	if errors.As(err, &done) {
		return done
	}
	reason := err.Error()
	var at *file.Error
	var operand *operandError
	switch {
	case errors.As(err, &at) && at.Prev == nil:
		reason = at.Message
	case errors.As(err, &operand):
		reason = operandAt(sites, at, operand.operand) + " " + operand.reason
	case errors.Is(err, errOverflow):
		reason = operandsAt(sites, at) + errOverflow.Error()
	case at != nil:
		reason = at.Prev.Error()
	}
	return &spec.Error{Code: spec.CodeFailed, Message: e.name() + ": " + reason, Err: err}
}

// name is how a message calls the expression. What stands in a tool file is not for the model to read: its line tells the
// author which it is.
func (e *Expr) name() string {
	if e.line > 0 {
		return fmt.Sprintf("the expression in line %d of the tool's file", e.line)
	}
	return "${ " + shorten(e.source, 100) + " }"
}

// operandAt is what stands in the file as an operand of the call that failed.
func operandAt(sites []site, at *file.Error, i int) string {
	if at == nil {
		return "the value"
	}
	if at.From < 1 || at.From > len(sites) || i >= len(sites[at.From-1].operands) {
		return "a value"
	}
	return shorten(sites[at.From-1].operands[i].String(), 60)
}

// operandsAt are what stands in the file as the operands of the call that failed, to be followed by what comes of them.
func operandsAt(sites []site, at *file.Error) string {
	if at == nil || at.From < 1 || at.From > len(sites) {
		return ""
	}
	var names []string
	for i := range sites[at.From-1].operands {
		names = append(names, operandAt(sites, at, i))
	}
	return "from " + strings.Join(names, " and ") + " comes "
}

// readsOnly tells whether an expression reads no names but these.
func (e *Expr) readsOnly(names ...string) bool {
	return !slices.ContainsFunc(e.reads, func(read string) bool { return !slices.Contains(names, read) })
}

// fromFile tells whether the first character of the value's text is certain to stand in the tool file: a literal, a
// number, a boolean, a value of an enum, or a choice among these.
func (e *Expr) fromFile() bool { return e.certain }

// isClosed tells whether all of the value's text is: no input writes it, it only chooses.
func (e *Expr) isClosed() bool { return e.closed }
