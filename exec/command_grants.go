package exec

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// sandboxConfig is sandbox of a command.
type sandboxConfig struct {
	Read    []spec.Text `spec:"read" doc:"What the program may read and execute, beside the system's programs and libraries: absolute paths, ~/…, ${dir.work}, ${dir.tool}/…"`
	Write   []spec.Text `spec:"write" doc:"What it may read and write, beside its own scratch directory; nothing there is executed unless it is in read, too."`
	Network bool        `spec:"network" doc:"Whether it has the network; default: false."`
}

// Words are what people bring from elsewhere.
func (*sandboxConfig) Words() map[string]string {
	return map[string]string{
		"": "write sandbox: {read: [path], write: [path], network: false}; {} grants nothing beyond the system's programs and libraries", "level": "the operator's policy says it: sandbox: {level: full}",
		"paths": "read", "readonly": "read", "readOnly": "read", "ro": "read", "allow": "read", "writable": "write", "readwrite": "write", "rw": "write",
		"net": "network", "internet": "network", "hosts": "network is true or false: which hosts, no sandbox of a program can tell",
	}
}

// errNoSandbox is that a host program set no Env.Sandbox.
var errNoSandbox = errors.New("this program has no sandbox")

// HasSandbox says why programs cannot be confined so far here; nil where they can.
func (e *Env) HasSandbox(level Level) error {
	switch {
	case !level.confines():
		return nil
	case e.Sandbox == nil:
		return errNoSandbox
	}
	starting := &e.callHolds().starting // it may have to try
	starting.RLock()
	defer starting.RUnlock()
	return e.Sandbox.Has(level)
}

