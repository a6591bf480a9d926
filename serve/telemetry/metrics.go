package telemetry

import (
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/serve"
)

// Options are what metrics are told beside a registry.
type Options struct {
	Watch  func() []serve.WatchStatus // how each directory is watched; nil: there is none
	Places func() exec.Places         // that of the Env; nil: not told
	Log    *slog.Logger               // hears of scrapes that go wrong; nil: discarded
}

// Metrics are the metrics of one registry, and of the process it lives in. They share nothing with the client
// library's global registry.
type Metrics struct {
	gathered *prometheus.Registry
	calls    *calls
	log      *slog.Logger
}

// New makes the metrics of a registry. What calls come to is counted if [Metrics.Observe] is the Observe of the Env that
// its tools are compiled with.
func New(reg *registry.Registry, opts Options) *Metrics {
	m := &Metrics{gathered: prometheus.NewRegistry(), calls: newCalls(reg), log: opts.Log}
	if m.log == nil {
		m.log = slog.New(slog.DiscardHandler)
	}
	m.gathered.MustRegister(
		newStanding(reg, opts.Watch),
		m.calls,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	if opts.Places != nil {
		m.gathered.MustRegister(newPlaces(opts.Places))
	}
	return m
}

// Observe counts a call that has ended, but none that a tool made: it is part of the call of that tool. It never fails.
func (m *Metrics) Observe(e exec.Event) error {
	if e.Depth == 0 {
		m.calls.observe(e)
	}
	return nil
}

// Handler answers scrapes, in the text format of Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.gathered, promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(m.log.Handler(), slog.LevelWarn)})
}
