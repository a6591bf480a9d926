package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// MaxBody is the largest body of a request: an input of the largest size and the envelope around it.
const MaxBody = spec.MaxInputBytes + 64<<10

// bodyTimeout is how long a body may take to arrive.
const bodyTimeout = 30 * time.Second

// guard keeps web pages away from a server of this machine: a page can reach localhost, by a name it has bound to
// 127.0.0.1 or by a plain cross-site request, with all the rights of whoever looks at it. No CORS header is ever sent.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		// net/http reads a refused request to its end too. Where there is no socket there is no deadline.
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout))
		if reason := foreign(r); reason != "" {
			refuse(w, http.StatusForbidden, "%s", reason)
			return
		}
		if r.Method == http.MethodPost && !sendsJSON(r) {
			refuse(w, http.StatusUnsupportedMediaType, "want Content-Type: application/json, have %q", r.Header.Get("Content-Type"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// foreign says why a request is not one of this machine's own programs; empty if it is.
func foreign(r *http.Request) string {
	if !isLoopbackHost(r.Host) {
		return "the Host header names " + quote(r.Host) + "; this server answers to localhost, 127.0.0.1 and [::1] only"
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, scheme+r.Host) {
			return "requests of web pages of another origin are refused: " + quote(origin)
		}
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return "requests of web pages of another site are refused: Sec-Fetch-Site is " + quote(site)
		}
	}
	return ""
}

func quote(s string) string { return `"` + s + `"` }

// isLoopbackHost tells whether a host, with or without a port, is a name of this machine that no one else can bind.
func isLoopbackHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// sendsJSON tells whether a request has a JSON body, or none. A body of another type could come from any page without
// the browser asking first.
func sendsJSON(r *http.Request) bool {
	given := r.Header.Values("Content-Type")
	if len(given) == 0 {
		return r.ContentLength == 0
	}
	mediaType, _, err := mime.ParseMediaType(given[0])
	return err == nil && len(given) == 1 && mediaType == "application/json"
}

// limitBody reads the body, so far as it is allowed to be and until the request is given up, before anything is done.
func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		stop := context.AfterFunc(r.Context(), func() { _ = control.SetReadDeadline(time.Now()) })
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
		stop()
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			refuse(w, http.StatusRequestEntityTooLarge, "want a body of at most %d bytes", MaxBody)
			return
		case err != nil:
			refuse(w, http.StatusRequestTimeout, "the body did not arrive whole") // the deadline stands, for the rest
			return
		}
		_ = control.SetReadDeadline(time.Time{})
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.ContentLength = int64(len(body))
		next.ServeHTTP(w, r)
	})
}
