package registry

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// fold makes names alike that people take for one: they differ in case or in - and _ only.
func fold(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

// resolve decides among files whose names are alike whose each name is. Between sources the earlier has it; within a
// source the file that has it keeps it, else the first path gets it. The others are shadowed, and heal by the same
// rule as soon as the name is free.
func (u *update) resolve(alike []*file, owners map[string]*Entry) {
	slices.SortFunc(alike, func(a, b *file) int {
		return cmp.Or(cmp.Compare(a.source.rank, b.source.rank), strings.Compare(a.given.File, b.given.File))
	})
	holders(alike)
	winners := map[string]*file{} // by name
	for _, f := range alike {
		if f.holds && winners[f.name()] == nil {
			winners[f.name()] = f
		}
	}
	var first *file
	for _, f := range alike {
		e := f.given
		if e.Pending = u.registry.Lock().Refusal(e.Tool); e.Pending != "" && winners[f.name()] == f {
			e.State = StatePending
			e.Diagnostics = with(e.Diagnostics, waits(f, e.Pending))
		}
		switch w := winners[f.name()]; {
		case w != f:
			e.State, e.Pending = StateShadowed, ""
			e.Diagnostics = with(e.Diagnostics, clash(f, w))
		case first == nil:
			first = f
		default:
			e.Diagnostics = with(e.Diagnostics, lookalike(f, first))
		}
		if f.shown == nil || !f.shown.equal(&e) {
			u.note(f, &e)
		}
		if e.State != StateShadowed {
			owners[f.name()] = f.shown
		}
	}
}

// holders marks, for each name, the file that has it among the files of its source, whether or not an earlier source
// has it too: so that the one comes back that was there before.
func holders(alike []*file) {
	type place struct {
		source *Source
		name   string
	}
	holding := map[place]*file{}
	for _, f := range alike {
		at := place{f.source, f.name()}
		if h := holding[at]; h == nil || f.holds && !h.holds {
			holding[at] = f
		}
	}
	for _, f := range alike {
		f.holds = holding[place{f.source, f.name()}] == f
	}
}

func with(ds spec.Diagnostics, d spec.Diagnostic) spec.Diagnostics {
	return append(slices.Clip(ds), d)
}

// clash says why f does not have its name. Within a source that is a mistake; between sources it is how a tool is
// overridden.
func clash(f, winner *file) spec.Diagnostic {
	pos := f.given.Tool.Spec.Pos
	if f.source == winner.source {
		return spec.Errorf(pos, "name-clash", "name: %s is the name of the tool in %s, which keeps it; give one of them another name",
			f.name(), winner.given.File)
	}
	d := spec.Errorf(pos, "name-clash", "name: %s is overridden by %s of %s, which ranks before %s",
		f.name(), winner.given.File, winner.source.name, f.source.name)
	d.Severity = spec.SeverityInfo
	return d
}

// waits says why a tool has to be approved.
func waits(f *file, why string) spec.Diagnostic {
	d := spec.Errorf(f.given.Tool.Spec.Pos, "pending", "%s waits for approval: %s", f.name(), why)
	d.Severity = spec.SeverityWarning
	return d
}

// lookalike warns of two names that a model, or a person, will mistake for each other.
func lookalike(f, first *file) spec.Diagnostic {
	d := spec.Errorf(f.given.Tool.Spec.Pos, "name-alike", "name: %s differs from %s in %s only in case or in - and _",
		f.name(), first.name(), first.given.File)
	d.Severity = spec.SeverityWarning
	return d
}
