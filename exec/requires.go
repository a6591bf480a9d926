package exec

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// checkRequires sees whether this machine has what the file requires; what it lacks makes the tool unavailable.
func (s *Site) checkRequires() {
	var systems []string
	for _, system := range s.Spec.Requires.OS {
		systems = append(systems, system.Value)
	}
	if len(systems) > 0 && !slices.Contains(systems, runtime.GOOS) {
		s.Unavailable("it works on " + strings.Join(systems, ", ") + " only, this is " + runtime.GOOS)
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
}
