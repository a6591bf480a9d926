package telemetry

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
)

// calls counts and times calls by tool. The series of a tool end when it is gone from the registry, so that there are
// never many more than there are tools.
type calls struct {
	reg   *registry.Registry
	total *prometheus.CounterVec
	took  *prometheus.HistogramVec

	mu     sync.RWMutex // held by writers while series begin or end
	called map[string]*series
}

// series are those of one tool, looked up once: a call costs little more than the counting.
type series struct {
	ok     prometheus.Counter
	took   prometheus.Observer
	failed sync.Map // code → prometheus.Counter
}

// buckets are upper bounds in seconds: from what an expression takes to what a long command does.
var buckets = [...]float64{0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600}

func newCalls(reg *registry.Registry) *calls {
	return &calls{
		reg: reg, called: map[string]*series{},
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "toolspec_calls_total", Help: "Calls that have ended, by tool and by what came of them: ok, or the code of the error.",
		}, []string{"tool", "code"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "toolspec_call_duration_seconds", Help: "How long calls took, whatever came of them.", Buckets: buckets[:],
		}, []string{"tool"}),
	}
}

func (c *calls) observe(e exec.Event) {
	e.Tool = valid(e.Tool)
	c.mu.RLock()
	known := c.called[e.Tool] != nil
	if known {
		c.count(e)
	}
	c.mu.RUnlock()
	if !known {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.called[e.Tool] == nil {
			c.called[e.Tool] = &series{ok: c.total.WithLabelValues(e.Tool, "ok"), took: c.took.WithLabelValues(e.Tool)}
		}
		c.count(e)
	}
}

func (c *calls) count(e exec.Event) {
	s := c.called[e.Tool]
	s.took.Observe(e.Duration.Seconds())
	if e.Code == "" {
		s.ok.Inc()
		return
	}
	code := valid(string(e.Code))
	counter, known := s.failed.Load(code)
	if !known {
		counter, _ = s.failed.LoadOrStore(code, c.total.WithLabelValues(e.Tool, code))
	}
	counter.(prometheus.Counter).Inc()
}

// Describe tells which metrics there are.
func (c *calls) Describe(to chan<- *prometheus.Desc) {
	c.total.Describe(to)
	c.took.Describe(to)
}

// Collect tells of tools that are gone once more, so that their last calls are known.
func (c *calls) Collect(to chan<- prometheus.Metric) {
	gone := c.gone(c.reg.Snapshot())
	c.total.Collect(to)
	c.took.Collect(to)
	if len(gone) > 0 {
		c.end(gone)
	}
}

// gone are the tools that have series and are not in the snapshot.
func (c *calls) gone(snapshot *registry.Snapshot) []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var gone []string
	for name := range c.called {
		if _, ok := snapshot.Tool(name); !ok {
			gone = append(gone, name)
		}
	}
	return gone
}

// end ends the series of some tools.
func (c *calls) end(names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range names {
		s := c.called[name]
		if s == nil { // by another scrape
			continue
		}
		delete(c.called, name)
		c.took.DeleteLabelValues(name)
		c.total.DeleteLabelValues(name, "ok")
		s.failed.Range(func(code, _ any) bool { return c.total.DeleteLabelValues(name, code.(string)) })
	}
}
