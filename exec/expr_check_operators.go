package exec

import (
	"regexp"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/toolspec/toolspec/spec"
)

func (c *checker) unary(n *ast.UnaryNode) *spec.Shape {
	if n.Operator == "!" || n.Operator == "not" {
		c.condition(n.Node)
		return shapeOf(isBool)
	}
	s := c.visit(n.Node)
	k := kindsOf(s) & (isNumber | isDuration)
	c.mayBeNull(n.Node)
	if k == 0 {
		return c.errorAtStart(n.Node, "%s wants a number; %s is %s", n.Operator, c.say(n.Node), kindsOf(s))
	}
	return shapeOf(k)
}

func (c *checker) binary(n *ast.BinaryNode) *spec.Shape {
	switch n.Operator {
	case "-":
		if c.minusName(n) {
			return nil
		}
	case "&&", "and", "||", "or":
		return c.logic(n)
	case "??":
		left, right := c.visit(n.Left), c.visit(n.Right)
		if kindsOf(left) == isNull {
			return right
		}
		return either(without(left, isNull), right)
	}
	l, r := c.visit(n.Left), c.visit(n.Right)
	kl, kr := kindsOf(l), kindsOf(r)
	switch n.Operator {
	case "+", "-", "*", "/", "%", "**", "^", "<", ">", "<=", ">=", "..":
		c.mayBeNull(n.Left)
		c.mayBeNull(n.Right)
	}
	switch n.Operator {
	case "==", "!=":
		return c.equality(n, kl, kr)
	case "<", ">", "<=", ">=":
		if !comparable(kl, kr, isText, isTime, isDuration) {
			c.errorf(n, "%s and %s cannot be compared: %s", kl, kr, compareHint(n, kl, kr))
		}
		return shapeOf(isBool)
	case "in":
		return c.in(n, l, r)
	case "contains", "startsWith", "endsWith", "matches":
		return c.textOperator(n, kl, kr)
	case "..":
		c.wantNumber(n, n.Left, kl)
		c.wantNumber(n, n.Right, kr)
		return listOf(shapeOf(isInt))
	case "+":
		return c.plus(n, kl, kr)
	}
	return c.arithmetic(n, kl, kr)
}

// comparable tells whether a value of one set of kinds can be compared with one of the other: both numbers, or both
// of one of the kinds named.
func comparable(a, b kinds, same ...kinds) bool {
	if a&isNumber != 0 && b&isNumber != 0 {
		return true
	}
	for _, k := range same {
		if a&k != 0 && b&k != 0 {
			return true
		}
	}
	return false
}

func compareHint(n *ast.BinaryNode, kl, kr kinds) string {
	switch {
	case kl&isNumber != 0 && kr&isText != 0:
		return "int(…) or float(…) makes a number of a text"
	case kl&isText != 0 && kr&isNumber != 0:
		return "int(…) or float(…) makes a number of a text"
	}
	return n.Operator + " compares numbers, texts or dates"
}

// equality of what never can be equal is a slip. Null may be compared with anything.
func (c *checker) equality(n *ast.BinaryNode, kl, kr kinds) *spec.Shape {
	if kl == isNull || kr == isNull || kl&kr != 0 || kl&isNumber != 0 && kr&isNumber != 0 {
		return shapeOf(isBool)
	}
	c.errorf(n, "%s and %s are never equal", kl, kr)
	return shapeOf(isBool)
}

// logic is && and ||, which take booleans alone; for || between other values ?? was meant.
func (c *checker) logic(n *ast.BinaryNode) *spec.Shape {
	s := shapeOf(isBool)
	for i, side := range []ast.Node{n.Left, n.Right} {
		var sure []string
		if i == 1 {
			sure = given(n.Left, n.Operator == "&&" || n.Operator == "and")
		}
		k := kindsOf(c.assuming(sure, side))
		if k.fits(isBool) {
			continue
		}
		if n.Operator == "||" || n.Operator == "or" {
			c.errorf(n, "%s joins conditions; for a value in place of null write %s ?? %s", n.Operator, c.say(n.Left), c.say(n.Right))
			return nil
		}
		c.errorf(n, "%s joins conditions, and %s is %s; write condition ? value : null for a value", n.Operator, c.say(side), k&^isNull)
		return nil
	}
	return s
}

