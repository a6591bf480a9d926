package exec

import (
	"maps"
	"sync"

	"github.com/toolspec/toolspec/spec"
)

func textShape() *spec.Shape { return &spec.Shape{Types: []string{"string"}} }

// object is the shape of an object that has exactly these fields, always.
func objectShape(fields map[string]*spec.Shape) *spec.Shape {
	sure := make(map[string]bool, len(fields))
	for name := range fields {
		sure[name] = true
	}
	return &spec.Shape{Types: []string{"object"}, Fields: fields, Sure: sure}
}

// executorScope is what every expression of a tool file sees: input, env, call, dir, state and self; and
// secret, where no model sees what it makes.
func executorScope(site *Site) map[string]*spec.Shape {
	env := &spec.Shape{Types: []string{"object"}, Fields: map[string]*spec.Shape{}}
	if site.Env != nil {
		for _, name := range site.Env.Policy.EnvNames {
			env.Fields[name] = textShape()
		}
	}
	input := &spec.Shape{Types: []string{"object"}, Open: true}
	if site.Spec != nil && site.Spec.Input != nil {
		input = site.Spec.Input.Shape()
	}
	scope := map[string]*spec.Shape{"input": input, "env": env, "call": callShape(), "dir": dirShape(), "state": stateShape(), "self": stateShape()}
	if !site.noSecrets {
		scope["secret"] = &spec.Shape{Types: []string{"object"}, Open: true}
	}
	return scope
}

// The shapes of what has the same fields in every tool.
var (
	callShape = sync.OnceValue(func() *spec.Shape {
		orNull := &spec.Shape{Types: []string{"string", "null"}}
		return objectShape(map[string]*spec.Shape{"id": textShape(), "tool": textShape(), "session": orNull, "user": orNull})
	})
	stateShape = sync.OnceValue(func() *spec.Shape { return &spec.Shape{Types: []string{"object"}, Open: true} })
	dirShape   = sync.OnceValue(func() *spec.Shape {
		return objectShape(map[string]*spec.Shape{"tool": textShape(), "work": textShape(), "scratch": textShape()})
	})
)

// names is the site's scope, which never lacks what every expression sees.
func (s *Site) names() map[string]*spec.Shape {
	if _, ok := s.scope["input"]; ok || s.onlyScope {
		return s.scope
	}
	var input *spec.Schema
	if s.Spec != nil {
		input = s.Spec.Input
	}
	if s.seen == nil || s.seenInput != input {
		s.seen, s.seenInput = executorScope(s), input
		maps.Copy(s.seen, s.scope)
	}
	return s.seen
}
