package exec

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// Typed is an executor that knows what it takes and gives; its schemas serve where the file gives none. A nil output
// schema says nothing.
type Typed interface {
	Executor
	InputSchema() (*spec.Schema, error)
	OutputSchema() (*spec.Schema, error)
}

// newFunc is the kind func: its section is the name under which the program registered a Go function in Env.Funcs.
func newFunc(site *Site, config spec.Section) (Executor, spec.Diagnostics) {
	name, ok := config.Text()
	if !ok {
		return nil, spec.Diagnostics{config.Errorf("type", "want the name of a Go function of this program, have %s", config.Form())}
	}
	executor, ok := site.Env.Funcs[name.Value]
	if !ok || executor == nil {
		return nil, spec.Diagnostics{config.Errorf("func", "%s", unknownFunc(name.Value, site.Env.Funcs))}
	}
	typed, ok := executor.(Typed)
	if !ok {
		return &goFunc{name.Value, executor}, nil
	}
	if err := site.adopt(typed); err != nil {
		return nil, spec.Diagnostics{config.Errorf("func", "%s: %v", name.Value, err)}
	}
	return &typedFunc{goFunc{name.Value, executor}, typed}, nil
}

// goFunc is a Go function with the name under which files know it.
type goFunc struct {
	name string
	Executor
}

// Execute tells of the function and calls it.
func (f *goFunc) Execute(ctx context.Context, call *Call) (any, error) {
	call.tell(f.told(call))
	return f.Executor.Execute(ctx, call)
}

func (f *goFunc) told(call *Call) func() Plan {
	return func() Plan { return Plan{Func: &PlannedFunc{Name: f.name, Input: call.Args}} }
}

// typedFunc is one that knows its schemas.
type typedFunc struct {
	goFunc
	schemas Typed
}

// InputSchema is the function's.
func (f *typedFunc) InputSchema() (*spec.Schema, error) { return f.schemas.InputSchema() }

// OutputSchema is the function's.
func (f *typedFunc) OutputSchema() (*spec.Schema, error) { return f.schemas.OutputSchema() }

// adopt takes the schemas of a function where the file has none; that of its output only where the file does not make
// another value of it.
func (s *Site) adopt(typed Typed) error {
	if s.inStep { // the tool is more than the function
		return nil
	}
	if !s.inputGiven {
		input, err := typed.InputSchema()
		if err != nil {
			return err
		}
		if input != nil {
			s.Spec.Input = input
		}
	}
	if s.Spec.Output == nil && s.Spec.Result.Get("content").IsZero() {
		output, err := typed.OutputSchema()
		if err != nil {
			return err
		}
		s.Spec.Output = output
	}
	return nil
}

func unknownFunc(name string, funcs map[string]Executor) string {
	known := slices.Sorted(maps.Keys(funcs))
	message := "this program has no Go function " + name
	if near := spec.Nearest(name, known); near != "" {
		return message + "; did you mean " + near + "?"
	}
	if len(known) == 0 {
		return message + "; it registers none at all"
	}
	return message + "; it has " + strings.Join(known, ", ")
}
