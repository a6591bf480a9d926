package exec

import (
	"path/filepath"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// confineConfig is sandbox of a policy file.
type confineConfig struct {
	Level   spec.Text   `spec:"level" doc:"How far every command is confined: none, landlock (default), landlock+ns or full."`
	Require bool        `spec:"require" doc:"Whether a server refuses to start where that is not to be had; otherwise commands are unavailable there."`
	Read    []spec.Text `spec:"read" doc:"What commands may read at most: paths from the policy file's directory, or ~/…"`
	Write   []spec.Text `spec:"write" doc:"What commands may write at most."`
	Network bool        `spec:"network" doc:"Whether commands may have the network; default: false."`
}

// Words are what people bring from elsewhere.
func (*confineConfig) Words() map[string]string {
	return map[string]string{"required": "require", "mode": "level", "readonly": "read", "ro": "read", "rw": "write", "net": "network"}
}

// Grammars says what the levels are.
func (*confineConfig) Grammars() map[string]spec.Grammar {
	return map[string]spec.Grammar{"level": {"enum": Levels()}}
}

func (r *policyReader) readSandbox(at spec.Section, c confineConfig) {
	if at.Form() != spec.FormMap {
		return
	}
	p := &r.policy
	p.Sandbox, p.RequireSandbox = Confinement{Level: LevelLandlock, Network: c.Network}, c.Require
	if level, ok := at.Get("level").Text(); ok {
		p.Sandbox.Level = Level(level.Value)
		if !isLevel(level.Value) {
			r.fault(at.Get("level"), "want none, landlock, landlock+ns or full, have %q", shorten(level.Value, 60))
		}
	}
	p.Sandbox.Read = r.readPaths(at.Get("read"), c.Read)
	p.Sandbox.Write = r.readPaths(at.Get("write"), c.Write)
	for i, path := range p.Sandbox.Write {
		if fault := (&Env{Policy: *p}).protects("", []string{path}); fault != "" && i < len(at.Get("write").Items()) {
			r.fault(at.Get("write").Items()[i], "%s", fault)
		}
	}
}

func (r *policyReader) readPaths(list spec.Section, texts []spec.Text) []string {
	var paths []string
	each(list, texts, func(at spec.Section, text string) {
		if strings.Contains(text, "${") {
			r.fault(at, "want a path as it is: nothing stands for something else in a policy; have %q", shorten(text, 60))
			return
		}
		if text != "" && !filepath.IsAbs(text) && !strings.HasPrefix(text, "~") {
			text = filepath.Join(r.dir, filepath.FromSlash(text))
		}
		path, fault := grantPath(text)
		if fault != "" {
			r.fault(at, "%s", fault)
		}
		paths = append(paths, path)
	})
	return paths
}
