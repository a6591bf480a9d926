package exec

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"

	"github.com/toolspec/toolspec/spec"
)

// Script is a file beside the tool file whose bytes count in the tool's digest.
type Script struct {
	Path string
	Sum  string // of its bytes when the tool was compiled
}

// Scripts are the files whose bytes count in the digest: when one changes, the tool is another.
func (t *Tool) Scripts() []Script { return t.scripts }

// Dir is the directory of the tool's file, from which relative names of scripts start.
func (t *Tool) Dir() string { return t.dir }

// readScripts sums up the bytes of files. One that cannot be read counts as such: it comes back as another.
func readScripts(paths []string) []Script {
	var scripts []Script
	for _, path := range paths {
		content, err := os.ReadFile(path) // #nosec G304 -- what the tool file names, for its digest
		if err != nil {
			content = []byte("unreadable")
		}
		sum := sha256.Sum256(content)
		scripts = append(scripts, Script{path, "sha256:" + hex.EncodeToString(sum[:])})
	}
	return scripts
}

// checkScripts has a tool wait whose scripts every user of the machine could change.
func (s *Site) checkScripts() {
	x := s.Env.Policy.NewExposure()
	for _, path := range s.needs.scripts {
		info, err := os.Stat(path)
		if err != nil {
			continue // what is not there is said elsewhere
		}
		if why := x.Of(path, info); why != "" {
			s.Unavailable("it runs the script " + path + ", and " + why)
		}
	}
}

// checkExact refuses a call whose scripts are not what they were when the tool was compiled: the loader has not seen it yet.
func (t *Tool) checkExact(call *Call) error {
	if !call.Exact || call.isSilent() || len(t.scripts) == 0 {
		return nil
	}
	paths := make([]string, len(t.scripts))
	for i, s := range t.scripts {
		paths[i] = s.Path
	}
	if slices.Equal(readScripts(paths), t.scripts) {
		return nil
	}
	return &spec.Error{Code: spec.CodeUnavailable, Retryable: true, Message: "a script of the tool changed a moment ago, and is looked at again"}
}

// Digest is that of a tool: over its file, as the spec's digest has it, and the bytes of the scripts it names.
func Digest(file string, scripts []Script) string {
	if len(scripts) == 0 {
		return file
	}
	whole := sha256.New()
	whole.Write([]byte(file))
	for _, s := range scripts {
		whole.Write([]byte("\n" + s.Sum))
	}
	return "sha256:" + hex.EncodeToString(whole.Sum(nil))
}
