package exec

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// benchServer answers with a JSON object of a usual size.
func benchServer(b *testing.B) *httptest.Server {
	b.Helper()
	answer := []byte(`{"city": "Oslo", "days": [{"date": "2026-01-01", "max": 3, "min": -4}, {"date": "2026-01-02", "max": 2, "min": -5}], "ok": true}`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	}))
	b.Cleanup(server.Close)
	return server
}

// BenchmarkHTTP is a call of an http tool, from its input to its result.
func BenchmarkHTTP(b *testing.B) {
	server := benchServer(b)
	tool := compile(b, "inputSchema: {type: object, required: [city], properties: {city: {type: string}, days: {type: integer, default: 3}}}\n"+
		"executor: {http: {url: '"+server.URL+"/v1/${input.city}', query: {days: '${input.days}'}, headers: {X-Trace: '${call.id}'}}}\n", nil)
	call := use(`{"city": "Oslo"}`)
	b.ReportAllocs()
	for b.Loop() {
		if r := tool.Call(b.Context(), call); r.Status != spec.StatusSuccess {
			b.Fatal(text(r))
		}
	}
}

// BenchmarkHTTPFloor is the same request with net/http alone.
func BenchmarkHTTPFloor(b *testing.B) {
	server := benchServer(b)
	client := &http.Client{Transport: &http.Transport{}}
	b.ReportAllocs()
	for b.Loop() {
		response, err := client.Get(server.URL + "/v1/Oslo?days=3")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadAll(response.Body); err != nil {
			b.Fatal(err)
		}
		response.Body.Close()
	}
}
