package exec

import "github.com/expr-lang/expr/ast"

// step is one step of a plain path such as input.days[0]: a key, or an index.
type step struct {
	key     string
	index   int
	isIndex bool
}

// plainPath is the path that a node is, if it is nothing else: a name, fields, literal indices.
func plainPath(n ast.Node) []step {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return []step{{key: n.Value}}
	case *ast.ChainNode:
		return plainPath(n.Node)
	case *ast.MemberNode:
		path := plainPath(n.Node)
		if path == nil || n.Method {
			return nil
		}
		switch p := n.Property.(type) {
		case *ast.StringNode:
			return append(path, step{key: p.Value})
		case *ast.IntegerNode:
			return append(path, step{index: p.Value, isIndex: true})
		}
	}
	return nil
}

// followPath is what stands at a path, untouched; found tells whether anything does, be it null.
func followPath(path []step, v *Vars) (value any, found bool) {
	value, found = v.Get(path[0].key)
	for _, s := range path[1:] {
		switch at := value.(type) {
		case map[string]any:
			value, found = at[s.key]
			found = found && !s.isIndex
		case []any:
			i := s.index
			if i < 0 {
				i += len(at)
			}
			if !s.isIndex || i < 0 || i >= len(at) {
				return nil, false
			}
			value, found = at[i], true
		default:
			return nil, false
		}
	}
	return value, found
}
