package check

import (
	"fmt"
	"slices"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// File is a tool file that is judged.
type File struct {
	Path   string
	Source []byte
	Spec   *spec.Spec       // a draft where the file has errors; nil where it cannot be read at all
	Tool   *exec.Tool       // nil where the file has errors
	Found  spec.Diagnostics // what reading and compiling the file has found

	secrets []secretFound // that stand in it; nobody is shown them
}

// NewFile is a file that was read and compiled: its bytes, and what came of them.
func NewFile(path string, source []byte, tool *exec.Tool, found spec.Diagnostics) *File {
	s, _ := spec.Parse(path, source)
	f := &File{Path: path, Source: source, Spec: s, Tool: tool, Found: found}
	f.secrets = findSecrets(f)
	return f
}

// Report notes one problem at its place.
type Report func(at spec.Pos, format string, args ...any)

// Rule is one thing that is looked for. A rule without Check and CheckAll is found where files are read and compiled, and
// only described here.
type Rule struct {
	Name      string
	Severity  spec.Severity
	Doc       string                // a paragraph for who has broken the rule
	Bad, Good string                // a line each; several where one does not show it
	Check     func(*File, Report)   // looks at one file; its Spec is not nil
	CheckAll  func([]*File, Report) // looks at all files of a directory together
}

// Options say how files are judged.
type Options struct {
	Together  bool     // the files are all that one directory holds
	Providers []string // names of [Providers]
}

// Lint is all that is wrong with the files, by reading, compiling and the rules, but for what their comments allow.
func Lint(files []*File, o Options) spec.Diagnostics {
	rules := o.rules()
	var ds spec.Diagnostics
	for _, f := range files {
		ds = append(ds, f.Found...)
	}
	for _, r := range rules {
		report := func(at spec.Pos, format string, args ...any) {
			ds = append(ds, spec.Diagnostic{Pos: at, Severity: r.Severity, Rule: r.Name, Message: fmt.Sprintf(format, args...)})
		}
		for _, f := range files {
			if r.Check != nil && f.Spec != nil {
				r.Check(f, report)
			}
		}
		if r.CheckAll != nil && o.Together {
			r.CheckAll(slices.DeleteFunc(slices.Clone(files), func(f *File) bool { return f.Spec == nil }), report)
		}
	}
	ds = o.allow(files, ds, rules)
	for _, f := range files {
		maskSecrets(f, ds)
	}
	ds.Sort()
	return ds
}

// rules are the rules that run.
func (o Options) rules() []Rule { return append(Rules(), providerRules(o.Providers)...) }
