package loader

import (
	"fmt"
	"os"

	"github.com/fsnotify/fsnotify"
)

// marker makes events that come after all others: the system keeps one queue for all that a watcher watches. What it
// watches is a pipe of ours, whose mode is changed; nothing appears on any disk.
type marker struct {
	pipe [2]*os.File
	name string
	mode os.FileMode
}

// newMarker is nil where there can be none; then events are known as they arrive, which is a little later.
func newMarker(w *fsnotify.Watcher) *marker {
	r, p, err := os.Pipe()
	if err != nil {
		return nil
	}
	m := &marker{pipe: [2]*os.File{r, p}, name: fmt.Sprintf("/proc/self/fd/%d", r.Fd())}
	if err := w.Add(m.name); err != nil {
		m.close()
		return nil
	}
	return m
}

func (m *marker) mark() string {
	if m == nil {
		return ""
	}
	m.mode ^= 0o100
	if err := m.pipe[0].Chmod(0o600 ^ m.mode); err != nil {
		return ""
	}
	return m.name
}

func (m *marker) owns(name string) bool { return m != nil && name == m.name }

func (m *marker) close() {
	if m != nil {
		for _, f := range m.pipe {
			_ = f.Close() // nothing was written
		}
	}
}
