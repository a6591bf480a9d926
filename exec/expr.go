package exec

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"github.com/toolspec/toolspec/spec"
)

// Expr is an expression of a tool file, compiled. It is bounded in memory and time wherever it runs.
type Expr struct {
	source  string
	program *vm.Program
	path    []step // when it is nothing but a path
	boolean bool   // its value must be one
}

// Expr compiles an expression; the wrapping ${ } is optional.
func (s *Site) Expr(t spec.Text) (*Expr, spec.Diagnostics) {
	body := slot{to: len(t.Value), end: len(t.Value)}
	lead := len(t.Value) - len(strings.TrimLeft(t.Value, " \t\r\n"))
	if strings.HasPrefix(t.Value[lead:], "${") {
		wrapped, fault := scanSlot(t.Value, lead)
		if fault != "" {
			return nil, spec.Diagnostics{spec.Errorf(t.At(lead), ruleTemplate, "%s", fault)}
		}
		if rest := t.Value[wrapped.end:]; strings.TrimSpace(rest) != "" {
			return nil, spec.Diagnostics{spec.Errorf(t.At(wrapped.end), ruleTemplate, "want one expression here, have text with slots; join texts with +")}
		}
		body = *wrapped
	}
	return s.expr(t, body)
}

// Condition compiles an expression that must be boolean.
func (s *Site) Condition(t spec.Text) (*Expr, spec.Diagnostics) {
	e, ds := s.Expr(t)
	if e != nil {
		e.boolean = true
	}
	return e, ds
}

// expr compiles what stands in a slot of a text.
func (s *Site) expr(t spec.Text, at slot) (*Expr, spec.Diagnostics) {
	source := t.Value[at.from:at.to]
	if strings.TrimSpace(source) == "" {
		return nil, spec.Diagnostics{spec.Errorf(t.At(at.start), ruleTemplate, "there is no expression here; write $${ for a literal ${")}
	}
	program, err := expr.Compile(source, expr.AllowUndefinedVariables(), expr.Patch(optionalMembers{}))
	if err != nil {
		return nil, spec.Diagnostics{faultOf(err, t, at)}
	}
	e := &Expr{source: strings.TrimSpace(source), program: program, path: plainPath(program.Node())}
	for path := range pathsIn(program.Node()) {
		if path == "dir.scratch" {
			s.NeedScratch()
		}
	}
	return e, nil
}

func faultOf(err error, t spec.Text, at slot) spec.Diagnostic {
	var fault *file.Error
	if !errors.As(err, &fault) {
		return spec.Errorf(t.At(at.from), ruleTemplate, "%s", err)
	}
	offset := at.from
	for range fault.From {
		_, size := utf8.DecodeRuneInString(t.Value[offset:at.to])
		offset += size
	}
	return spec.Errorf(t.At(offset), ruleTemplate, "%s", fault.Message)
}

type optionalMembers struct{}

func (optionalMembers) Visit(n *ast.Node) {
	if m, ok := (*n).(*ast.MemberNode); ok && !m.Method {
		m.Optional = true
		chain := &ast.ChainNode{Node: m}
		ast.Patch(n, chain)
	}
}

type pathSet map[string]bool

func (p pathSet) Visit(n *ast.Node) {
	if m, ok := (*n).(*ast.MemberNode); ok {
		if root, ok := unchain(m.Node).(*ast.IdentifierNode); ok {
			if key, ok := m.Property.(*ast.StringNode); ok {
				p[root.Value+"."+key.Value] = true
			}
		}
	}
}

func unchain(n ast.Node) ast.Node {
	if c, ok := n.(*ast.ChainNode); ok {
		return unchain(c.Node)
	}
	return n
}

func pathsIn(n ast.Node) pathSet {
	p := pathSet{}
	ast.Walk(&n, p)
	return p
}

// Eval gives the expression's value: nil, bool, int, float64, string, []any, map[string]any, time.Time, …; a plain path
// into the input gives json.Number with its digits.
func (e *Expr) Eval(ctx context.Context, v *Vars) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.path != nil && !e.boolean {
		value, _ := followPath(e.path, v)
		return value, nil
	}
	env := map[string]any{"null": nil}
	for at := v; at != nil; at = at.parent {
		if _, inner := env[at.name]; !inner {
			env[at.name] = plainNumbers(at.value)
		}
	}
	value, err := vm.Run(e.program, env)
	if err != nil {
		return nil, spec.NewError(spec.CodeFailed, "expression %s: %s", e.source, err)
	}
	if e.boolean {
		b, ok := value.(bool)
		if !ok && value != nil {
			return nil, spec.NewError(spec.CodeFailed, "expression %s: want a boolean, have %s", e.source, renderText(value))
		}
		return b, nil
	}
	return value, nil
}

func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.Atoi(v.String()); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = plainNumbers(item)
		}
		return list
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, item := range v {
			m[k] = plainNumbers(item)
		}
		return m
	}
	return v
}

// fromFile tells whether the first character of the value's text is certain to stand in the tool file: a literal, a
// number, a boolean, a value of an enum, or a choice among these.
func (e *Expr) fromFile() bool { return false }
