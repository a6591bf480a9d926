package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// mirror is an HTTP service for scripts, $SERVER: it answers with what it was asked, and at some paths behaves badly.
func mirror(t *testing.T) string {
	t.Helper()
	cut := func(w http.ResponseWriter, start string) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(conn, start)
		conn.Close()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/dies", func(w http.ResponseWriter, _ *http.Request) {
		cut(w, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\nhalf an answ")
	})
	mux.HandleFunc("/hangs-up", func(w http.ResponseWriter, _ *http.Request) { cut(w, "") })
	mux.HandleFunc("/inside", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
	})
	mirrored := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"method": r.Method, "uri": r.RequestURI, "authorization": r.Header.Get("Authorization"), "body": string(body)})
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/dies", "/hangs-up", "/inside":
			mux.ServeHTTP(w, r)
		default: // a mux would send paths on that it finds untidy
			mirrored(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}
