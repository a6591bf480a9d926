package exec

import (
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// searchPath is where programs are looked up, and PATH of every child: the policy's or the server's own, without
// entries that depend on where a process happens to stand.
func (p Policy) searchPath() []string {
	list := p.Path
	if list == "" {
		list = os.Getenv("PATH")
	}
	return slices.DeleteFunc(filepath.SplitList(list), func(dir string) bool { return !filepath.IsAbs(dir) })
}

// findProgram is the absolute path of a program: a name is looked up on PATH, a path is relative to the tool file. The
// error starts with the name.
func (s *Site) findProgram(name string) (string, error) {
	return s.Env.Policy.findProgram(name, s.Dir())
}

// findProgram is the same for a file in another directory.
func (p Policy) findProgram(name, dir string) (string, error) {
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, filepath.FromSlash(name))
		}
		if _, err := osexec.LookPath(path); err != nil {
			return "", fmt.Errorf("%s, but %s", name, programFault(path))
		}
		return path, nil
	}
	for _, dir := range p.searchPath() {
		if path, err := osexec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s, which is not found on PATH", name)
}

func programFault(path string) string {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "there is no " + path
	case info.IsDir():
		return path + " is a directory"
	}
	return path + " is not executable"
}

// inheritedEnv is what a child gets of the server's environment, and no more: an allow-list, because no list of what
// is secret is ever complete.
func (p Policy) inheritedEnv() []string {
	env := []string{"PATH=" + strings.Join(p.searchPath(), string(filepath.ListSeparator))}
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if inherits(name) {
			env = append(env, pair)
		}
	}
	return env
}

// inherits tells whether a child gets a variable of this name from the server, beside PATH.
func inherits(name string) bool {
	switch name {
	case "HOME", "LANG", "TZ", "TMPDIR", "TERM":
		return true
	}
	return strings.HasPrefix(name, "LC_") || slices.Contains(platformEnv(), name)
}

// envPair is a variable that a tool file sets for its command.
type envPair struct {
	name  string
	value *Template
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// compileEnv compiles the env map of a command; taken are names that are set already.
func (s *Site) compileEnv(sec spec.Section, taken []inputVariable) ([]envPair, spec.Diagnostics) {
	var ds spec.Diagnostics
	var pairs []envPair
	for _, f := range sec.Fields() {
		name := f.Key.Value
		if !envName.MatchString(name) {
			ds.Add(f.Key.Pos, "env", "%s: want a name of letters, digits and _, have %q", sec.Path(), name)
		}
		if setsInput(name, taken) {
			ds.Add(f.Key.Pos, "env", "%s: %s is set from the input already", sec.Path(), name)
		}
		text, ok := f.Value.Text()
		if !ok {
			continue // said by Decode
		}
		if script, _ := namedBeside(text.Value); script != "" {
			s.countIfScript(script)
		}
		value, faults := s.Template(text)
		ds = append(ds, faults...)
		ds = append(ds, checkSteering(sec, f.Key, value)...)
		pairs = append(pairs, envPair{name, value})
	}
	return pairs, ds
}

func setsInput(name string, taken []inputVariable) bool {
	return name == allInput || slices.ContainsFunc(taken, func(v inputVariable) bool { return v.name == name })
}

// evalEnv adds the file's variables; one whose value holds a null is left out.
func evalEnv(ctx context.Context, v *Vars, pairs []envPair, env []string) ([]string, error) {
	for _, p := range pairs {
		value, null, err := p.value.text(ctx, v)
		if err != nil {
			return nil, err
		}
		if null {
			continue
		}
		if strings.IndexByte(value, 0) >= 0 {
			return nil, spec.NewError(spec.CodeInvalidInput, "the environment variable %s would hold a NUL character, which no variable can", p.name)
		}
		env = append(env, p.name+"="+value)
	}
	return env, nil
}
