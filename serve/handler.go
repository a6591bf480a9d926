package serve

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/registry"
)

// Options are what a server is told beside its registry.
type Options struct {
	Ready   <-chan struct{}      // closed once the first load is complete; nil: it is
	Watch   func() []WatchStatus // how each directory is watched; nil: there is none
	MCP     http.Handler         // answers at /mcp; nil: nothing does
	Metrics http.Handler         // answers at /metrics, before the first load too; nil: nothing does
	Log     *slog.Logger         // nil: discarded
}

// api answers the HTTP API.
type api struct {
	reg     *registry.Registry
	ready   <-chan struct{}
	watch   func() []WatchStatus
	mcp     http.Handler
	metrics http.Handler
	log     *slog.Logger
	closing context.Context
}

// Handler answers the HTTP API of a registry, guarded against web pages. Once ctx is done its event streams end; calls
// end when their requests do.
func Handler(ctx context.Context, reg *registry.Registry, opts Options) http.Handler {
	a := &api{reg: reg, ready: opts.Ready, watch: opts.Watch, mcp: opts.MCP, metrics: opts.Metrics, log: opts.Log, closing: ctx}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.ready == nil {
		loaded := make(chan struct{})
		close(loaded)
		a.ready = loaded
	}
	return guard(limitBody(mount(a.routes())))
}

// route is one line of the API: it stands in openapi.json too, or a test fails.
type route struct {
	method, path string
	answer       http.HandlerFunc
}

func (a *api) routes() []route {
	routes := []route{
		{"GET", "/v1/tools", a.loaded(a.list)},
		{"GET", "/v1/tools/{name}", a.loaded(a.show)},
		{"POST", "/v1/tools/{name}", a.loaded(a.callNamed)},
		{"POST", "/v1/call", a.loaded(a.call)},
		{"GET", "/v1/events", a.events},
		{"GET", "/v1/status", a.status},
		{"GET", "/healthz", a.health},
		{"GET", "/readyz", a.loaded(a.health)},
		{"GET", "/openapi.json", openAPI},
	}
	if a.metrics != nil {
		routes = append(routes, route{"GET", "/metrics", a.metrics.ServeHTTP})
	}
	if a.mcp != nil {
		for _, method := range []string{"DELETE", "GET", "POST"} {
			routes = append(routes, route{method, "/mcp", a.mcp.ServeHTTP})
		}
	}
	return routes
}

// mount is a handler of the routes that answers every other request with a JSON error.
func mount(routes []route) http.Handler {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	for _, r := range routes {
		mux.HandleFunc(r.method+" "+r.path, r.answer)
		methods[r.path] = append(methods[r.path], r.method)
	}
	for path, allowed := range methods {
		if slices.Contains(allowed, "GET") {
			allowed = append(allowed, "HEAD")
		}
		slices.Sort(allowed)
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			refuse(w, http.StatusMethodNotAllowed, "%s takes %s, not %s", r.URL.Path, strings.Join(allowed, ", "), r.Method)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, "nothing is at %s; /openapi.json says what there is", r.URL.Path)
	})
	return mux
}

// loaded answers only once the first load is complete: before, no list is true and no name is unknown.
func (a *api) loaded(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-a.ready:
			next(w, r)
		default:
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusServiceUnavailable, "the tools are being loaded; ask again in a second")
		}
	}
}

func (a *api) health(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]string{"status": "ok"})
}
