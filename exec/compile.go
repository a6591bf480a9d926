package exec

import (
	"slices"
	"strings"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// Compile binds a spec to the executor that its kind makes. The spec itself is left as it is; the tool has its own
// copy. The tool is nil if there are errors, or if the spec is a draft that has some already. A kind that panics is an error of this one file.
func (k Kinds) Compile(env *Env, s *spec.Spec) (t *Tool, ds spec.Diagnostics) {
	defer func() {
		if p := recover(); p != nil {
			t, ds = nil, spec.Diagnostics{spec.Errorf(kindPos(s), "internal", "executor: the kind %s crashed on this file: %v", s.Kind, p)}
		}
	}()
	return k.compile(env, s)
}

func (k Kinds) compile(env *Env, s *spec.Spec) (*Tool, spec.Diagnostics) {
	env = env.complete()
	own := *s
	if own.Input == nil {
		own.Input = spec.NoParameters()
	}
	site := &Site{Env: env, Kinds: k, Spec: &own, inputGiven: s.Input != nil, needs: &needs{}}
	executor, ds := k.build(site, s)
	reads := slices.Clip(site.needs.exprs)
	ds = append(ds, site.checkTimeout()...)
	ds = append(ds, site.checkLimits()...)
	site.checkRequires()
	shaping, faults := site.compileResult(executor)
	ds = append(ds, faults...)
	tests, faults := site.compileTests(executor)
	ds = append(ds, faults...)
	site.checkScripts()
	ds.Sort()
	if ds.HasErrors() || s.Draft() {
		return nil, ds
	}
	scripts := readScripts(site.needs.scripts)
	t := &Tool{
		Spec: &own, Digest: Digest(s.Digest, scripts), env: env, missing: site.needs.missing, executor: executor, result: shaping,
		reads: reads, secrets: site.needs.secrets, envNames: site.needs.env, dir: site.Dir(), scratch: site.needs.scratch,
		scripts: scripts, tests: tests,
	}
	t.guarded = len(t.secrets) > 0 || len(t.Uses()) > 0 || env.hasProxyPassword()
	t.claim = t.claimOf()
	t.wrap(executor)
	t.level = t.Touches().leastLevel()
	if t.missing != "" {
		ds = append(ds, spec.Diagnostic{Pos: s.Pos, Severity: spec.SeverityWarning, Rule: "unavailable", Message: "unavailable here: " + t.missing})
		ds.Sort()
	}
	return t, ds
}

// build makes the executor; none for a kind that is not known, or that a draft does not name.
func (k Kinds) build(site *Site, s *spec.Spec) (Executor, spec.Diagnostics) {
	kind, ok := k[s.Kind]
	switch {
	case s.Kind == "":
		return nil, nil
	case !ok:
		return nil, spec.Diagnostics{spec.Errorf(kindPos(s), "kind", "%s", k.unknown(s.Kind))}
	}
	executor, ds := kind.Build(site, s.Config)
	return executor, append(ds, site.Env.Policy.refuseKind("executor", spec.Text{Value: s.Kind, Pos: kindPos(s)})...)
}

// wrap puts around the executor, from the inside out: the program's own middleware; the input's gate and the result's
// shaping; the deadline; recovery; the log.
func (t *Tool) wrap(executor Executor) {
	for _, m := range slices.Backward(t.env.Middleware) {
		executor = m(t.Spec, executor)
	}
	t.chain = logged(recovered(timed(t.timeout(), t.accepted(executor))))
}

// timeout is how long a call may take.
func (t *Tool) timeout() time.Duration {
	if t.Spec.Timeout != 0 {
		return t.Spec.Timeout
	}
	return t.env.Policy.Defaults.Timeout
}

// foreignKinds are kinds of other formats, and what to write for them.
var foreignKinds = map[string]string{
	"type": "the kind is the key itself, such as http: {url: …}", "kind": "the kind is the key itself, such as http: {url: …}",
	"shell": "write command: {shell: …}", "bash": "write command: {shell: …}", "sh": "write command: {shell: …}", "run": "write command: {shell: …}",
	"script": "write command: {argv: ['${dir.tool}/script']}", "python": "write command: {argv: [python3, '${dir.tool}/script.py']}",
	"node": "write command: {argv: [node, '${dir.tool}/script.js']}", "argv": "write command: {argv: [program, argument]}",
	"exec": "write command: {argv: [program, argument]}", "cmd": "write command: {argv: [program, argument]}", "process": "write command: {argv: [program, argument]}",
	"url": "write http: {url: …}", "rest": "write http: {url: …}", "request": "write http: {url: …}", "api": "write http: {url: …}", "fetch": "write http: {url: …}",
	"graphql": "write http: {url: …, body: {json: {query: …, variables: {…}}}}", "function": "write func: NAME", "go": "write func: NAME",
	"expression": "write expr: …", "js": "write expr: …", "javascript": "write expr: …", "steps": "write pipeline: [{id: …, tool: …}]",
	"workflow": "write pipeline: [{id: …, tool: …}]", "tool": "write pipeline: [{id: …, tool: …}]",
}

func (k Kinds) unknown(kind string) string {
	known := strings.Join(k.Names(), ", ")
	switch near := spec.Nearest(kind, k.Names()); {
	case foreignKinds[kind] != "":
		return "executor: unknown kind " + kind + ": " + foreignKinds[kind] + "; known here: " + known
	case kind == "mcp":
		return "executor: the kind mcp is not supported by this version; tell the client of that server beside this one; known here: " + known
	case kind == "agent":
		return "executor: the kind " + kind + " is not supported by this version; known here: " + known
	case near != "":
		return "executor: unknown kind " + kind + ": did you mean " + near + "? known here: " + known
	}
	return "executor: unknown kind " + kind + "; known here: " + known
}

// kindPos is where the file names the kind.
func kindPos(s *spec.Spec) spec.Pos {
	if pos := s.At("/executor"); pos.IsValid() {
		return pos
	}
	return s.Pos
}

// checkTimeout refuses a timeout beyond what the operator allows.
func (s *Site) checkTimeout() spec.Diagnostics {
	most := s.Env.Policy.Limits.Timeout
	if s.Spec.Timeout <= most {
		return nil
	}
	allow := s.Env.Policy.toAllow("write limits: {timeout: %s}", s.Spec.Timeout)
	return spec.Diagnostics{spec.Errorf(s.Spec.At("/timeout"), "limit", "timeout: want at most %s, which is the operator's limit, have %s%s", most, s.Spec.Timeout, allow)}
}
