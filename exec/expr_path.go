package exec

import (
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
)

// parse parses an expression. Most are names joined by points, such as input.city: of these the tree is made here, the
// same that the library's parser makes, at a fraction of its cost.
func (c *checker) parse() (*parser.Tree, error) {
	start := len(c.source) - len(strings.TrimLeft(c.source, " "))
	names := strings.Split(strings.Trim(c.source, " "), ".")
	if _, known := c.names[names[0]]; !known {
		return parser.Parse(c.source)
	}
	var node ast.Node
	for i, name := range names {
		if !isName(name) {
			return parser.Parse(c.source)
		}
		at := file.Location{From: start, To: start + len(name)}
		if i == 0 {
			node = &ast.IdentifierNode{Value: name}
		} else {
			key := &ast.StringNode{Value: name}
			key.SetLocation(at)
			node = &ast.MemberNode{Node: node, Property: key}
		}
		node.SetLocation(at)
		start = at.To + 1
	}
	return &parser.Tree{Node: node, Source: file.NewSource(c.source)}, nil
}

// isName tells whether a text is one name to the library's reader, whatever stands around it.
func isName(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}

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
		if n.Value == "secret" {
			return nil // it is looked up when it is read
		}
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

// followPath is what stands at a path, untouched. It is found if anything stands there, be it null. It is not plain if
// the path leads through what has no fields, or not such ones: the expression then says so when it runs.
func followPath(path []step, v *Vars) (value any, found, plain bool) {
	value, found = v.Get(path[0].key)
	for _, s := range path[1:] {
		switch at := jsonValue(value).(type) {
		case nil:
			return nil, false, true
		case map[string]any:
			if s.isIndex {
				return nil, false, false
			}
			value, found = at[s.key]
		case []any:
			if !s.isIndex {
				return nil, false, false
			}
			i, err := place(s.index, len(at))
			if err != nil || i < 0 {
				return nil, false, err == nil
			}
			value, found = at[i], true
		default:
			return nil, false, false
		}
	}
	return jsonValue(value), found, true
}
