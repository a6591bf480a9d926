package exec

import (
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/toolspec/toolspec/spec"
)

// member checks x.name and x[key].
func (c *checker) member(n *ast.MemberNode) *spec.Shape {
	if _, ok := secretName(n); ok && !c.isVariable("secret") && c.names["secret"] != nil && !c.site.onlyScope {
		return c.secretField(n.Property.(*ast.StringNode))
	}
	base := c.base(n)
	key := c.visit(n.Property)
	k := kindsOf(base)
	name, named := n.Property.(*ast.StringNode)
	switch {
	case k == isAny || k == isNull:
		return nil
	case named && k&isMap != 0:
		return c.fieldOf(n, name, base)
	case named && k&(isTime|isDuration|isZone) != 0 && k&^(isTime|isDuration|isZone|isNull) == 0:
		if _, ok := methods[name.Value]; ok {
			return c.errorf(name, "%s is called: write .%s()", name.Value, name.Value)
		}
	case named:
		return c.noField(n, name, k)
	}
	return c.element(n, base, key)
}

// base is the shape of what a field is taken from. A mention of dir.scratch asks for the directory; of dir alone too,
// since its fields cannot be told apart then. So it is with env.
func (c *checker) base(n *ast.MemberNode) *spec.Shape {
	root, ok := n.Node.(*ast.IdentifierNode)
	name, named := n.Property.(*ast.StringNode)
	if !ok || !named || root.Value != "env" && (root.Value != "dir" || name.Value == "scratch") || c.isVariable(root.Value) || c.names[root.Value] == nil {
		return c.visit(n.Node)
	}
	c.reads = append(c.reads, root.Value)
	if root.Value == "env" {
		c.site.needEnv(name.Value)
	}
	return c.names[root.Value]
}

// element is the shape of what stands under a key that is computed, or at a place in a list.
func (c *checker) element(n *ast.MemberNode, base, key *spec.Shape) *spec.Shape {
	k, by := kindsOf(base), kindsOf(key)
	switch {
	case k&(isList|isMap|isText) == 0:
		return c.errorAtStart(n.Node, "%s is %s and has no elements", c.say(n.Node), k&^isNull)
	case by&isScalar == 0:
		return c.errorAtStart(n.Property, "a list is indexed by a number, an object by a text; this is %s", by)
	case k&^isNull == isList && by&isNumber == 0:
		return c.errorAtStart(n.Property, "%s is a list, which is indexed by a number; this is %s", c.say(n.Node), by)
	case k&^isNull == isList:
		return with(base.Items, isNull)
	case k&^isNull == isText:
		return shapeOf(isText | isNull)
	}
	return nil
}

// fieldOf is the shape of a named field of an object.
func (c *checker) fieldOf(n *ast.MemberNode, name *ast.StringNode, base *spec.Shape) *spec.Shape {
	s, declared := base.Fields[name.Value]
	switch {
	case declared && base.Sure[name.Value] && kindsOf(base) == isMap:
		return s
	case declared:
		return with(s, isNull)
	}
	if full := c.hyphened(name); full != name.Value && declares(base, full) {
		return c.errorf(name, "a name with - in it is written %s[%q]", c.say(n.Node), full)
	}
	of := c.say(n.Node)
	if base.Open {
		c.maybeMeant(name, of, base)
		return nil
	}
	if of == "env" {
		return c.errorf(name, "env.%s is not allowed; the operator allows %s%s; %s", name.Value, orNothing(fieldNames(base)),
			c.site.Env.Policy.toAllow("add %s to env", name.Value), c.insteadOfEnv(name.Value))
	}
	if near := spec.Nearest(name.Value, fieldNames(base)); near != "" {
		return c.errorf(name, "%s has no field %s; did you mean %s?", of, name.Value, near)
	}
	return c.errorf(name, "%s has no field %s; it has %s", of, name.Value, orNothing(fieldNames(base)))
}

// insteadOfEnv says where else what stands in a variable of the server can come from.
func (c *checker) insteadOfEnv(name string) string {
	if c.site.noSecrets {
		return "write the value into the file"
	}
	return "write the value into the file, or read it as secret." + name + " and have the operator give it so"
}

