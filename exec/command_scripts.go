package exec

import (
	"os"
	"path/filepath"
	"regexp"
)

// besideTool is a text that names a file beside the tool file, alone or behind what an option says: --config=${dir.tool}/x.
var besideTool = regexp.MustCompile(`^([^$]*)\$\{\s*dir\.tool\s*\}/([^$]+)$`)

// namedBeside is the path of a file beside the tool file that a text names literally, from the tool's directory; alone if the text
// says nothing else.
func namedBeside(text string) (path string, alone bool) {
	if m := besideTool.FindStringSubmatch(text); m != nil {
		return m[2], m[1] == ""
	}
	return "", false
}

// toolDir is a cwd that is the tool's own directory.
var toolDir = regexp.MustCompile(`^\$\{\s*dir\.tool\s*\}/?$`)

// scriptEnding is how the names of scripts end.
var scriptEnding = regexp.MustCompile(`\.(sh|bash|zsh|fish|py|rb|pl|js|mjs|cjs|ts|lua|php|R|jl|sql|jq|awk|sed|ps1)$`)

// countScript counts a file beside the tool file; as the first argument it is what the program runs, and must be
// there.
func (s *Site) countScript(name string, runs bool) {
	script := filepath.Join(s.Dir(), filepath.FromSlash(name))
	s.CountScript(script)
	if _, err := os.Stat(script); err != nil && runs {
		s.Unavailable("it runs the script " + name + ", but there is no " + script)
	}
}

// countIfScript counts a file beside the tool file that looks like a script, or would once it is there: by its ending, its first line
// or its mode. What else a program may be given is data, which it may change.
func (s *Site) countIfScript(name string) {
	if name == "" || name[0] == '-' || !filepath.IsLocal(filepath.FromSlash(name)) {
		return
	}
	path := filepath.Join(s.Dir(), filepath.FromSlash(name))
	info, err := os.Stat(path)
	isFile := err == nil && info.Mode().IsRegular()
	if scriptEnding.MatchString(name) && (isFile || err != nil) || isFile && (info.Mode()&0o111 != 0 || s.interpreter(path) != "") {
		s.countScript(name, false)
	}
}
