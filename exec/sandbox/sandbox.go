package sandbox

import (
	"sync"

	"github.com/toolspec/toolspec/exec"
)

// Sandbox is an [exec.Sandbox]. What this machine can do is found out once, by doing it.
type Sandbox struct {
	mu    sync.Mutex
	found map[exec.Level]error
}

// New is a sandbox; nothing is tried before something is asked of it.
func New() *Sandbox { return &Sandbox{found: map[exec.Level]error{}} }

// Has says why programs cannot be confined so far on this machine; nil where they can.
func (s *Sandbox) Has(level exec.Level) error {
	if level == exec.LevelNone {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err, known := s.found[level]
	if !known {
		err = try(level)
		s.found[level] = err
	}
	return err
}