// confine is what the program gets: what its file asks for within the operator's policy, or, where its file says nothing,
// all that the policy grants. It is nil for a program that is not to be confined.
func (x *commandExecutor) confine(site *Site, at spec.Section, c sandboxConfig) spec.Diagnostics {
	policy, asked := site.Env.Policy.Sandbox, !at.IsZero()
	if !asked && !policy.Level.confines() {
		return nil
	}
	within := &Confinement{Level: policy.Level, Network: policy.Network}
	if !within.Level.confines() {
		within.Level = LevelLandlock
	}
	var ds spec.Diagnostics
	if asked {
		within.Network = c.Network
		g := granting{site: site, ceiling: policy}
		within.Read = g.paths(at.Get("read"), policy.Read, "read")
		within.Write = g.paths(at.Get("write"), policy.Write, "write")
		g.network(at.Get("network"), c.Network)
		ds = g.ds
	} else {
		within.Read, within.Write = slices.Clone(policy.Read), slices.Clone(policy.Write)
		if fault := site.Env.protects(site.Dir(), within.Write); fault != "" {
			ds = append(ds, spec.Errorf(kindPos(site.Spec), "policy", "executor.command: sandbox.write of the operator's policy: %s", fault))
		}
	}
	x.granted = &Granted{Level: within.Level, Network: within.Network, Read: orEmpty(within.Read), Write: orEmpty(within.Write)}
	within.Read = append(within.Read, site.needed(x.program)...)
	x.sandbox = within.resolved()
	site.NeedScratch()
	if err := site.Env.HasSandbox(within.Level); err != nil {
		site.Unavailable("its command is to run in a sandbox (" + string(within.Level) + "), which is not to be had here: " + err.Error())
	}
	return ds
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Granted is what a confined command may touch beyond what all of them may.
type Granted struct {
	Level   Level    `json:"level"`
	Read    []string `json:"read"`
	Write   []string `json:"write"`
	Network bool     `json:"network"`
}

// granting reads the grants of one file.
type granting struct {
	site    *Site
	ceiling Confinement // the operator's; nothing is refused where it confines nothing
	ds      spec.Diagnostics
}

func (g *granting) fault(at spec.Section, rule, format string, args ...any) {
	g.ds = append(g.ds, at.Errorf(rule, format, args...))
}

// paths are those of a list, with the templates in them evaluated: no call has a part in them.
func (g *granting) paths(list spec.Section, allowed []string, key string) []string {
	var paths []string
	for _, item := range list.Items() {
		text, ok := item.Text()
		if !ok {
			continue // said by Decode
		}
		path, ok := g.path(item, text)
		if !ok {
			continue
		}
		paths = append(paths, path)
		if key == "read" {
			allowed = slices.Concat(g.ceiling.Read, g.ceiling.Write)
		} else if fault := g.site.Env.protects(g.site.Dir(), []string{path}); fault != "" {
			g.fault(item, "sandbox", "%s", fault)
		}
		if g.ceiling.Level.confines() && !covered(path, allowed) {
			g.fault(item, "policy", "the operator's policy does not let commands %s %s%s", key, path, g.toAllow(key+": ["+path+"]", "add "+path+" to sandbox."+key))
		}
	}
	return paths
}

// path is one path; not ok where there is none.
func (g *granting) path(at spec.Section, text spec.Text) (string, bool) {
	template, faults := g.site.Template(text)
	g.ds = append(g.ds, faults...)
	if faults.HasErrors() {
		return "", false
	}
	for _, p := range template.parts {
		if p.expr != nil && !p.expr.readsOnly("dir", "env") {
			g.fault(at, "sandbox", "want a path that is known when the file is read, of dir and env alone: what a call brings must not widen what its program may touch")
			return "", false
		}
	}
	vars := (&Vars{name: "env", value: g.site.Env.vars}).With("dir", map[string]any{"tool": g.site.Dir(), "work": g.site.Env.WorkDir})
	path, null, err := template.text(context.Background(), vars)
	switch {
	case err != nil:
		g.fault(at, "sandbox", "%s", err)
		return "", false
	case null:
		return "", false
	}
	path, fault := grantPath(path)
	if fault != "" {
		g.fault(at, "sandbox", "%s", fault)
	}
	return path, fault == ""
}

// grantPath is a path as a person writes it, made absolute.
func grantPath(text string) (path, fault string) {
	home, err := os.UserHomeDir()
	switch rest, isHome := strings.CutPrefix(text, "~"); {
	case strings.IndexByte(text, 0) >= 0:
		return "", "no path can hold a NUL character"
	case isHome && (rest == "" || rest[0] == '/') && err == nil:
		return filepath.Join(home, rest), ""
	case !filepath.IsAbs(text):
		return "", "want an absolute path, or one that starts with ~/, ${dir.work} or ${dir.tool}; have " + shorten(text, 60)
	}
	return filepath.Clean(text), ""
}

func (g *granting) network(at spec.Section, wanted bool) {
	if wanted && g.ceiling.Level.confines() && !g.ceiling.Network {
		g.fault(at, "policy", "the operator's policy does not give commands the network%s", g.toAllow("network: true", "write network: true under sandbox"))
	}
}

func (g *granting) toAllow(entry, change string) string {
	if g.site.Env.Policy.File == "" {
		return "; to allow it, name a policy that has sandbox: {" + entry + "}"
	}
	return g.site.Env.Policy.toAllow("%s", change)
}

// covered tells whether a path lies in one of these, by its name and by where it leads.
func covered(path string, in []string) bool {
	real := resolve(path)
	return slices.ContainsFunc(in, func(dir string) bool { return isWithin(real, resolve(dir)) })
}

// isWithin tells whether a path is a directory or lies in it, by their names.
func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// resolve is where a path leads; what is not there yet leads to itself, in the directory that is.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolve(dir), filepath.Base(path))
	}
	return path
}

// protects says what is wrong with letting a program write these paths; empty if nothing is. Where tool files come from no
// tool writes, unless to a place where none are looked for.
func (e *Env) protects(toolDir string, write []string) string {
	for _, path := range write {
		for _, kept := range append([]string{toolDir, e.Policy.File}, e.Protected...) {
			if kept == "" {
				continue
			}
			if absolute, err := filepath.Abs(kept); err == nil {
				kept = absolute
			}
			kept, real := resolve(kept), resolve(path)
			if isWithin(kept, real) || isWithin(real, kept) && !isHidden(kept, real) {
				return path + " must not be writable: " + kept + " is where tools, or what they may do, come from; a directory in it whose name starts with _ may be"
			}
		}
	}
	return ""
}

// isHidden tells whether a path in a tools directory is one that is not looked at for tools.
func isHidden(dir, path string) bool {
	rel, _ := filepath.Rel(dir, path) // it lies in it
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(rel), "/"), func(part string) bool {
		return part != "." && strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_")
	})
}

// resolved is the confinement with paths that lead over no links, and the links that lead there: whoever may write somewhere
// must not change where another's grants lead.
func (c *Confinement) resolved() *Confinement {
	follow := func(paths []string) []string {
		var real []string
		for _, path := range paths {
			to := resolve(path)
			if to != path {
				c.Links = append(c.Links, path)
			}
			if !slices.Contains(real, to) {
				real = append(real, to)
			}
		}
		return real
	}
	c.Read, c.Write = follow(c.Read), follow(c.Write)
	return c
}
