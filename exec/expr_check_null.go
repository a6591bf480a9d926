package exec

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/expr-lang/expr/ast"

	"github.com/toolspec/toolspec/spec"
)

// mayBeNull warns where a field that a caller may leave out meets an operator that null has no part in, unless the
// expression has asked for it before.
func (c *checker) mayBeNull(n ast.Node) {
	seen := c.known[n]
	path := pathText(n)
	k := kindsOf(seen.shape)
	if path == "" || k == isAny || k&isNull == 0 || k == isNull || slices.Contains(c.sure, path) {
		return
	}
	instead := path
	switch {
	case k&isNumber != 0:
		instead = "(" + path + " ?? 0)"
	case k&isText != 0:
		instead = "(" + path + ` ?? "")`
	}
	at := startOf{from: n.Location().From}
	ast.Walk(&n, &at)
	c.ds = append(c.ds, spec.Diagnostic{
		Pos: c.text.At(c.at + runeOffset(c.source, at.from)), Severity: spec.SeverityWarning, Rule: "may-be-null",
		Message: path + " may be null, and the expression fails then: write " + instead + ", or ask for " + path + " != null first",
	})
}

// pathText is a path of names and places as it is written without detours; empty for what is none.
func pathText(n ast.Node) string {
	path := plainPath(n)
	if len(path) < 2 {
		return ""
	}
	return writtenPath(path)
}

// writtenPath is a path as an expression writes it.
func writtenPath(path []step) string {
	text := path[0].key
	for _, s := range path[1:] {
		switch {
		case s.isIndex:
			text += "[" + strconv.Itoa(s.index) + "]"
		case strings.ContainsFunc(s.key, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }):
			text += "[" + strconv.Quote(s.key) + "]"
		default:
			text += "." + s.key
		}
	}
	return text
}

// assuming checks a node where these paths are known not to be null.
func (c *checker) assuming(paths []string, n ast.Node) *spec.Shape {
	before := len(c.sure)
	c.sure = append(c.sure, paths...)
	s := c.visit(n)
	c.sure = c.sure[:before]
	return s
}

// given finds the paths that are not null when a condition holds, or when it does not.
func given(n ast.Node, holds bool) []string {
	switch n := n.(type) {
	case *ast.UnaryNode:
		if n.Operator == "!" || n.Operator == "not" {
			return given(n.Node, !holds)
		}
	case *ast.BinaryNode:
		return givenBy(n, holds)
	case *ast.ChainNode:
		return given(n.Node, holds)
	case *ast.MemberNode:
		if path := pathText(n); path != "" && holds {
			return []string{path}
		}
	}
	return nil
}

func givenBy(n *ast.BinaryNode, holds bool) []string {
	left, right := pathsOf(n.Left), pathsOf(n.Right)
	both := append(slices.Clone(left), right...)
	switch n.Operator {
	case "&&", "and":
		if holds {
			return append(given(n.Left, true), given(n.Right, true)...)
		}
	case "||", "or":
		if !holds {
			return append(given(n.Left, false), given(n.Right, false)...)
		}
	case "!=":
		if holds == (isNullNode(n.Left) || isNullNode(n.Right)) {
			return both
		}
	case "==":
		if holds != (isNullNode(n.Left) || isNullNode(n.Right)) {
			return both
		}
	case "<", ">", "<=", ">=":
		return both // it fails for null: what follows is not reached
	case "in", "contains", "startsWith", "endsWith", "matches":
		if holds {
			return both
		}
	}
	return nil
}

// pathsOf is the path that a side of a comparison is, or is the length of.
func pathsOf(n ast.Node) []string {
	if b, ok := n.(*ast.BuiltinNode); ok && b.Name == "len" && len(b.Arguments) == 1 {
		n = b.Arguments[0]
	}
	if path := pathText(n); path != "" {
		return []string{path}
	}
	return nil
}

func isNullNode(n ast.Node) bool {
	if id, ok := n.(*ast.IdentifierNode); ok {
		return id.Value == "null"
	}
	_, ok := n.(*ast.NilNode)
	return ok
}
