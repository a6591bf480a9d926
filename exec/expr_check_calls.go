package exec

import (
	"maps"
	"slices"

	"github.com/expr-lang/expr/ast"

	"github.com/toolspec/toolspec/spec"
)

// predicates are the functions that take a condition or a value for each element, which the library runs.
var predicates = []string{
	"all", "any", "count", "filter", "find", "findIndex", "findLast", "findLastIndex", "groupBy", "map", "none", "one",
	"reduce", "sortBy", "sum",
}

// call is a call of a function that the library does not have, or of a method.
func (c *checker) call(n *ast.CallNode) *spec.Shape {
	switch callee := n.Callee.(type) {
	case *ast.IdentifierNode:
		if f, ok := functions[callee.Value]; ok {
			return c.function(n, callee.Value, f, n.Arguments)
		}
		return c.unknownFunction(callee, n.Arguments)
	case *ast.MemberNode:
		return c.method(n, callee)
	}
	return c.errorf(n, "only functions can be called")
}

func (c *checker) unknownFunction(n *ast.IdentifierNode, args []ast.Node) *spec.Shape {
	for _, arg := range args {
		c.visit(arg)
	}
	if hint := c.filled(foreignCalls[n.Value], args); hint != "" {
		return c.errorf(n, "there is no function %s; write %s", n.Value, hint)
	}
	known := append(slices.Sorted(maps.Keys(functions)), predicates...)
	if near := spec.Nearest(n.Value, known); near != "" {
		return c.errorf(n, "there is no function %s; did you mean %s?", n.Value, near)
	}
	return c.errorf(n, "there is no function %s", n.Value)
}

// function checks a call of one of our functions.
func (c *checker) function(n ast.Node, name string, f function, args []ast.Node) *spec.Shape {
	shapes := make([]*spec.Shape, len(args))
	for i, arg := range args {
		shapes[i] = c.visit(arg)
	}
	if !c.counted(n, name, f, len(args)) {
		return nil
	}
	for i, s := range shapes {
		k, want := kindsOf(s), f.arg(i)
		takesNull := want&(isList|isNull) != 0 || i == 0 && f.null
		if !takesNull {
			c.mayBeNull(args[i])
		}
		if !k.fits(want) || k == isNull && !takesNull {
			return c.errorAtStart(args[i], "%s wants %s; %s is %s", name, want&^isNull, c.say(args[i]), orKind(k&^isNull, k))
		}
	}
	if pattern, ok := lastText(args); ok && name == "match" {
		c.pattern(pattern)
	}
	if f.gives == nil {
		return nil
	}
	s := f.gives(shapes)
	if f.null && kindsOf(shapes[0])&isNull != 0 {
		return with(s, isNull)
	}
	return s
}

func orKind(k, other kinds) kinds {
	if k == 0 {
		return other
	}
	return k
}

func lastText(args []ast.Node) (*ast.StringNode, bool) {
	if len(args) == 0 {
		return nil, false
	}
	n, ok := args[len(args)-1].(*ast.StringNode)
	return n, ok
}

// counted checks how many arguments there are.
func (c *checker) counted(n ast.Node, name string, f function, have int) bool {
	switch most := len(f.args); {
	case have < f.least && most == f.least:
		c.errorf(n, "%s wants %s, has %d", name, plural(f.least, "argument"), have)
	case have < f.least:
		c.errorf(n, "%s wants at least %s, has %d", name, plural(f.least, "argument"), have)
	case have > most && !f.rest:
		c.errorf(n, "%s wants at most %s, has %d", name, plural(most, "argument"), have)
	default:
		return true
	}
	return false
}

// method checks x.Name(…): dates and durations have methods, by their names in Go; nothing else has.
func (c *checker) method(n *ast.CallNode, callee *ast.MemberNode) *spec.Shape {
	name, ok := callee.Property.(*ast.StringNode)
	if !ok {
		return c.errorf(n, "only functions can be called")
	}
	m, known := methods[name.Value]
	if !known {
		return c.foreignMethod(n, callee, name)
	}
	base := c.visit(callee.Node)
	shapes := []*spec.Shape{base}
	for _, arg := range n.Arguments {
		shapes = append(shapes, c.visit(arg))
	}
	if !c.counted(name, name.Value, m.function, len(n.Arguments)) {
		return nil
	}
	if k := kindsOf(base); !k.fits(m.on) {
		return c.errorf(name, "%s is %s and has no %s", c.say(callee.Node), k, name.Value)
	}
	for i, arg := range n.Arguments {
		if k := kindsOf(shapes[1+i]); k&m.arg(i) == 0 { // null is no argument of a method
			return c.errorAtStart(arg, "%s wants %s; %s is %s", name.Value, m.arg(i), c.say(arg), k)
		}
	}
	s := m.gives(shapes)
	if kindsOf(base)&isNull != 0 {
		return with(s, isNull)
	}
	return s
}

// builtin is a call of a function that the library has too.
func (c *checker) builtin(n *ast.BuiltinNode) *spec.Shape {
	if f, ok := functions[n.Name]; ok {
		return c.function(n, n.Name, f, n.Arguments)
	}
	if !slices.Contains(predicates, n.Name) {
		return c.errorf(n, "there is no function %s", n.Name)
	}
	list := c.visit(n.Arguments[0])
	switch k := kindsOf(list); {
	case k.fits(isList):
	case k&isMap != 0:
		c.errorAtStart(n.Arguments[0], "%s wants a list; %s is an object: toPairs(…), keys(…) or values(…) make a list of it", n.Name, c.say(n.Arguments[0]))
	default:
		c.errorAtStart(n.Arguments[0], "%s wants a list; %s is %s", n.Name, c.say(n.Arguments[0]), k&^isNull)
	}
	var items *spec.Shape
	if list != nil {
		items = list.Items
	}
	body := c.body(n, items)
	for _, more := range n.Arguments[min(2, len(n.Arguments)):] {
		c.visit(more)
	}
	return predicateGives(n, list, items, body)
}

// body is the shape of what a predicate's body gives.
func (c *checker) body(n *ast.BuiltinNode, items *spec.Shape) *spec.Shape {
	if len(n.Arguments) < 2 {
		return items
	}
	c.turns = append(c.turns, turn{item: items, gather: n.Name == "reduce"})
	defer func() { c.turns = c.turns[:len(c.turns)-1] }()
	switch n.Name {
	case "map", "sum", "groupBy", "sortBy", "reduce":
		return c.visit(n.Arguments[1])
	}
	inner := n.Arguments[1]
	if p, ok := inner.(*ast.PredicateNode); ok {
		inner = p.Node
	}
	c.condition(inner)
	return nil
}

func predicateGives(n *ast.BuiltinNode, list, items, body *spec.Shape) *spec.Shape {
	switch n.Name {
	case "all", "any", "none", "one":
		return shapeOf(isBool)
	case "count":
		return shapeOf(isInt)
	case "findIndex", "findLastIndex":
		return shapeOf(isInt | isNull)
	case "map":
		return listOf(body)
	case "filter", "sortBy":
		return givesFirst([]*spec.Shape{list})
	case "find", "findLast":
		return with(items, isNull)
	case "sum":
		if k := kindsOf(body) & (isNumber | isDuration); k != 0 {
			return shapeOf(k | isInt)
		}
	case "groupBy":
		return shapeOf(isMap)
	}
	return nil
}
