package exec

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
)

// Answer is what came back of one thing that a call did: what a stub would have to say for the call to go the same way.
// One of Response, Process and Step's value is set.
type Answer struct {
	Step     string        // as in [Plan]
	Response *StubResponse // its body unpacked
	Process  *StubProcess  // its files are those in dir.scratch
	IsValue  bool          // a step of a pipeline has ended well:
	Value    any           // its value, plain
	Cut      bool          // there was more than is kept

	// Paths are directories of this machine that may be named in all this, each with what a stubbed call has in its place.
	Paths map[string]string
}

// hear tells who asked of what came back.
func (c *Call) hear(answer func() Answer) {
	if c.Answered == nil {
		return
	}
	a := answer()
	a.Step, a.Paths = c.step, c.paths()
	c.Answered(a)
}

// paths are the directories of the call as they are and as a stubbed call has them. The root is none: it is in every path.
func (c *Call) paths() map[string]string {
	if c.tool == nil {
		return nil
	}
	home, _ := os.UserHomeDir() // without one nothing is in it
	paths := map[string]string{}
	for _, p := range []struct{ dir, stub string }{
		{home, StubEnv()["HOME"]}, {c.tool.dir, stubToolDir}, {c.tool.env.WorkDir, stubWorkDir}, {c.scratch, stubScratchDir},
	} {
		dir, err := filepath.Abs(p.dir)
		if p.dir == "" || err != nil {
			continue
		}
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			real = dir
		}
		for _, dir := range []string{dir, real} {
			if dir != filepath.Dir(dir) {
				paths[dir] = p.stub
			}
		}
	}
	return paths
}

// maxHeardFiles is how many bytes of files in dir.scratch are told of.
const maxHeardFiles = 1 << 20

// heard is what a process left behind.
func (o *ending) heard(call *Call) Answer {
	p := &StubProcess{Stdout: o.stdout.bytes(), Stderr: o.stderr.bytes(), ExitCode: o.exitCode}
	a := Answer{Process: p, Cut: o.stdout.lost() > 0 || o.stderr.lost() > 0}
	if call.scratch == "" {
		return a
	}
	root, err := os.OpenRoot(call.scratch)
	if err != nil {
		a.Cut = true
		return a
	}
	defer root.Close()
	left := int64(maxHeardFiles)
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if left -= info.Size(); left < 0 {
			a.Cut = true
			return fs.SkipAll
		}
		content, err := root.ReadFile(path)
		if err != nil {
			return err
		}
		if p.Files == nil {
			p.Files = map[string][]byte{}
		}
		p.Files[path] = content
		return nil
	})
	a.Cut = a.Cut || err != nil
	return a
}

// heardResponse is the answer to a request.
func heardResponse(r *http.Response, body []byte, err error) Answer {
	header := r.Header.Clone()
	header.Del("Content-Encoding")
	header.Del("Content-Length")
	return Answer{Response: &StubResponse{Status: r.StatusCode, Header: header, Body: body}, Cut: err != nil}
}

// maskAnswer is an answer without secrets.
func (v *vault) maskAnswer(a Answer) Answer {
	if v.isEmpty() {
		return a
	}
	a.Value = v.maskValue(a.Value)
	if r := a.Response; r != nil {
		a.Response = &StubResponse{Status: r.Status, Header: r.Header.Clone(), Body: v.maskBytes(r.Body)}
		for _, values := range a.Response.Header {
			for i, value := range values {
				values[i] = v.mask(value)
			}
		}
	}
	if p := a.Process; p != nil {
		masked := &StubProcess{Stdout: v.maskBytes(p.Stdout), Stderr: v.maskBytes(p.Stderr), ExitCode: p.ExitCode, Files: make(map[string][]byte, len(p.Files))}
		for name, content := range p.Files {
			masked.Files[v.mask(name)] = v.maskBytes(content)
		}
		a.Process = masked
	}
	return a
}
