package loader

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// many is how many files are worth more than one worker.
const many = 64

// apply makes the registry say what was found, in one change; none if ctx is done before all of it is judged.
func (l *Loader) apply(ctx context.Context, findings []finding) registry.Change {
	var set []registry.Entry
	var removed []string
	findings = l.withTrials(findings)
	versions := l.compileAll(findings)
	if l.judgeAll(ctx, findings, versions); ctx.Err() != nil {
		return l.source.Update(nil, nil)
	}
	for i, version := range versions {
		switch f := findings[i]; {
		case f.moving: // the last version stands until it stands still
		case f.gone:
			delete(l.records, f.path)
			l.pins.drop(f.path)
			removed = append(removed, l.shown(f.path))
		default:
			set = append(set, l.record(f, version))
		}
	}
	change := l.source.Update(set, removed)
	l.report(change)
	return change
}

func (l *Loader) report(change registry.Change) {
	if change.Empty() {
		return
	}
	l.opts.Log.Info("tools changed", "dir", l.dir, "generation", change.Generation,
		"added", len(change.Added), "updated", len(change.Updated), "removed", len(change.Removed))
	for _, d := range change.Diagnostics {
		if d.Severity == spec.SeverityError {
			l.opts.Log.Warn(d.Error(), "rule", d.Rule)
		}
	}
}

// version is what a file's bytes came to.
type version struct {
	spec   *spec.Spec
	tool   *exec.Tool // nil if they make no tool
	faults spec.Diagnostics
	beside []beside
	good   []byte // what the tool is made of
	pinned bool   // the bytes make no tool; this one is of those that were good before
	trial  []byte // the bytes, if they make no tool for the judgement on it
}

// compileAll compiles what can be; nothing for findings without bytes.
func (l *Loader) compileAll(findings []finding) []version {
	versions := make([]version, len(findings))
	workers := 1
	if len(findings) >= many {
		workers = 2
	}
	inParallel(workers, len(findings), func(i int) { versions[i] = l.compile(findings[i]) })
	return versions
}

// inParallel does n things, a few at a time; in the order of their numbers if one at a time.
func inParallel(workers, n int, do func(i int)) {
	if workers = min(workers, n, runtime.GOMAXPROCS(0)); workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	next := make(chan int)
	var busy sync.WaitGroup
	for range workers {
		busy.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	busy.Wait()
}

func (l *Loader) compile(f finding) version {
	switch {
	case f.moving, f.gone, f.err != nil:
		return version{}
	case f.recheck && l.records[f.path].trial != nil:
		return l.read(f.path, l.records[f.path].trial)
	case f.recheck:
		return l.build(version{spec: l.records[f.path].spec})
	}
	v := l.read(f.path, f.data)
	if v.tool != nil {
		return v
	}
	return l.fallBack(f, v)
}

// fallBack is the pinned version of a file whose bytes make no tool, if there is no better one.
func (l *Loader) fallBack(f finding, v version) version {
	if rec := l.records[f.path]; rec == nil || rec.tool == nil {
		if good := l.pins.good(f.path, f.sum); good != nil {
			before := l.read(f.path, good)
			before.faults, before.pinned, before.trial = v.faults, true, v.trial
			return before
		}
	}
	return v
}

// read makes a version of a file's bytes.
func (l *Loader) read(path string, data []byte) version {
	v := version{good: data}
	v.spec, v.faults = spec.Parse(l.shown(path), data)
	return l.build(v)
}

// build makes the tool of a version that could be parsed.
func (l *Loader) build(v version) version {
	if v.spec == nil {
		return v
	}
	now := time.Now()
	tool, faults := l.kinds.Compile(l.env, v.spec)
	v.tool, v.faults = tool, append(v.faults, faults...)
	v.faults.Sort()
	if tool != nil {
		for _, script := range tool.Scripts() {
			v.beside = append(v.beside, newBeside(script.Path, now))
		}
	}
	return v
}

// record notes what was found of a file, and gives what the registry is told of it.
func (l *Loader) record(f finding, v version) registry.Entry {
	rec := l.records[f.path]
	if rec == nil {
		rec = &record{scan: l.scans}
		l.records[f.path] = rec
	}
	switch {
	case f.err != nil:
		rec.err, rec.broken, rec.proved = f.err.Error(), true, false
		rec.faults = spec.Diagnostics{unreadable(l.shown(f.path), f.err)}
		if errors.Is(f.err, errNowhere) { // as good as deleted
			l.pins.drop(f.path)
		}
		if withdraws(f.err) {
			rec.spec, rec.tool, rec.beside, rec.good = nil, nil, nil, nil
		}
	case f.recheck && rec.broken && rec.trial == nil: // the last good version is looked at, what is wrong with the file stays
	default:
		rec.broken, rec.faults = v.tool == nil || v.pinned, v.faults
	}
	if f.err == nil && !f.recheck {
		rec.err, rec.sum, rec.stamp, rec.proved = "", f.sum, f.stamp, f.stamp.proves(f.read)
	}
	if v.tool != nil {
		rec.spec, rec.tool, rec.beside = v.spec, v.tool, v.beside
	}
	l.pin(f, v, rec)
	rec.trial = v.trial
	return l.entry(f.path, rec)
}

// pin keeps what was good of a file that is broken now, and nothing of one that is good.
func (l *Loader) pin(f finding, v version, rec *record) {
	switch {
	case l.pins == nil, f.err != nil, f.recheck && (rec.trial == nil || v.trial != nil):
	case v.tool == nil:
		l.pins.keep(f.path, f.sum, rec.good)
	case v.pinned:
		rec.good = v.good
	default:
		rec.good = v.good
		l.pins.drop(f.path)
	}
}

func (l *Loader) entry(path string, rec *record) registry.Entry {
	e := registry.Entry{File: l.shown(path), Tool: rec.tool, Diagnostics: rec.faults}
	if rec.broken {
		e.State = registry.StateStale // if there is a last good version
	}
	if rec.err == "" {
		e.Digest = hexSum(rec.sum)
	}
	return e
}

// withdraws tells whether what is wrong with a file takes its last good version away, too.
func withdraws(err error) bool { return errors.Is(err, errNowhere) || isExposure(err) }

func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