// maybeMeant warns of a field that an open object may have, where it much rather has one of nearly that name.
func (c *checker) maybeMeant(name *ast.StringNode, of string, base *spec.Shape) {
	near := spec.Nearest(name.Value, fieldNames(base))
	if near == "" || len(near)-len(name.Value) > 1 || len(near) < 4 {
		return
	}
	c.errorf(name, "%s declares no field %s; did you mean %s?", of, name.Value, near)
	d := &c.ds[len(c.ds)-1]
	d.Severity, d.Rule = spec.SeverityWarning, "field"
}

func declares(s *spec.Shape, name string) bool {
	_, ok := s.Fields[name]
	return ok
}

const mostSaid = 40 // names in one message

func orNothing(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	if len(names) > mostSaid {
		return strings.Join(names[:mostSaid], ", ") + ", … " + strconv.Itoa(len(names)) + " in all"
	}
	return strings.Join(names, ", ")
}

// hyphened is the name at a node's place as far as hyphens carry it, which the library takes for minus signs.
func (c *checker) hyphened(n ast.Node) string {
	rest := c.source[runeOffset(c.source, n.Location().From):]
	end := strings.IndexFunc(rest, func(r rune) bool {
		return r != '-' && r != '_' && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z') && !('0' <= r && r <= '9')
	})
	if end < 0 {
		end = len(rest)
	}
	return strings.TrimRight(rest[:end], "-")
}

// minusName finds that a - was meant as part of a name, as in input.max-results.
func (c *checker) minusName(n *ast.BinaryNode) bool {
	left := n.Left
	for {
		inner, ok := left.(*ast.BinaryNode)
		if !ok || inner.Operator != "-" {
			break
		}
		left = inner.Left
	}
	if chain, ok := left.(*ast.ChainNode); ok {
		left = chain.Node
	}
	m, ok := left.(*ast.MemberNode)
	if !ok {
		return false
	}
	name, ok := m.Property.(*ast.StringNode)
	if !ok {
		return false
	}
	full := c.hyphened(name)
	base := c.visit(m.Node)
	if full == name.Value || base == nil {
		return false
	}
	declared := declares(base, full)
	if right, ok := n.Right.(*ast.IdentifierNode); ok && !declared && base.Open {
		_, declared = c.names[right.Value]
		declared = !declared && !c.isVariable(right.Value)
	}
	if declared {
		c.errorf(name, "a name with - in it is written %s[%q]", c.say(m.Node), full)
	}
	return declared
}

func (c *checker) isVariable(name string) bool {
	for _, v := range c.vars {
		if v.name == name {
			return true
		}
	}
	return false
}

// noField is a field of what has none.
func (c *checker) noField(n *ast.MemberNode, name *ast.StringNode, k kinds) *spec.Shape {
	of := c.say(n.Node)
	switch {
	case k&(isList|isText) != 0 && (name.Value == "length" || name.Value == "size" || name.Value == "count"):
		return c.errorf(name, "there is no .%s; write len(%s)", name.Value, of)
	case k&isList != 0:
		return c.errorf(name, "%s is a list and has no field %s; write %s[0].%s for the first one's, map(%s, .%s) for each one's",
			of, name.Value, of, name.Value, of, name.Value)
	}
	return c.errorf(name, "%s is %s and has no field %s", of, k&^isNull, name.Value)
}

func (c *checker) slice(n *ast.SliceNode) *spec.Shape {
	base := c.visit(n.Node)
	for _, end := range []ast.Node{n.From, n.To} {
		if end == nil {
			continue
		}
		if k := kindsOf(c.visit(end)); !k.fits(isNumber) {
			c.errorAtStart(end, "a slice goes from a whole number to one; this is %s", k)
		}
	}
	if k := kindsOf(base); !k.fits(isList | isText) {
		return c.errorAtStart(n.Node, "%s is %s; only lists and texts have slices", c.say(n.Node), k&^isNull)
	}
	return base
}
