package exec

import (
	"maps"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// Typed is an executor that knows what its input is; its schema serves where the file gives none.
type Typed interface {
	Executor
	InputSchema() (*spec.Schema, error)
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
	if !ok || site.inputGiven {
		return executor, nil
	}
	input, err := typed.InputSchema()
	if err != nil {
		return nil, spec.Diagnostics{config.Errorf("func", "%s: %v", name.Value, err)}
	}
	site.Spec.Input = input
	return executor, nil
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
