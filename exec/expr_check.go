package exec

import (
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/toolspec/toolspec/spec"
)

// checker says what is wrong in one expression, given the shapes of what is in scope, and finds the shape of its
// value. It is ours, not the library's: that one stops at the first error, knows neither null nor the nearest name,
// and specialises the program to types that a value of null breaks.
type checker struct {
	site   *Site
	names  map[string]*spec.Shape
	text   spec.Text // that the expression stands in
	at     int       // from this byte on
	source string

	vars  []variable
	sure  []string // paths known not to be null at this place
	reads []string // the names in scope that have been met
	turns []turn   // of the predicates around the node
	known map[ast.Node]visited
	size  int // of what has been checked so far, in nodes
	ds    spec.Diagnostics
}

// visited is what is known of a node. The size counts a part as often as it stands in the node: the library's parser
// writes one node in several places for a < b < c and a ?: b.
type visited struct {
	shape *spec.Shape
	size  int
}

// What an expression may hold, in nodes; and a part of it that a message repeats.
const (
	maxExprNodes = 20_000
	maxSaidNodes = 100
)

type variable struct {
	name  string
	shape *spec.Shape
}

// turn is what a predicate's body sees: the element, and what has been gathered so far.
type turn struct {
	item   *spec.Shape
	gather bool // in reduce
}

// errorf is something wrong at a node.
func (c *checker) errorf(n ast.Node, format string, args ...any) *spec.Shape {
	c.ds.Add(c.text.At(c.at+runeOffset(c.source, n.Location().From)), ruleTemplate, format, args...)
	return nil
}

// errorAtStart is something wrong with a whole operand: it is placed at the operand's first character.
func (c *checker) errorAtStart(n ast.Node, format string, args ...any) *spec.Shape {
	first := startOf{from: n.Location().From}
	if c.known[n].size <= maxExprNodes {
		ast.Walk(&n, &first)
	}
	c.ds.Add(c.text.At(c.at+runeOffset(c.source, first.from)), ruleTemplate, format, args...)
	return nil
}

// startOf finds where the first token of a node stands. The places of choices are not to be relied on.
type startOf struct{ from int }

func (s *startOf) Visit(n *ast.Node) {
	switch (*n).(type) {
	case *ast.ConditionalNode, *ast.ChainNode:
		return
	}
	s.from = min(s.from, (*n).Location().From)
}

// visit checks a node and gives its shape.
func (c *checker) visit(n ast.Node) *spec.Shape {
	if seen, ok := c.known[n]; ok {
		c.size = min(c.size+seen.size, 2*maxExprNodes)
		return seen.shape
	}
	before := c.size
	s := c.shape(n)
	c.size = min(c.size+1, 2*maxExprNodes)
	if c.known == nil {
		c.known = map[ast.Node]visited{}
	}
	size := c.size - before
	if c.size == 2*maxExprNodes {
		size = c.size // too large; by how much no longer counts
	}
	c.known[n] = visited{s, size}
	return s
}

// say is a node as it stands in the file, for a message.
func (c *checker) say(n ast.Node) string {
	if c.known[n].size > maxSaidNodes {
		return "this"
	}
	return shorten(n.String(), 60)
}

func (c *checker) shape(n ast.Node) *spec.Shape {
	switch n := n.(type) {
	case *ast.NilNode:
		return shapeOf(isNull)
	case *ast.IntegerNode:
		return shapeOf(isInt)
	case *ast.FloatNode:
		return shapeOf(isFloat)
	case *ast.BoolNode:
		return shapeOf(isBool)
	case *ast.BytesNode:
		return shapeOf(isBytes)
	case *ast.StringNode:
		return c.literal(n)
	case *ast.IdentifierNode:
		return c.identifier(n)
	case *ast.UnaryNode:
		return c.unary(n)
	case *ast.BinaryNode:
		return c.binary(n)
	case *ast.ChainNode:
		return c.visit(n.Node)
	case *ast.MemberNode:
		return c.member(n)
	case *ast.SliceNode:
		return c.slice(n)
	case *ast.CallNode:
		return c.call(n)
	case *ast.BuiltinNode:
		return c.builtin(n)
	case *ast.PointerNode:
		return c.pointer(n)
	case *ast.VariableDeclaratorNode:
		return c.variable(n)
	case *ast.ConditionalNode:
		c.condition(n.Cond)
		return either(c.assuming(given(n.Cond, true), n.Exp1), c.assuming(given(n.Cond, false), n.Exp2))
	}
	return c.compound(n)
}

