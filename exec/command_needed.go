package exec

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// needed is what a program must be able to read to run at all, where the system's directories do not have it: the tool's own directory, the
// directories of PATH with what is installed beside them, the program, and the interpreter that it names.
func (s *Site) needed(program string) []string {
	var paths []string
	if info, err := os.Stat(s.file()); err == nil && info.Mode().IsRegular() {
		paths = append(paths, s.Dir())
	}
	for _, dir := range s.Env.Policy.searchPath() {
		paths = append(paths, installed(dir)...)
	}
	for range mostInterpreters {
		if program == "" {
			break
		}
		for _, path := range []string{program, resolve(program)} {
			paths = append(paths, path)
			paths = append(paths, installed(filepath.Dir(path))[1:]...)
		}
		program = s.interpreter(program)
	}
	paths = slices.DeleteFunc(paths, isSystem)
	slices.Sort(paths)
	return slices.Compact(paths)
}

// mostInterpreters is how many scripts may interpret one another.
const mostInterpreters = 5

// file is the path of the tool's file.
func (s *Site) file() string { return filepath.Join(s.Dir(), filepath.Base(s.Spec.Pos.File)) }

// isSystem tells whether every sandbox has a path anyway.
func isSystem(path string) bool {
	return slices.ContainsFunc([]string{"/usr", "/bin", "/sbin", "/lib", "/lib64"}, func(dir string) bool { return isWithin(path, dir) })
}

// installed is a directory of programs, and what belongs to its programs: what stands beside bin, and all that a version
// manager keeps beside its shims. It is never someone's home.
func installed(dir string) []string {
	paths, above := []string{dir}, filepath.Dir(dir)
	switch filepath.Base(dir) {
	case "bin", "sbin":
		for _, name := range []string{"lib", "lib64", "libexec", "pyvenv.cfg"} {
			if path := filepath.Join(above, name); exists(path) {
				paths = append(paths, path)
			}
		}
	case "shims":
		if home, err := os.UserHomeDir(); err != nil || !isWithin(home, above) {
			paths = append(paths, above)
		}
	}
	return paths
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// interpreter is the program that a script's first line names; empty if it names none that is there.
func (s *Site) interpreter(script string) string {
	path, _ := s.findInterpreter(script)
	return path
}

// findInterpreter tells, too, why it is not there. What is no script has none, and nothing is wrong with that.
func (s *Site) findInterpreter(script string) (path string, err error) {
	file, err := os.Open(script) // #nosec G304 -- a program that a tool file names
	if err != nil {
		return "", nil // some programs may be executed and not read
	}
	defer file.Close()
	line, _ := bufio.NewReaderSize(file, 256).ReadSlice('\n') // a longer one is cut by the system, too
	words := strings.Fields(strings.TrimPrefix(string(line), "#!"))
	if !strings.HasPrefix(string(line), "#!") || len(words) == 0 {
		return "", nil
	}
	if filepath.Base(words[0]) != "env" {
		if !filepath.IsAbs(words[0]) {
			return words[0], nil // from where it will be started
		}
		return s.findProgram(words[0])
	}
	takes := false
	for _, word := range words[1:] {
		switch {
		case takes:
			takes = false
		case strings.HasPrefix(word, "-"):
			takes = word == "-u" || word == "-C"
		case !strings.Contains(word, "="):
			return s.findProgram(word)
		}
	}
	return "", nil
}
