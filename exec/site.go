package exec

import (
	"path/filepath"

	"github.com/toolspec/toolspec/spec"
)

// Site is where an executor is being built: for which tool, and which names its expressions see. A pipeline opens a
// site within a site for each step.
type Site struct {
	Env       *Env
	Kinds     Kinds
	Spec      *spec.Spec // the tool's own copy; its Input is set once the executor is built
	scope     map[string]*spec.Shape
	noSecrets bool // secret is not in scope: what is made here could reach the model
	onlyScope bool // nothing is in scope but that: the expression belongs to no tool file
	needs     *needs

	seen      map[string]*spec.Shape // what names gives while the input's schema is this one
	seenInput *spec.Schema

	inputGiven bool // the file has an inputSchema of its own
	inStep     bool // the executor is one of a pipeline's
}

// needs is what one tool turns out to need while it is compiled.
type needs struct {
	missing string           // why the tool is unavailable; empty if it is not
	scripts []string         // files whose bytes count in the digest
	exprs   []*Expr          // all that it has, in the order in which they are compiled
	secrets []string         // names of those it asks for, sorted
	env     []string         // names of the server's variables that it may read, sorted
	scratch bool             // a directory of its own for each call
	seen    int              // expressions met, right or not
	faults  int              // and what was wrong in them
	full    spec.Diagnostics // there were too many
}

// With is the site with one more name in scope; a nil shape is a name of which nothing is known.
func (s *Site) With(name string, shape *spec.Shape) *Site {
	inner := *s
	inner.seen = nil
	inner.scope = make(map[string]*spec.Shape, len(s.scope)+1)
	for n, sh := range s.scope {
		inner.scope[n] = sh
	}
	inner.scope[name] = shape
	return &inner
}

// Unavailable says that the tool cannot work on this machine now, and why; the first reason stands.
func (s *Site) Unavailable(reason string) {
	if s.needs.missing == "" {
		s.needs.missing = reason
	}
}

// CountScript makes the bytes of a file part of the tool's digest.
func (s *Site) CountScript(path string) { s.needs.scripts = append(s.needs.scripts, path) }

// Dir is dir.tool: the directory of the tool's file; for a tool without a file on disk, the work directory.
func (s *Site) Dir() string {
	file := s.Spec.Pos.File
	if file == "" {
		return s.Env.WorkDir
	}
	if filepath.IsAbs(file) {
		return filepath.Dir(file)
	}
	return filepath.Join(s.Env.here, filepath.Dir(file))
}

// NeedScratch has a directory made for each call.
func (s *Site) NeedScratch() { s.needs.scratch = true }
