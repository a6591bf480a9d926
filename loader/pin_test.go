//go:build unix

package loader

import (
	"bytes"
	"crypto/sha256"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
)

// TestPinsOfOthersAreNotTaken: a pin is a tool, and its directory may be where others write, as /tmp is.
func TestPinsOfOthersAreNotTaken(t *testing.T) {
	const nobody = 65534
	for name, c := range map[string]struct {
		change func(dir, pin string) error
		said   string // empty: the pin is taken
	}{
		"as written":          {func(string, string) error { return nil }, ""},
		"in a sticky one":     {func(dir, _ string) error { return os.Chmod(dir, 0o777|fs.ModeSticky) }, ""},
		"in one open to all":  {func(dir, _ string) error { return os.Chmod(dir, 0o777) }, "every user of this machine may put another in its place"},
		"open to all":         {func(_, pin string) error { return os.Chmod(pin, 0o666) }, "every user of this machine may write it"},
		"written by another":  {func(_, pin string) error { return os.Chown(pin, nobody, nobody) }, "it is another user's"},
		"no file":             {func(_, pin string) error { return os.Rename(pin, pin+"x") }, ""},
		"another's directory": {func(dir, _ string) error { return os.Chown(dir, nobody, nobody) }, ""}, // the file is ours: it can only be taken away
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "another") && os.Geteuid() != 0 {
				t.Skip("NOT TESTED HERE: only root can give a file away")
			}
			at := filepath.Join(t.TempDir(), "pins")
			rejected := sha256.Sum256([]byte("broken"))
			openPins(at, "tools", exec.DefaultPolicy().NewExposure(), slog.New(slog.DiscardHandler)).keep("a.yaml", rejected, []byte("good"))
			kept, err := filepath.Glob(filepath.Join(at, "*.pin"))
			if err != nil || len(kept) != 1 {
				t.Fatal(kept, err)
			}
			if err := c.change(at, kept[0]); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			good := openPins(at, "tools", exec.DefaultPolicy().NewExposure(), slog.New(slog.NewTextHandler(&log, nil))).good("a.yaml", rejected)
			if taken := good != nil; taken != (c.said == "" && name != "no file") || !strings.Contains(log.String(), c.said) {
				t.Errorf("have %q, and the log %s", good, log.String())
			}
		})
	}
}
