package exec

import (
	"maps"
	"slices"
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
	turns []turn // of the predicates around the node
	known map[ast.Node]*spec.Shape
	ds    spec.Diagnostics
}

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
	first := startOf{from: len(c.source)}
	ast.Walk(&n, &first)
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
	if s, ok := c.known[n]; ok {
		return s
	}
	s := c.shape(n)
	if c.known == nil {
		c.known = map[ast.Node]*spec.Shape{}
	}
	c.known[n] = s
	return s
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
		return either(c.visit(n.Exp1), c.visit(n.Exp2))
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

// unavailable are roots that people look for, and where what they want is.
var unavailable = map[string]string{
	"secret": "secret is not available", "state": "state is not available", "self": "self is not available",
	"$env": "$env is not available; env.NAME is a variable of the server that the operator allows",
	"None": "there is no None; write null", "undefined": "there is no undefined; write null", "NULL": "write null",
	"Null": "write null", "True": "write true", "False": "write false", "TRUE": "write true", "FALSE": "write false",
	"args": "the tool's arguments are input", "arguments": "the tool's arguments are input", "params": "the tool's arguments are input",
	"parameters": "the tool's arguments are input", "inputs": "the tool's arguments are input",
	"result": "what the executor returned is output, in result", "JSON": "write toJSON(x) or fromJSON(text)",
	"it": "the element is #, and .name its field", "this": "the element is #, and .name its field",
}

func (c *checker) identifier(n *ast.IdentifierNode) *spec.Shape {
	for _, v := range slices.Backward(c.vars) {
		if v.name == n.Value {
			return v.shape
		}
	}
	if n.Value == "null" {
		return shapeOf(isNull)
	}
	if s, ok := c.names[n.Value]; ok {
		if n.Value == "dir" {
			c.site.NeedScratch() // a field of it asks by itself, see member
		}
		return s
	}
	return c.unknownName(n)
}

func (c *checker) unknownName(n *ast.IdentifierNode) *spec.Shape {
	var known []string
	for name := range c.names {
		known = append(known, name)
	}
	for _, v := range c.vars {
		known = append(known, v.name)
	}
	slices.Sort(known)
	if hint, ok := unavailable[n.Value]; ok {
		if strings.HasSuffix(hint, "available") {
			hint += "; in scope: " + strings.Join(known, ", ")
		}
		return c.errorf(n, "%s", hint)
	}
	if _, ok := functions[n.Value]; ok {
		return c.errorf(n, "%s is a function; write %s(…)", n.Value, n.Value)
	}
	if input := c.names["input"]; input != nil && declares(input, n.Value) {
		return c.errorf(n, "unknown name %s; write input.%s", n.Value, n.Value)
	}
	if near := spec.Nearest(n.Value, known); near != "" {
		return c.errorf(n, "unknown name %s; did you mean %s? in scope: %s", n.Value, near, strings.Join(known, ", "))
	}
	return c.errorf(n, "unknown name %s; in scope: %s", n.Value, strings.Join(known, ", "))
}

func (c *checker) variable(n *ast.VariableDeclaratorNode) *spec.Shape {
	_, taken := c.names[n.Name]
	if _, isFunction := functions[n.Name]; taken || isFunction || n.Name == "null" || strings.HasPrefix(n.Name, "$") {
		c.errorf(n, "%s has a meaning already; choose another name", n.Name)
	}
	value := c.visit(n.Value)
	c.vars = append(c.vars, variable{n.Name, value})
	s := c.visit(n.Expr)
	c.vars = c.vars[:len(c.vars)-1]
	return s
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
		c.errorAtStart(n, "want a condition, true or false; %s is %s: %s", shorten(n.String(), 60), k&^isNull, conditionFor(n, k&^isNull))
	}
}

// conditionFor is a condition that was perhaps meant by a value.
func conditionFor(n ast.Node, k kinds) string {
	source := shorten(n.String(), 60)
	switch {
	case k&isNumber == k:
		return "write " + source + " != 0"
	case k&(isList|isText) == k:
		return "write len(" + source + ") > 0, or " + source + " != null"
	}
	return "write " + source + " != null"
}

// fieldNames are the names of a shape's fields, sorted.
func fieldNames(s *spec.Shape) []string { return slices.Sorted(maps.Keys(s.Fields)) }
