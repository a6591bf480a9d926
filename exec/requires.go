package exec

import (
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// systems are the operating systems that requires.os may name, as Go names them.
var systems = []string{"aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "linux", "netbsd", "openbsd", "plan9", "solaris", "windows"}

// checkRequires sees whether this machine has what the file requires. What it lacks makes the tool unavailable; only a
// system that does not exist is the file's fault.
func (s *Site) checkRequires() spec.Diagnostics {
	var ds spec.Diagnostics
	var names []string
	for _, system := range s.Spec.Requires.OS {
		names = append(names, system.Value)
		if slices.Contains(systems, system.Value) {
			continue
		}
		instead := map[string]string{"macos": "darwin", "mac": "darwin", "osx": "darwin", "win": "windows", "win32": "windows", "debian": "linux", "ubuntu": "linux"}[strings.ToLower(system.Value)]
		if instead == "" {
			instead = strings.Join(systems, ", ")
		}
		ds.Add(system.Pos, "requires", "requires.os: unknown operating system %q; write %s", system.Value, instead)
	}
	if len(names) > 0 && !slices.Contains(names, runtime.GOOS) {
		s.Unavailable("it works on " + strings.Join(names, ", ") + " only, this is " + runtime.GOOS)
	}
	for _, command := range s.Spec.Requires.Commands {
		if _, err := s.findProgram(command.Value); err != nil {
			s.Unavailable("it requires the command " + err.Error())
		}
	}
	for _, name := range s.Spec.Requires.Env {
		if os.Getenv(name.Value) == "" {
			s.Unavailable("it requires the environment variable " + name.Value + ", which is not set")
		}
	}
	return ds
}
