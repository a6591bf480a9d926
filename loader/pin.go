package loader

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolspec/toolspec/exec"
)

// pin is the last good version of a file that was broken when it was written down.
type pin struct {
	Dir      string `json:"dir"`      // of the tools, absolute
	Path     string `json:"path"`     // of the file, below it
	Rejected string `json:"rejected"` // digest of the bytes that were refused
	Good     string `json:"good"`     // the bytes before
}

// pins keep last good versions across a restart: in a directory of their own, a file each. What goes wrong with them is
// a warning, for the tools on disk need none of it.
type pins struct {
	at   string
	dir  string
	log  *slog.Logger
	kept map[string]pin // by path
}

// openPins reads the pins of the tools in dir; without a place for them there are none, and none are made.
func openPins(at, dir string, x *exec.Exposure, log *slog.Logger) *pins {
	if at == "" {
		return nil
	}
	p := &pins{at: at, dir: dir, log: log, kept: map[string]pin{}}
	if full, err := filepath.Abs(dir); err == nil {
		p.dir = full
	}
	entries, err := os.ReadDir(at)
	if err != nil && !isGone(err) {
		p.warn("cannot be read", at, err)
	}
	for _, e := range entries {
		switch name := filepath.Join(at, e.Name()); {
		case strings.HasSuffix(name, pinSuffix):
			p.read(name, x)
		case strings.HasSuffix(name, pinSuffix+tempSuffix):
			p.sweep(name)
		}
	}
	return p
}

// No pin is taken for a tool file, wherever the directory is.
const (
	pinSuffix  = ".pin"
	tempSuffix = ".new"
)

// read takes up a pin if it is one of ours, and still what we wrote. Whoever could write one would bring a tool.
func (p *pins) read(name string, x *exec.Exposure) {
	text, err := readOwn(name, x)
	var of pin
	if err == nil {
		err = json.Unmarshal(text, &of)
	}
	if err == nil && (of.Path == "" || of.Good == "" || p.file(of.Dir, of.Path) != name) {
		err = errors.New("it is not what was written")
	}
	switch {
	case err != nil:
		p.warn("cannot be read", name, err)
	case of.Dir == p.dir:
		p.kept[of.Path] = of
	}
}

// readOwn reads a file that nobody but this user, or root, can have written.
func readOwn(name string, x *exec.Exposure) ([]byte, error) {
	file, err := os.OpenFile(name, openFlags, 0) // #nosec G304 -- in the operator's directory; whose it is, and what it holds, is checked
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if why := x.Of(name, info); why != "" {
		return nil, errors.New(why)
	}
	if !info.Mode().IsRegular() || !isOwn(info) {
		return nil, errors.New("it is another user's")
	}
	return io.ReadAll(file)
}

// sweep removes what a program left that was killed while it wrote.
func (p *pins) sweep(name string) {
	if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > time.Minute {
		_ = os.Remove(name) // it harms nobody
	}
}

func (p *pins) file(dir, path string) string {
	sum := sha256.Sum256([]byte(dir + "\x00" + path))
	return filepath.Join(p.at, hex.EncodeToString(sum[:16])+pinSuffix)
}

// good are the bytes that stand in for those that were refused; nil if there are none.
func (p *pins) good(path string, rejected [sha256.Size]byte) []byte {
	if p == nil {
		return nil
	}
	if of, ok := p.kept[path]; ok && of.Rejected == hexSum(rejected) {
		return []byte(of.Good)
	}
	return nil
}

// keep writes down the last good bytes of a file.
func (p *pins) keep(path string, rejected [sha256.Size]byte, good []byte) {
	if p == nil || good == nil {
		return
	}
	of := pin{Dir: p.dir, Path: path, Rejected: hexSum(rejected), Good: string(good)}
	if p.kept[path] == of {
		return
	}
	if err := p.write(of); err != nil {
		p.warn("cannot be written", p.file(p.dir, path), err)
		return
	}
	p.kept[path] = of
}

func (p *pins) write(of pin) error {
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.at, 0o700); err != nil {
		return err
	}
	name := p.file(of.Dir, of.Path)
	f, err := os.CreateTemp(p.at, "*"+pinSuffix+tempSuffix)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = cmp.Or(err, f.Sync())
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error counts
	}
	return err
}

// drop forgets a file that is good again, or gone.
func (p *pins) drop(path string) {
	if p == nil {
		return
	}
	if _, ok := p.kept[path]; !ok {
		return
	}
	delete(p.kept, path)
	if err := os.Remove(p.file(p.dir, path)); err != nil && !isGone(err) {
		p.warn("cannot be removed", p.file(p.dir, path), err)
	}
}

func (p *pins) warn(what, name string, err error) {
	p.log.Warn(fmt.Sprintf("a pinned version %s; without it, a broken file has no last good version after a restart", what), "pin", name, "err", err)
}
