package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/toolspec/toolspec/exec"
)

// places collects how the places for calls stand. Of tools only those are told of which calls run or wait.
type places struct {
	now func() exec.Places

	most, inUse, queue, waiting, running, toolWaiting, refused *prometheus.Desc
}

func newPlaces(now func() exec.Places) *places {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("toolspec_"+name, help, labels, nil)
	}
	return &places{
		now:         now,
		most:        describe("places", "Calls that may run at once."),
		inUse:       describe("places_in_use", "Calls that run; what a pipeline calls runs within its place."),
		queue:       describe("queue_places", "Calls that may wait."),
		waiting:     describe("calls_waiting", "Calls that wait, steps of pipelines among them."),
		running:     describe("tool_calls_running", "Calls of a tool that run, those of steps too.", "tool"),
		toolWaiting: describe("tool_calls_waiting", "Calls of a tool that wait, those of steps too.", "tool"),
		refused:     describe("calls_refused_total", "Calls that were not begun, by what was in their way.", "limit"),
	}
}

// Describe tells which metrics there are.
func (p *places) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{p.most, p.inUse, p.queue, p.waiting, p.running, p.toolWaiting, p.refused} {
		to <- d
	}
}

// Collect looks at one moment.
func (p *places) Collect(to chan<- prometheus.Metric) {
	now := p.now()
	gauge(to, p.most, float64(now.Most))
	gauge(to, p.inUse, float64(now.InUse))
	gauge(to, p.queue, float64(now.Queue))
	gauge(to, p.waiting, float64(now.Waiting))
	for _, t := range now.Tools {
		gauge(to, p.running, float64(t.Running), t.Tool)
		gauge(to, p.toolWaiting, float64(t.Waiting), t.Tool)
	}
	for limit, n := range now.Refused {
		to <- prometheus.MustNewConstMetric(p.refused, prometheus.CounterValue, float64(n), limit)
	}
}
