package exec

import (
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// readsOnly tells whether an expression reads no name but this one.
func (e *Expr) readsOnly(name string) bool {
	tree, err := parser.Parse(e.source)
	if err != nil {
		return false
	}
	seen := roots{}
	ast.Walk(&tree.Node, seen)
	delete(seen, name)
	delete(seen, "null")
	return len(seen) == 0
}

// roots are the names that an expression reads.
type roots map[string]bool

// Visit notes a name.
func (r roots) Visit(n *ast.Node) {
	if name, ok := (*n).(*ast.IdentifierNode); ok {
		r[name.Value] = true
	}
}
