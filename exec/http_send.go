package exec

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/toolspec/toolspec/spec"
)

// send makes the request, and those that redirects ask for, as many as the file allows.
func (h *httpRequest) send(ctx context.Context, call *Call, out *outgoing, tries *attempts) (*http.Response, error) {
	for hop := 0; ; hop++ {
		if err := h.env.reach.checkHost(out.url.Hostname(), out.foreign); err != nil {
			return nil, err
		}
		if call.Stub != nil {
			return call.Stub.response()
		}
		response, err := h.roundTrip(ctx, call, out, tries)
		if err != nil {
			return nil, tries.failed(networkError(ctx, out.url, err))
		}
		if response.StatusCode == http.StatusSwitchingProtocols {
			_ = response.Body.Close() // it is the connection itself, which no deadline ends
			return nil, spec.NewError(spec.CodeFailed, "%s switches to another protocol, which was not asked for", out.url.Host)
		}
		location := response.Header.Get("Location")
		if h.redirects == 0 || location == "" || !isRedirect(response.StatusCode) {
			return response, nil
		}
		drain(response)
		if hop == h.redirects {
			return nil, spec.NewError(spec.CodeFailed, "%s redirects once more after %d redirects", out.url.Host, h.redirects)
		}
		from := out.url
		if out, err = out.redirected(response.StatusCode, location); err != nil {
			return nil, err
		}
		if !call.vault.isEmpty() && !sameOrigin(from, out.url) && call.vault.holds(out.url.String()) {
			return nil, spec.NewError(spec.CodeDenied, "%s redirects to a place that is not followed: it would take a secret to another host, %s", from.Host, out.url.Host)
		}
	}
}

// acceptEncoding is how bodies may be packed; readBody unpacks them, within its limits.
var acceptEncoding = []string{"gzip"}

// request is the request as net/http sends it.
func (o *outgoing) request(ctx context.Context) *http.Request {
	r := (&http.Request{
		Method: o.method, URL: o.url, Host: o.url.Host, Header: o.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	if o.header["Range"] == nil {
		o.header["Accept-Encoding"] = acceptEncoding
	}
	if o.body != nil {
		r.ContentLength = o.body.size
		r.GetBody = func() (io.ReadCloser, error) { return o.body.open(), nil }
		r.Body = o.body.open()
		if o.body.size == 0 {
			r.Body = http.NoBody
		}
	}
	return r
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirected is the request that a redirect asks for. Once a chain of redirects has left the author's host, nothing
// that the author wrote goes with it, and no later hop is trusted again: who redirects chooses the path.
func (o *outgoing) redirected(status int, location string) (*outgoing, error) {
	refuse := func(why string) (*outgoing, error) {
		return nil, spec.NewError(spec.CodeDenied, "%s redirects to a place that is not followed: %s", o.url.Host, why)
	}
	reference, err := url.Parse(location)
	if err != nil {
		return refuse("its Location is not a url")
	}
	to, fault := parseURL(o.url.ResolveReference(reference).String())
	if fault != "" {
		return refuse(fault)
	}
	next := &outgoing{method: o.method, url: to, header: o.header.Clone(), body: o.body, foreign: o.foreign}
	if status == http.StatusSeeOther && o.method != http.MethodHead ||
		status != http.StatusTemporaryRedirect && status != http.StatusPermanentRedirect && o.method == http.MethodPost {
		next.method, next.body = http.MethodGet, nil
		for name := range next.header {
			if strings.HasPrefix(name, "Content-") {
				delete(next.header, name)
			}
		}
	}
	if sameOrigin(o.url, to) {
		return next, nil
	}
	if next.body != nil {
		return refuse("the body would go to another host, " + to.Host)
	}
	next.foreign = true
	for name := range next.header {
		if name != "Accept" && name != "User-Agent" {
			delete(next.header, name)
		}
	}
	return next, nil
}

// sameOrigin tells whether what was meant for one url may go to the other: the same scheme, host and port, or the
// same host's step from http to https.
func sameOrigin(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	return from.Scheme == to.Scheme && portOf(from) == portOf(to) ||
		from.Scheme == "http" && to.Scheme == "https" && portOf(from) == "80" && portOf(to) == "443"
}

func portOf(u *url.URL) string {
	switch port := u.Port(); {
	case port != "":
		return port
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// networkError is why no response came, in words for a model.
func networkError(ctx context.Context, to *url.URL, err error) error {
	var ours *spec.Error
	var dns *net.DNSError
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &spec.Error{Code: spec.CodeTimeout, Message: to.Host + " did not answer in time", Retryable: true, Err: err}
	case ctx.Err() != nil:
		return &spec.Error{Code: spec.CodeCanceled, Message: "the request to " + to.Host + " was canceled", Err: err}
	case isOfProxy(err):
		return &spec.Error{Code: spec.CodeUnavailable, Message: "the operator's proxy cannot be reached", Retryable: true, Err: err}
	case errors.As(err, &dns):
		return &spec.Error{Code: spec.CodeUnavailable, Message: "there is no host " + to.Hostname() + ", or its address cannot be found now", Retryable: dns.IsTemporary || dns.IsTimeout, Err: err}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &spec.Error{Code: spec.CodeUnavailable, Message: to.Host + " refuses connections", Retryable: true, Err: err}
	case hasLargeHead(err):
		return &spec.Error{Code: spec.CodeFailed, Message: to.Host + " sends more than 64 KiB of headers, which is the most that is read", Err: err}
	case isCutOff(err):
		return &spec.Error{Code: spec.CodeUnavailable, Message: "the connection to " + to.Host + " broke before the answer was complete", Retryable: true, Err: err}
	}
	return &spec.Error{Code: spec.CodeUnavailable, Message: "no answer from " + to.Host + ": " + err.Error(), Err: err}
}

// hasLargeHead tells whether an answer was given up for its headers. net/http has only words for it.
func hasLargeHead(err error) bool {
	for _, words := range []string{"response headers exceeded", "header list larger", "header list too large"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}

func isCutOff(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
