package exec

import (
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"github.com/toolspec/toolspec/spec"
)

// maxExprSource is the longest expression, in bytes; what is longer belongs in a program of its own.
const maxExprSource = 16 << 10

// What one tool may hold of them: checking more takes longer than reading a file may.
const (
	maxExprs      = 1_000
	maxExprFaults = 100
)

// tooMany counts one more expression. Once there are too many of them, or of faults in them, the rest is not looked at,
// and each gets the same fault, which is told once.
func (s *Site) tooMany(t spec.Text) spec.Diagnostics {
	s.needs.seen++
	switch {
	case s.needs.full != nil:
	case s.needs.faults > maxExprFaults:
		s.needs.full.Add(t.At(0), "limit", "more than 100 faults were found in expressions before this text; no more are looked at")
	case s.needs.seen > maxExprs:
		s.needs.full.Add(t.At(0), "limit", "a tool file holds at most 1,000 expressions; this text has the first beyond them")
	}
	return s.needs.full
}

// compile compiles what stands in a slot of a text, if the tool has not too many already.
func (s *Site) compile(t spec.Text, at slot) (*Expr, *spec.Shape, spec.Diagnostics) {
	if over := s.tooMany(t); over != nil {
		return nil, nil, over
	}
	e, shape, ds := s.compileSlot(t, at)
	s.needs.faults += len(ds)
	return e, shape, ds
}

// compileSlot compiles what stands in a slot of a text: the library parses it, we check it against what is in scope,
// rewrite it, and the library makes a program of it. The shape is what is known of its value.
func (s *Site) compileSlot(t spec.Text, at slot) (*Expr, *spec.Shape, spec.Diagnostics) {
	c := &checker{site: s, names: s.names(), text: t, at: at.from, source: t.Value[at.from:at.to]}
	switch {
	case len(c.source) > maxExprSource:
		c.ds.Add(t.At(at.start), ruleTemplate, "an expression holds at most 16 KiB")
		return nil, nil, c.ds
	case strings.TrimSpace(blankTexts(c.source)) == "":
		c.ds.Add(t.At(at.start), ruleTemplate, "there is no expression here; write $${ for a literal ${")
		return nil, nil, c.ds
	}
	if at := wholeDivision(c.source); at >= 0 {
		c.ds.Add(t.At(c.at+at), ruleTemplate, "// begins a comment; for whole numbers write int(a / b)")
		return nil, nil, c.ds
	}
	tree, err := c.parse()
	if err != nil {
		c.parseFault(err)
		return nil, nil, c.ds
	}
	shape := c.visit(tree.Node)
	if c.size > maxExprNodes {
		c.ds.Add(t.At(at.start), ruleTemplate, "the expression is too large; split it, or name its parts with let x = …;")
	}
	if c.ds.HasErrors() {
		return nil, nil, c.ds
	}
	e := &Expr{
		source:  strings.TrimSpace(c.source),
		line:    t.At(at.from).Line,
		code:    sync.OnceValues(func() (*code, error) { return machineCode(tree) }),
		path:    plainPath(tree.Node),
		reads:   c.reads,
		certain: c.isFromFile(tree.Node),
		closed:  c.isClosed(tree.Node),
		texts:   choices(tree.Node),
	}
	if e.path == nil {
		if _, err := e.code(); err != nil {
			c.ds.Add(t.At(at.start), ruleTemplate, "this expression does not compile: %s", firstLine(err.Error()))
			return nil, nil, c.ds
		}
	}
	s.needs.exprs = append(s.needs.exprs, e)
	return e, shape, c.ds
}

func machineCode(tree *parser.Tree) (*code, error) {
	r := rewriter{}
	root := &ast.SequenceNode{Nodes: []ast.Node{r.node(tree.Node)}}
	program, err := compiler.Compile(&parser.Tree{Node: root, Source: tree.Source}, &conf.Config{Functions: library})
	root.Nodes = nil // the program holds on to its tree, and has no use for it
	return &code{program, r.sites}, err
}

// parseFault is what the library's parser did not understand, with a hint where the slip is a known one.
func (c *checker) parseFault(err error) {
	var fault *file.Error
	if !errors.As(err, &fault) {
		c.ds.Add(c.text.At(c.at), ruleTemplate, "%s", firstLine(err.Error()))
		return
	}
	offset := runeOffset(c.source, fault.From)
	if at, hint := slip(c.source, offset); hint != "" {
		c.ds.Add(c.text.At(c.at+at), ruleTemplate, "%s", hint)
		return
	}
	c.ds.Add(c.text.At(c.at+offset), ruleTemplate, "%s", plainWords(fault.Message))
}

// runeOffset is the byte offset of a rune.
func runeOffset(s string, rune int) int {
	offset := 0
	for ; rune > 0 && offset < len(s); rune-- {
		_, size := utf8.DecodeRuneInString(s[offset:])
		offset += size
	}
	return offset
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