func (c *checker) in(n *ast.BinaryNode, l, r *spec.Shape) *spec.Shape {
	kl, kr := kindsOf(l), kindsOf(r)
	switch {
	case !kr.fits(isList|isMap) && kr&isText != 0:
		c.errorf(n, "in asks lists and objects; write %s contains %s", c.say(n.Right), c.say(n.Left))
	case !kr.fits(isList | isMap):
		c.errorf(n, "in asks lists and objects; %s is %s", c.say(n.Right), kr&^isNull)
	case kr&^isNull == isList && !comparable(kl, kindsOf(r.Items), isAny&^isNumber):
		c.errorf(n, "%s is never in %s, whose entries are each %s", kl, c.say(n.Right), kindsOf(r.Items))
	}
	return shapeOf(isBool)
}

func (c *checker) textOperator(n *ast.BinaryNode, kl, kr kinds) *spec.Shape {
	for i, side := range []ast.Node{n.Left, n.Right} {
		k := [2]kinds{kl, kr}[i]
		switch {
		case k.fits(isText):
		case k&isList != 0 && i == 0 && n.Operator == "contains":
			c.errorf(n, "contains asks texts; write %s in %s", c.say(n.Right), c.say(n.Left))
		default:
			c.errorf(n, "%s asks texts; %s is %s", n.Operator, c.say(side), k&^isNull)
		}
	}
	if pattern, ok := n.Right.(*ast.StringNode); ok && n.Operator == "matches" {
		c.pattern(pattern)
	}
	return shapeOf(isBool)
}

// pattern checks a regular expression that stands in the file.
func (c *checker) pattern(n *ast.StringNode) {
	if _, err := regexp.Compile(n.Value); err != nil {
		c.errorf(n, "this is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	} else if len(n.Value) > maxPattern {
		c.errorf(n, "a regular expression holds at most 1,000 bytes")
	}
}

func (c *checker) plus(n *ast.BinaryNode, kl, kr kinds) *spec.Shape {
	number, text := kl&isNumber != 0 && kr&isNumber != 0, kl&isText != 0 && kr&isText != 0
	date := kl&isTime != 0 && kr&isDuration != 0 || kl&isDuration != 0 && kr&isTime != 0
	both := kl & kr & isDuration
	var k kinds
	if number {
		k |= (kl | kr) & isNumber
	}
	if text {
		k |= isText
	}
	if date {
		k |= isTime
	}
	if k |= both; k != 0 {
		return shapeOf(k)
	}
	left, right := c.say(n.Left), c.say(n.Right)
	switch {
	case kl&isText != 0 && kr != isNull:
		return c.errorf(n, "a text and %s do not join; write %s + string(%s)", kr&^isNull, left, right)
	case kr&isText != 0 && kl != isNull:
		return c.errorf(n, "%s and a text do not join; write string(%s) + %s", kl&^isNull, left, right)
	case kl&isList != 0 && kr&isList != 0:
		return c.errorf(n, "lists are joined with concat(%s, %s)", left, right)
	}
	return c.errorf(n, "+ adds numbers and joins texts; this is %s and %s", kl, kr)
}

// arithmetic is - * / % ** ^.
func (c *checker) arithmetic(n *ast.BinaryNode, kl, kr kinds) *spec.Shape {
	var k kinds
	if kl&isNumber != 0 && kr&isNumber != 0 {
		switch n.Operator {
		case "/", "**", "^":
			k = isFloat
		case "%":
			k = isInt
		default:
			k = (kl | kr) & isNumber
		}
	}
	switch n.Operator {
	case "-":
		k |= kl & kr & isDuration
		if kl&isTime != 0 && kr&isTime != 0 {
			k |= isDuration
		}
		if kl&isTime != 0 && kr&isDuration != 0 {
			k |= isTime
		}
	case "*":
		if kl&isDuration != 0 && kr&isNumber != 0 || kl&isNumber != 0 && kr&isDuration != 0 {
			k |= isDuration
		}
	}
	if k != 0 {
		return shapeOf(k)
	}
	bad, of := n.Left, kl
	if kl&isNumber != 0 {
		bad, of = n.Right, kr
	}
	return c.errorf(n, "%s wants numbers; %s is %s", n.Operator, c.say(bad), of)
}

func (c *checker) wantNumber(n, side ast.Node, k kinds) {
	if k&isNumber == 0 {
		c.errorf(n, ".. goes from a whole number to one; %s is %s", c.say(side), k)
	}
}
