package exec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// Source is where one of the values in a plan comes from.
type Source struct {
	Name string `json:"name"` // as an expression reads it: input.city, env.HOME, secret.TOKEN, steps.place.lat
	From string `json:"from"` // argument, default, repair, nothing; environment, secret, state, call, directory, step, item
}

// dryCall is what a call that is not to be done knows of where its values come from.
type dryCall struct {
	args                map[string]any // as accepted; a step may have others
	defaulted, repaired []string
	reads               []*Expr // of the executor, or the step, that is looked at
	ownInput            bool    // the step has one
}

// inStep is the same for one step.
func (d *dryCall) inStep(st *pipelineStep) *dryCall {
	other := *d
	other.reads, other.ownInput = st.reads, st.input != nil
	return &other
}

// sources are where the values come from that a plan is made of.
func (d *dryCall) sources(call *Call, p Plan) []Source {
	mentions := mentionsOf(d.reads)
	if p.Command != nil || p.Func != nil && !d.ownInput { // the whole input goes along
		for name := range d.args {
			if !slices.ContainsFunc(mentions, func(m mention) bool { return len(m.path) > 1 && m.path[0].key == "input" && m.path[1].key == name }) {
				mentions = append(mentions, mentionOf([]step{{key: "input"}, {key: name}}))
			}
		}
	}
	slices.SortFunc(mentions, func(a, b mention) int { return strings.Compare(a.text, b.text) })
	sources := make([]Source, 0, len(mentions))
	for _, m := range mentions {
		sources = append(sources, Source{m.text, d.origin(call, m)})
	}
	return sources
}

var origins = map[string]string{
	"env": "environment", "secret": "secret", "state": "state", "self": "state", "call": "call", "dir": "directory", "steps": "step", "item": "item",
}

func (d *dryCall) origin(call *Call, m mention) string {
	switch root := m.path[0].key; {
	case root == "secret" && call.lacksSecret(m.path[1].key):
		return "secret, which is not there"
	case root != "input":
		return origins[root]
	}
	pointer, given := d.pointer(m.path[1:])
	for _, from := range []struct {
		word     string
		pointers []string
	}{{"default", d.defaulted}, {"repair", d.repaired}} {
		for _, p := range from.pointers {
			switch {
			case within(pointer, p):
				return from.word
			case within(p, pointer):
				return "argument, in part " + from.word
			}
		}
	}
	if !given {
		return "nothing"
	}
	return "argument"
}

// within tells whether a pointer is another, or leads on from it.
func within(pointer, other string) bool {
	rest, ok := strings.CutPrefix(pointer, other)
	return ok && (rest == "" || rest[0] == '/')
}

// pointer is the JSON pointer of a path of the input, and whether anything stands there.
func (d *dryCall) pointer(path []step) (pointer string, given bool) {
	value := any(d.args)
	for _, s := range path {
		token := s.key
		given = false
		switch at := value.(type) {
		case map[string]any:
			value, given = at[s.key]
		case []any:
			if i, err := place(s.index, len(at)); s.isIndex && err == nil && i >= 0 {
				token, value, given = strconv.Itoa(i), at[i], true
			}
		}
		if !given {
			value = nil
		}
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
	}
	return pointer, given || len(path) == 0
}

// mention is a name in scope that an expression reads, with the fields that lead on from it as far as they are written out.
type mention struct {
	path []step
	text string
}

func mentionOf(path []step) mention { return mention{path, writtenPath(path)} }

// mentionsOf are those of expressions, each once. Only a dry run asks, so the expressions are read once more.
func mentionsOf(exprs []*Expr) []mention {
	var all []mention
	for _, e := range exprs {
		tree, err := parser.Parse(e.source)
		if err != nil {
			continue // it was read before
		}
		found := finder{names: e.reads, paths: map[ast.Node][]step{}}
		ast.Walk(&tree.Node, &found)
		for _, path := range found.paths {
			if m := mentionOf(path); !slices.ContainsFunc(all, func(other mention) bool { return other.text == m.text }) {
				all = append(all, m)
			}
		}
	}
	return all
}

// finder finds the longest paths in an expression that start at one of the names.
type finder struct {
	names []string
	paths map[ast.Node][]step
}

// Visit comes to a node after those within it.
func (f *finder) Visit(at *ast.Node) {
	path := plainPath(*at)
	if name, ok := secretName(*at); ok {
		path = []step{{key: "secret"}, {key: name}}
	}
	if path == nil || !slices.Contains(f.names, path[0].key) {
		return
	}
	f.paths[*at] = path
	switch n := (*at).(type) {
	case *ast.MemberNode:
		delete(f.paths, n.Node)
	case *ast.ChainNode:
		delete(f.paths, n.Node)
	}
}
