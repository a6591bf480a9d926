package exec

import (
	"context"
	"slices"

	"github.com/toolspec/toolspec/spec"
)

// Executor does the work of a call. It returns a plain Go value (what JSON has, []byte, [time.Time]) or an error,
// best an [*spec.Error]; never content. Beside an error it may return what it had got, such as the body of a refusal:
// the tool's result.error sees it as output.
type Executor interface {
	Execute(ctx context.Context, call *Call) (any, error)
}

// ExecutorFunc is a function that is an [Executor].
type ExecutorFunc func(ctx context.Context, call *Call) (any, error)

// Execute calls f.
func (f ExecutorFunc) Execute(ctx context.Context, call *Call) (any, error) { return f(ctx, call) }

// Kind is how the section that stands under its name in a tool file becomes an executor.
type Kind struct {
	// Doc says in a sentence what the kind is for.
	Doc string
	// Config is a value of the type that the section is decoded into; only its declarations count. They tell editors what
	// may stand there, see [spec.GrammarOf]; nil: they are not told.
	Config any
	// Build makes the executor. All checking and compiling is done here; what is wrong comes back as diagnostics, all at
	// once.
	Build func(site *Site, config spec.Section) (Executor, spec.Diagnostics)
}

// Kinds is the kinds that tool files may use, by name. It is a value: copy it, delete "command", done.
type Kinds map[string]Kind

// KindOf is the kind whose section is decoded strictly into a C before build sees it.
func KindOf[C any](doc string, build func(site *Site, config *C) (Executor, spec.Diagnostics)) Kind {
	var declared C
	return Kind{doc, declared, func(site *Site, config spec.Section) (Executor, spec.Diagnostics) {
		var c C
		if ds := config.Decode(&c); ds.HasErrors() {
			return nil, ds
		}
		return build(site, &c)
	}}
}

// Names are the kinds' names, sorted.
func (k Kinds) Names() []string {
	names := make([]string, 0, len(k))
	for name := range k {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
