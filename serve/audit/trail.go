package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"

	"github.com/toolspec/toolspec/exec"
)

// maxOwed is how many bytes of lines are kept that could not be written. Beyond that, lines of calls that were refused are counted
// and not kept; those of calls that were made always are.
const maxOwed = 1 << 20

// Trail is a record that is being written. It is safe for concurrent use.
type Trail struct {
	Mask func(text string) string // takes secrets out of what callers say; nil: nothing does. Set it before the first call

	path string
	log  *slog.Logger
	key  []byte // of the digests of arguments; it ends with the process
	run  string // which process this is

	mu     sync.Mutex
	file   io.WriteCloser // nil: it was moved away, and could not be opened again yet
	seen   os.FileInfo    // of the file, while it is open
	owed   []byte         // what could not be written, the rest of a line among it
	lost   int            // lines that were not kept
	failed error          // why
}

// Open opens a record at its end, and makes the file if there is none, for its owner alone. A file that every user of the machine may
// write, or replace, is refused. Log hears of what goes wrong; nil: nobody does.
func Open(path string, log *slog.Logger) (*Trail, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	t := &Trail{path: path, log: log, key: newKey(), run: newRun()}
	return t, t.open()
}

func (t *Trail) open() error {
	exposure := exec.DefaultPolicy().NewExposure()
	if why := exposure.Place(t.path); why != "" {
		return fmt.Errorf("%s: %s", t.path, why)
	}
	// #nosec G304 -- what the operator names with --audit
	file, err := os.OpenFile(t.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|noWaiting, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		if why := exposure.File(t.path, info.Mode()); why != "" {
			err = fmt.Errorf("%s: %s", t.path, why)
		}
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	t.file, t.seen = file, info
	return nil
}

// Close ends the record. The error tells of lines that could not be written.
func (t *Trail) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.flush()
	if t.file != nil {
		err = errors.Join(err, t.file.Close())
		t.file = nil
	}
	return err
}

// Admit tells whether a call could be recorded: an error means that lines are owed, and cannot be written now either.
func (t *Trail) Admit() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.owed)+t.lost == 0 {
		return nil
	}
	return t.flush()
}

// Observe writes the line of a call that has ended. An error means that it is owed.
func (t *Trail) Observe(e exec.Event) error {
	return t.write(t.callLine(e), e.Refusal == "" || e.Refusal == exec.RefusedPolicy)
}

// write appends a line, after what is owed. One that is not to be kept at any price is counted where too much is owed.
func (t *Trail) write(line []byte, keep bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !keep && len(t.owed) > maxOwed {
		t.lost++
		return t.flush()
	}
	t.owed = append(t.owed, line...)
	return t.flush()
}

// flush writes what is owed, in one write.
func (t *Trail) flush() error {
	err := t.follow()
	if err == nil {
		err = t.pay()
	}
	if err == nil && t.lost > 0 {
		t.owed, t.lost = t.lostLine(t.lost), 0
		err = t.pay()
	}
	switch {
	case err != nil && (t.failed == nil || t.failed.Error() != err.Error()):
		t.log.Error("calls cannot be recorded; none is made until they can", "audit", t.path, "err", err)
	case err == nil && t.failed != nil:
		t.log.Info("calls are recorded again", "audit", t.path)
	}
	t.failed = err
	return err
}

// pay writes lines; one write takes all of them, where there is room.
func (t *Trail) pay() error {
	for len(t.owed) > 0 {
		n, err := t.file.Write(t.owed)
		if t.owed = t.owed[n:]; err != nil {
			return err
		}
	}
	t.owed = nil
	return nil
}

// follow opens the file again if it was moved away or removed, as those do who begin a new file every day.
func (t *Trail) follow() error {
	if t.file != nil {
		info, err := os.Stat(t.path)
		if err == nil && (t.seen == nil || os.SameFile(info, t.seen)) {
			return nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := t.file.Close(); err != nil {
			t.log.Warn("the file of calls that was moved away could not be closed", "audit", t.path, "err", err)
		}
		t.file = nil
	}
	return t.open()
}
