package exec

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

// rewriter turns what the library parsed into calls of our functions: operators, names, fields and functions become
// calls that are handed the meter, and every predicate body counts its turns. What is left to the library's machine
// is what neither grows nor fails: jumps, loops, variables, literals.
type rewriter struct {
	vars  []string // those in scope
	turns int      // predicates around the node
	sites []site
}

// site is a call that was written into an expression: of what, so that an error can name it. A site's number stands
// where the library keeps a node's place.
type site struct {
	operands []ast.Node // as they were written
}

// The functions that only rewriting calls. No expression can write these names.
const (
	fnName   = "$name"
	fnField  = "$field"
	fnSlice  = "$slice"
	fnMethod = "$method"
	fnItem   = "$item"
	fnList   = "$list"
	fnTick   = "$tick"
	fnMade   = "$made"
	fnTest   = "$test"
	fnTruth  = "$truth"
	fnKey    = "$key"
	fnSum    = "$sum"
	fnSortBy = "$sortBy"
	fnGroup  = "$groupBy"
	fnNegate = "$negate"
	fnPlus   = "$plus"
	fnSecret = "$secret"
	fnIfKept = "$secretOrNull"
)

// call makes a call of one of our functions; operands are its arguments as they were written.
func (r *rewriter) call(name string, operands []ast.Node, args ...ast.Node) ast.Node {
	r.sites = append(r.sites, site{operands})
	n := &ast.CallNode{
		Callee:    &ast.IdentifierNode{Value: name},
		Arguments: append([]ast.Node{&ast.IdentifierNode{Value: "$env"}}, args...),
	}
	n.SetLocation(file.Location{From: len(r.sites)})
	return n
}

// apply calls a function on rewritten operands.
func (r *rewriter) apply(name string, operands ...ast.Node) ast.Node {
	return r.call(name, operands, r.all(operands)...)
}

func (r *rewriter) all(nodes []ast.Node) []ast.Node {
	written := make([]ast.Node, len(nodes))
	for i, n := range nodes {
		written[i] = r.node(n)
	}
	return written
}

func (r *rewriter) node(n ast.Node) ast.Node {
	switch n := n.(type) {
	case nil:
		return &ast.NilNode{}
	case *ast.IdentifierNode:
		return r.identifier(n)
	case *ast.UnaryNode:
		return r.unary(n)
	case *ast.BinaryNode:
		return r.binary(n)
	case *ast.ChainNode:
		return r.node(n.Node)
	case *ast.MemberNode:
		return r.member(n)
	case *ast.SliceNode:
		return r.apply(fnSlice, n.Node, n.From, n.To)
	case *ast.CallNode:
		return r.function(n)
	case *ast.BuiltinNode:
		return r.builtin(n)
	case *ast.PointerNode:
		if n.Name != "" {
			return &ast.PointerNode{Name: n.Name}
		}
		return r.call(fnItem, []ast.Node{n}, &ast.PointerNode{})
	case *ast.VariableDeclaratorNode:
		value := r.node(n.Value)
		r.vars = append(r.vars, n.Name)
		inner := r.node(n.Expr)
		r.vars = r.vars[:len(r.vars)-1]
		return &ast.VariableDeclaratorNode{Name: n.Name, Value: value, Expr: inner}
	case *ast.SequenceNode:
		return &ast.SequenceNode{Nodes: r.all(n.Nodes)}
	case *ast.ConditionalNode:
		return &ast.ConditionalNode{Cond: r.truth(n.Cond), Exp1: r.node(n.Exp1), Exp2: r.node(n.Exp2)}
	case *ast.ArrayNode:
		return r.made(&ast.ArrayNode{Nodes: r.all(n.Nodes)}, len(n.Nodes))
	case *ast.MapNode:
		return r.made(&ast.MapNode{Pairs: r.all(n.Pairs)}, 3*len(n.Pairs))
	case *ast.PairNode:
		return &ast.PairNode{Key: r.key(n.Key), Value: r.node(n.Value)}
	}
	return n // a literal
}

func (r *rewriter) identifier(n *ast.IdentifierNode) ast.Node {
	switch {
	case slices.Contains(r.vars, n.Value):
		return &ast.IdentifierNode{Value: n.Value}
	case n.Value == "null":
		return &ast.NilNode{}
	}
	return r.call(fnName, []ast.Node{n}, &ast.StringNode{Value: n.Value})
}

func (r *rewriter) unary(n *ast.UnaryNode) ast.Node {
	switch n.Operator {
	case "-":
		return r.apply(fnNegate, n.Node)
	case "+":
		return r.apply(fnPlus, n.Node)
	}
	return &ast.UnaryNode{Operator: "!", Node: r.truth(n.Node)}
}

func (r *rewriter) binary(n *ast.BinaryNode) ast.Node {
	switch n.Operator {
	case "&&", "and", "||", "or":
		return &ast.BinaryNode{Operator: n.Operator, Left: r.truth(n.Left), Right: r.truth(n.Right)}
	case "??":
		if name, ok := r.secret(n.Left); ok {
			return &ast.BinaryNode{Operator: "??", Left: r.call(fnIfKept, nil, name), Right: r.node(n.Right)}
		}
		return &ast.BinaryNode{Operator: "??", Left: r.node(n.Left), Right: r.node(n.Right)}
	}
	return r.call(n.Operator, []ast.Node{n.Left, n.Right}, r.node(n.Left), r.pattern(n.Operator, n.Right))
}

