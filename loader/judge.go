package loader

import (
	"context"
	"slices"

	"github.com/toolspec/toolspec/exec"
)

// withTrials adds, beside what was found, the files that wait for another judgement: what their steps call may be
// something else now.
func (l *Loader) withTrials(findings []finding) []finding {
	if len(findings) == 0 || l.opts.Judge == nil {
		return findings
	}
	found := make(map[string]bool, len(findings))
	for _, f := range findings {
		found[f.path] = true
	}
	for path, rec := range l.records {
		if rec.trial != nil && !found[path] {
			findings = append(findings, finding{path: path, content: content{sum: rec.sum}, recheck: true})
		}
	}
	return findings
}

// judges is how many files are judged at a time.
const judges = 2

// judgeAll takes away the tools that the judgement is against. Those whose steps call others come last, so that they find
// the versions that will be served.
func (l *Loader) judgeAll(ctx context.Context, findings []finding, versions []version) {
	if l.opts.Judge == nil {
		return
	}
	var alone, calling []int
	for i, v := range versions {
		switch rechecked := findings[i].recheck && l.records[findings[i].path].trial == nil; {
		case v.tool == nil || rechecked: // what was good once, stays so
		case len(v.tool.Uses()) > 0:
			calling = append(calling, i)
		default:
			alone = append(alone, i)
		}
	}
	next := l.next(findings, versions)
	for _, group := range [][]int{alone, calling} {
		judged := make([]version, len(group))
		inParallel(judges, len(group), func(i int) { judged[i] = l.judge(ctx, findings[group[i]], versions[group[i]], next) })
		for i, at := range group {
			delete(next.fresh, versions[at].tool.Spec.Name)
			versions[at] = judged[i]
			next.take(judged[i].tool)
		}
	}
}

// judge is the version as the judgement leaves it: refused, with what is there instead.
func (l *Loader) judge(ctx context.Context, f finding, v version, tools exec.Tools) version {
	ds := l.opts.Judge(ctx, v.tool, tools)
	if !ds.HasErrors() {
		return v
	}
	if v.pinned { // it was good before it was judged by this
		return version{spec: v.spec, faults: v.faults, trial: v.trial}
	}
	refused := version{spec: v.spec, faults: append(slices.Clip(v.faults), ds...), trial: v.good}
	refused.faults.Sort()
	if before := l.fallBack(f, refused); before.tool != nil {
		return l.judge(ctx, f, before, tools)
	}
	if rec := l.records[f.path]; f.recheck && rec.spec != nil { // what is served instead may be unavailable by now
		last := l.build(version{spec: rec.spec, good: rec.good, pinned: true, trial: refused.trial})
		last.faults = refused.faults
		return last
	}
	return refused
}

// nextTools are the tools as they will be once what was found is published.
type nextTools struct {
	exec.Tools // in force now
	fresh      map[string]*exec.Tool
	gone       map[string]bool
}

// next takes what is not judged yet for good.
func (l *Loader) next(findings []finding, versions []version) *nextTools {
	n := &nextTools{Tools: l.registry.Snapshot(), fresh: map[string]*exec.Tool{}, gone: map[string]bool{}}
	for i, f := range findings {
		if rec := l.records[f.path]; rec != nil && rec.tool != nil && (f.gone || withdraws(f.err)) {
			n.gone[rec.tool.Spec.Name] = true
		}
		n.take(versions[i].tool)
	}
	return n
}

func (n *nextTools) take(tool *exec.Tool) {
	if tool != nil {
		n.fresh[tool.Spec.Name] = tool
	}
}

// Tool is the tool of that name.
func (n *nextTools) Tool(name string) (*exec.Tool, bool) {
	if tool := n.fresh[name]; tool != nil {
		return tool, true
	}
	if n.gone[name] {
		return nil, false
	}
	return n.Tools.Tool(name)
}
