package telemetry

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/serve"
	"github.com/toolspec/toolspec/spec"
)

// standing collects how a registry stands, and how its directories are watched.
type standing struct {
	reg   *registry.Registry
	watch func() []serve.WatchStatus

	tools, files, stale, diagnostics, generation, reloads, mode, age *prometheus.Desc
}

func newStanding(reg *registry.Registry, watch func() []serve.WatchStatus) *standing {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("toolspec_"+name, help, labels, nil)
	}
	return &standing{
		reg: reg, watch: watch,
		tools:       describe("tools", "Tools; stale: the last good version of a file that is broken now is served; pending: not served before it is approved.", "status"),
		files:       describe("files", "Tool files, and tools that no file holds, by how they stand.", "state"),
		stale:       describe("file_stale", "1 for each file that is broken now and whose last good version is served.", "file", "tool"),
		diagnostics: describe("diagnostics", "What is wrong with the files, by how much it matters.", "severity"),
		generation:  describe("generation", "Generation of the served set; 0 before anything was loaded."),
		reloads:     describe("reloads_total", "Changes of the served set, the first load among them."),
		mode:        describe("watch_mode", "1 for the way in which a directory is watched: events or polling.", "dir", "mode"),
		age:         describe("last_scan_age_seconds", "Seconds since the whole directory was last looked at.", "dir"),
	}
}

// Describe tells which metrics there are.
func (s *standing) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.tools, s.files, s.stale, s.diagnostics, s.generation, s.reloads, s.mode, s.age} {
		to <- d
	}
}

// Collect looks at one snapshot.
func (s *standing) Collect(to chan<- prometheus.Metric) {
	snapshot := s.reg.Snapshot()
	gauge(to, s.generation, float64(snapshot.Generation()))
	to <- prometheus.MustNewConstMetric(s.reloads, prometheus.CounterValue, float64(snapshot.Generation()))
	s.collectFiles(to, snapshot)
	if s.watch != nil {
		s.collectWatch(to, s.watch())
	}
}

// notTools are the states of files that have no tool under its own name.
var notTools = [...]registry.State{registry.StateBroken, registry.StateShadowed}

// collectFiles counts the files. Every count is there also when it is none, so that one can be waited for to be none.
func (s *standing) collectFiles(to chan<- prometheus.Metric, snapshot *registry.Snapshot) {
	states := map[registry.State]int{}
	severities := map[spec.Severity]int{}
	for e := range snapshot.Entries() {
		states[e.State]++
		for _, d := range e.Diagnostics {
			severities[d.Severity]++
		}
		if e.State == registry.StateStale {
			gauge(to, s.stale, 1, e.File, e.Tool.Spec.Name) // each name is one file's: no two are the same
		}
	}
	for _, state := range registry.ToolStates() {
		gauge(to, s.tools, float64(states[state]), string(state))
		gauge(to, s.files, float64(states[state]), string(state))
	}
	for _, state := range notTools {
		gauge(to, s.files, float64(states[state]), string(state))
	}
	for _, severity := range []spec.Severity{spec.SeverityError, spec.SeverityWarning, spec.SeverityInfo} {
		gauge(to, s.diagnostics, float64(severities[severity]), severity.String())
	}
}

func (s *standing) collectWatch(to chan<- prometheus.Metric, dirs []serve.WatchStatus) {
	for _, dir := range dirs {
		if dir.Mode != "" { // it is watched by now
			gauge(to, s.mode, 1, dir.Dir, dir.Mode)
		}
		if !dir.LastScan.IsZero() {
			gauge(to, s.age, time.Since(dir.LastScan).Seconds(), dir.Dir)
		}
	}
}

func gauge(to chan<- prometheus.Metric, d *prometheus.Desc, value float64, labels ...string) {
	for i, label := range labels {
		labels[i] = valid(label)
	}
	to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

// valid is a name as a label can hold it: file names may be any bytes, labels are UTF-8.
func valid(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }
