package exec

import (
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/toolspec/toolspec/spec"
)

// isFromFile tells whether the first character of the text of a node's value is certain to stand in the tool file. Of
// a list it tells so of every entry, since a list repeats its argument.
func (c *checker) isFromFile(n ast.Node) bool {
	if shapeFromFile(c.known[n].shape) {
		return true
	}
	switch n := n.(type) {
	case *ast.StringNode:
		return true
	case *ast.ChainNode:
		return c.isFromFile(n.Node)
	case *ast.PredicateNode:
		return c.isFromFile(n.Node)
	case *ast.ConditionalNode:
		return c.isFromFile(n.Exp1) && c.isFromFile(n.Exp2)
	case *ast.BinaryNode:
		switch n.Operator {
		case "??":
			return c.isFromFile(n.Left) && c.isFromFile(n.Right)
		case "+":
			return c.startsInFile(n)
		}
	case *ast.ArrayNode:
		return !slices.ContainsFunc(n.Nodes, func(item ast.Node) bool { return !c.isFromFile(item) })
	case *ast.BuiltinNode:
		return c.listFromFile(n)
	}
	return false
}

// isClosed tells whether a node's value is a number, a boolean, or a text that stands in the file as a whole.
func (c *checker) isClosed(n ast.Node) bool {
	if s := c.known[n].shape; s != nil && (s.Listed || kindsOf(s)&^(isNull|isBool|isNumber) == 0) {
		return true
	}
	switch n := n.(type) {
	case *ast.StringNode:
		return true
	case *ast.ChainNode:
		return c.isClosed(n.Node)
	case *ast.ConditionalNode:
		return c.isClosed(n.Exp1) && c.isClosed(n.Exp2)
	case *ast.BinaryNode:
		return n.Operator == "??" && c.isClosed(n.Left) && c.isClosed(n.Right)
	}
	return false
}

// choices are the texts that stand in the file and may be a node's value, beside others.
func choices(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.StringNode:
		return []string{n.Value}
	case *ast.ConditionalNode:
		return append(choices(n.Exp1), choices(n.Exp2)...)
	case *ast.BinaryNode:
		if n.Operator == "??" {
			return append(choices(n.Left), choices(n.Right)...)
		}
	}
	return nil
}

func (c *checker) listFromFile(n *ast.BuiltinNode) bool {
	switch n.Name {
	case "map":
		return c.isFromFile(n.Arguments[1])
	case "filter", "sort", "sortBy", "reverse", "uniq", "first", "last", "take", "string":
		return c.isFromFile(n.Arguments[0])
	case "concat":
		return !slices.ContainsFunc(n.Arguments, func(item ast.Node) bool { return !c.isFromFile(item) })
	}
	return false
}

// startsInFile is for texts joined by +: the first that is not empty decides, so those that may be empty do not
// settle it.
func (c *checker) startsInFile(n ast.Node) bool {
	for _, operand := range joinedOperands(n) {
		if !c.isFromFile(operand) {
			return false
		}
		if neverEmpty(operand) {
			return true
		}
	}
	return true
}

func joinedOperands(n ast.Node) []ast.Node {
	if b, ok := n.(*ast.BinaryNode); ok && b.Operator == "+" {
		return append(joinedOperands(b.Left), joinedOperands(b.Right)...)
	}
	return []ast.Node{n}
}

func neverEmpty(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value != ""
	case *ast.ConditionalNode:
		return neverEmpty(n.Exp1) && neverEmpty(n.Exp2)
	}
	return false
}

// shapeFromFile tells so of what is known of a value: numbers, booleans and objects start with a character of JSON.
func shapeFromFile(s *spec.Shape) bool {
	k := kindsOf(s)
	switch {
	case s == nil || k == isAny:
		return false
	case s.Listed:
		return true
	case k&^(isNull|isBool|isNumber|isMap) == 0:
		return true
	case k&^(isNull|isList) == 0:
		return s.Items != nil && shapeFromFile(s.Items)
	}
	return false
}
