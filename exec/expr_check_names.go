package exec

import (
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/toolspec/toolspec/spec"
)

// unavailable are roots that people look for, and where what they want is.
var unavailable = map[string]string{
	"$env": "$env is not available; env.NAME is a variable of the server that the operator allows",
	"None": "there is no None; write null", "undefined": "there is no undefined; write null", "NULL": "write null",
	"Null": "write null", "True": "write true", "False": "write false", "TRUE": "write true", "FALSE": "write false",
	"args": "the tool's arguments are input", "arguments": "the tool's arguments are input", "params": "the tool's arguments are input",
	"parameters": "the tool's arguments are input", "inputs": "the tool's arguments are input",
	"result": "what the executor returned is output, in result", "JSON": "write toJSON(x) or fromJSON(text)",
	"tool": "dir.tool is the directory of the tool's file, call.tool the tool's name",
	"it":   "the element is #, and .name its field", "this": "the element is #, and .name its field",
}

// scoped are names that only some expressions see, and where.
var scoped = map[string]string{
	"response": "response {status, headers} is there in the result of an http executor; of a request in a pipeline there is its value, steps.ID, and one that fails ends the pipeline with its status",
	"process":  "process {exitCode, stdout, stderr} is there in the result of a command executor; of a command in a pipeline there is its value, steps.ID",
	"output":   "output is what the executor made: it is there in result",
	"steps":    "steps.ID is what a step made: it is there in the steps that follow it, and in the result of a pipeline",
	"item":     "item is the element in a step of a pipeline that has each; in map(…), filter(…) and the like it is #",
}

const noSecretHere = "there are no secrets here, since what this makes can reach the model: they are for what a command, a request or a function is given"

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
		if n.Value == "secret" && !c.site.onlyScope {
			return c.errorf(n, "a secret is read as secret.NAME, with a name that stands in the file")
		}
		c.reads = append(c.reads, n.Value)
		if n.Value == "dir" {
			c.site.NeedScratch() // a field of it asks by itself, see base
		}
		if n.Value == "env" && !c.site.onlyScope {
			c.site.needEnv(c.site.Env.Policy.EnvNames...)
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
	if n.Value == "secret" && c.site.noSecrets {
		return c.errorf(n, "%s", noSecretHere)
	}
	if hint, ok := unavailable[n.Value]; ok {
		return c.errorf(n, "%s", hint)
	}
	if hint, ok := scoped[n.Value]; ok && !c.site.onlyScope {
		return c.errorf(n, "unknown name %s here: %s", n.Value, hint)
	}
	if _, ok := functions[n.Value]; ok {
		return c.errorf(n, "%s is a function; write %s(…)", n.Value, n.Value)
	}
	if input := c.names["input"]; input != nil && declares(input, n.Value) {
		return c.errorf(n, "unknown name %s; write input.%s", n.Value, n.Value)
	}
	if input := c.names["input"]; input != nil && strings.HasPrefix(n.Value, "INPUT_") {
		for _, field := range fieldNames(input) {
			if n.Value == variableName(field) {
				return c.errorf(n, "%s is the name in the environment of a command; here it is input.%s", n.Value, field)
			}
		}
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

// fieldNames are the names of a shape's fields, sorted.
func fieldNames(s *spec.Shape) []string { return slices.Sorted(maps.Keys(s.Fields)) }
