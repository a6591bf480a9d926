package loader

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// Load reads all tool files of a file system once: for embedded tools, tests, and programs that end soon. What is wrong
// with some files is in the diagnostics and disturbs no other.
func Load(fsys fs.FS, kinds exec.Kinds, env *exec.Env) ([]*exec.Tool, spec.Diagnostics) {
	env = cmp.Or(env, &exec.Env{}) // one for all: they share its connections
	var tools []*exec.Tool
	t, err := walkTree(fsys, func(string, bool) {})
	if err != nil {
		return nil, spec.Diagnostics{unreadable(".", err)}
	}
	var ds spec.Diagnostics
	for _, f := range t.faults {
		ds = append(ds, unreadable(f.path, f.err))
	}
	for _, f := range t.files {
		tool, faults := loadFile(fsys, f.path, f.path, kinds, env)
		ds = append(ds, faults...)
		if tool != nil {
			tools = append(tools, tool)
		}
	}
	ds.Sort()
	return tools, ds
}

// LoadFile reads one tool file from disk, as a directory's are read.
func LoadFile(path string, kinds exec.Kinds, env *exec.Env) (*exec.Tool, spec.Diagnostics) {
	return loadFile(disk(filepath.Dir(path)), filepath.Base(path), path, kinds, env)
}

// loadFile reads the file of that name; its diagnostics call it as it is shown.
func loadFile(fsys fs.FS, name, shown string, kinds exec.Kinds, env *exec.Env) (*exec.Tool, spec.Diagnostics) {
	c := readStill(fsys, name, nil)
	if _, onDisk := fsys.(disk); onDisk && c.data != nil {
		x := cmp.Or(env, &exec.Env{}).Policy.NewExposure()
		c = c.trusted(exposedBy(cmp.Or(x.File(shown, c.stamp.mode), x.Place(shown), x.Inside(filepath.Dir(shown)))))
	}
	switch {
	case c.gone:
		return nil, spec.Diagnostics{unreadable(shown, fs.ErrNotExist)}
	case c.moving:
		return nil, spec.Diagnostics{unreadable(shown, errors.New("it changes while it is read"))}
	case c.err != nil:
		return nil, spec.Diagnostics{unreadable(shown, c.err)}
	}
	return compile(shown, c.data, kinds, env)
}

// compile makes a tool of a file's bytes; nil if there are errors.
func compile(name string, data []byte, kinds exec.Kinds, env *exec.Env) (*exec.Tool, spec.Diagnostics) {
	s, ds := spec.Parse(name, data)
	if s == nil {
		return nil, ds
	}
	tool, faults := kinds.Compile(env, s)
	ds = append(ds, faults...)
	ds.Sort()
	return tool, ds
}

// unreadable says why a file, or a directory, could not be read.
func unreadable(name string, err error) spec.Diagnostic {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // the path stands in front of the message anyway
	}
	rule := "read"
	if isExposure(err) {
		rule = exec.RuleExposed
	}
	return spec.Errorf(spec.Pos{File: name, Line: 1, Column: 1}, rule, "%s", err)
}