func (c *checker) compound(n ast.Node) *spec.Shape {
	switch n := n.(type) {
	case *ast.SequenceNode:
		var last *spec.Shape
		for _, part := range n.Nodes {
			last = c.visit(part)
		}
		return last
	case *ast.ArrayNode:
		var items *spec.Shape
		for i, item := range n.Nodes {
			if s := c.visit(item); i == 0 {
				items = s
			} else {
				items = either(items, s)
			}
		}
		return listOf(items)
	case *ast.MapNode:
		return c.object(n)
	case *ast.PredicateNode:
		return c.visit(n.Node)
	}
	return nil
}

// object is the shape of a map that is written in the expression.
func (c *checker) object(n *ast.MapNode) *spec.Shape {
	fields := map[string]*spec.Shape{}
	open := false
	for _, p := range n.Pairs {
		pair := p.(*ast.PairNode)
		value := c.visit(pair.Value)
		if key, ok := pair.Key.(*ast.StringNode); ok {
			fields[key.Value] = value
			continue
		}
		open = true
		if k := kindsOf(c.visit(pair.Key)); k&isScalar == 0 {
			c.errorAtStart(pair.Key, "a key is a text, this is %s", k)
		}
	}
	s := objectShape(fields)
	s.Open = open
	return s
}

// literal is a text in an expression. Nothing in it is looked at again, so a slot there is a slip.
func (c *checker) literal(n *ast.StringNode) *spec.Shape {
	if _, inner, ok := strings.Cut(n.Value, "${"); ok {
		root, _, _ := strings.Cut(strings.TrimSpace(inner), ".")
		if _, known := c.names[root]; known {
			return c.errorf(n, `a text in an expression is no template, ${ has no meaning in it; join texts with +, as in "a " + string(%s…)`, root)
		}
	}
	return shapeOf(isText)
}

// pointer is # and what belongs to it.
func (c *checker) pointer(n *ast.PointerNode) *spec.Shape {
	if len(c.turns) == 0 {
		return c.errorf(n, "# is the element within map(…), filter(…) and the like; a comment starts with //")
	}
	innermost := c.turns[len(c.turns)-1]
	switch {
	case n.Name == "":
		return innermost.item
	case n.Name == "index":
		return shapeOf(isInt)
	case n.Name == "acc" && innermost.gather:
		return nil
	case n.Name == "acc":
		return c.errorf(n, "#acc is what reduce(…) has gathered, and only directly within it")
	}
	return c.errorf(n, "unknown #%s; there are #, #index and, in reduce, #acc", n.Name)
}

// condition checks a node where a boolean is wanted; null counts as false.
func (c *checker) condition(n ast.Node) {
	s := c.visit(n)
	if k := kindsOf(s); !k.fits(isBool) {
		c.errorAtStart(n, "want a condition, true or false; %s is %s: %s", c.say(n), k&^isNull, c.conditionFor(n, k&^isNull))
	}
}

// conditionFor is a condition that was perhaps meant by a value.
func (c *checker) conditionFor(n ast.Node, k kinds) string {
	source := c.say(n)
	switch {
	case k&isNumber == k:
		return "write " + source + " != 0"
	case k&(isList|isText) == k:
		return "write len(" + source + ") > 0, or " + source + " != null"
	}
	return "write " + source + " != null"
}