// pattern is the second operand; a regular expression that stands in the file is compiled once.
func (r *rewriter) pattern(function string, n ast.Node) ast.Node {
	if text, ok := n.(*ast.StringNode); ok && (function == "matches" || function == "match") {
		return &ast.ConstantNode{Value: regexp.MustCompile(text.Value)} // the checker has compiled it before
	}
	return r.node(n)
}

// truth is a node where a boolean is wanted.
func (r *rewriter) truth(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.BoolNode:
		return n
	case *ast.UnaryNode:
		if n.Operator == "!" || n.Operator == "not" {
			return r.node(n)
		}
	case *ast.BinaryNode:
		if givesBool(n.Operator) {
			return r.node(n)
		}
	}
	return r.apply(fnTruth, n)
}

func givesBool(operator string) bool {
	switch operator {
	case "==", "!=", "<", ">", "<=", ">=", "in", "matches", "contains", "startsWith", "endsWith", "&&", "||", "and", "or":
		return true
	}
	return false
}

// key is a key of a map; one that is written as a text stays.
func (r *rewriter) key(n ast.Node) ast.Node {
	if _, ok := n.(*ast.StringNode); ok {
		return n
	}
	return r.apply(fnKey, n)
}

func (r *rewriter) member(n *ast.MemberNode) ast.Node {
	if name, ok := r.secret(n); ok {
		return r.call(fnSecret, nil, name)
	}
	return r.call(fnField, []ast.Node{n.Node, n.Property}, r.inner(n.Node), r.node(n.Property))
}

// secret is the name of the secret that a node is, as an argument.
func (r *rewriter) secret(n ast.Node) (ast.Node, bool) {
	name, ok := secretName(n)
	return &ast.StringNode{Value: name}, ok && !slices.Contains(r.vars, "secret")
}

// inner is a node whose field is taken: the element itself, be it a number, needs no making.
func (r *rewriter) inner(n ast.Node) ast.Node {
	if p, ok := n.(*ast.PointerNode); ok {
		return &ast.PointerNode{Name: p.Name}
	}
	return r.node(n)
}

// made counts the room of a list or a map that is made again and again.
func (r *rewriter) made(n ast.Node, items int) ast.Node {
	if r.turns == 0 || items == 0 {
		return n
	}
	return r.call(fnMade, nil, n, &ast.IntegerNode{Value: items})
}

func (r *rewriter) function(n *ast.CallNode) ast.Node {
	switch callee := n.Callee.(type) {
	case *ast.IdentifierNode:
		args := r.all(n.Arguments)
		if len(args) == 2 {
			args[1] = r.pattern(callee.Value, n.Arguments[1])
		}
		return r.call(callee.Value, n.Arguments, args...)
	case *ast.MemberNode:
		operands := append([]ast.Node{callee.Node, callee.Property}, n.Arguments...)
		return r.apply(fnMethod, operands...)
	}
	return n // the checker has refused it
}

// builtin rewrites a call of a function that the library has too; those with a predicate it runs.
func (r *rewriter) builtin(n *ast.BuiltinNode) ast.Node {
	switch n.Name {
	case "map", "filter", "all", "any", "none", "one", "find", "findIndex", "findLast", "findLastIndex", "count", "reduce":
		return r.predicate(n)
	case "sum":
		if len(n.Arguments) == 1 {
			return r.apply(fnSum, n.Arguments...)
		}
		each := &ast.BuiltinNode{Name: "map", Arguments: n.Arguments}
		return r.call(fnSum, n.Arguments, r.predicate(each))
	case "sortBy", "groupBy":
		return r.keyed(n)
	}
	return r.apply(n.Name, n.Arguments...)
}

func (r *rewriter) predicate(n *ast.BuiltinNode) ast.Node {
	args := []ast.Node{r.apply(fnList, n.Arguments[0])}
	count := fnTest
	if n.Name == "map" || n.Name == "reduce" {
		count = fnTick
	}
	if len(n.Arguments) == 1 { // count(list)
		return &ast.BuiltinNode{Name: n.Name, Arguments: append(args, r.body(count, &ast.PointerNode{}))}
	}
	args = append(args, r.body(count, n.Arguments[1]))
	for _, more := range n.Arguments[2:] {
		args = append(args, r.node(more))
	}
	return &ast.BuiltinNode{Name: n.Name, Arguments: args}
}

func (r *rewriter) body(count string, n ast.Node) ast.Node {
	if p, ok := n.(*ast.PredicateNode); ok {
		n = p.Node
	}
	r.turns++
	defer func() { r.turns-- }()
	return &ast.PredicateNode{Node: r.apply(count, n)}
}

// keyed is for sortBy and groupBy: the library maps the list to its keys, and a function of ours does the rest.
func (r *rewriter) keyed(n *ast.BuiltinNode) ast.Node {
	list := "$list" + strconv.Itoa(len(r.sites))
	value := r.apply(fnList, n.Arguments[0])
	keys := &ast.BuiltinNode{Name: "map", Arguments: []ast.Node{
		&ast.IdentifierNode{Value: list}, r.body(fnTick, n.Arguments[1]),
	}}
	args := append([]ast.Node{&ast.IdentifierNode{Value: list}, keys}, r.all(n.Arguments[2:])...)
	return &ast.VariableDeclaratorNode{Name: list, Value: value, Expr: r.call("$"+n.Name, n.Arguments, args...)}
}
