package exec

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// proxied is a transport that leaves the program by the operator's proxy. The proxy looks names up once more, out of our sight:
// what a name says here decides whether it is asked at all. A host that is this machine itself is not the proxy's to reach.
type proxied struct {
	direct, through http.RoundTripper
	reach           reach
	foreign         bool
	resolver        *net.Resolver
}

func proxiedTransport(direct *http.Transport, resolver *net.Resolver, r reach, foreign bool) *proxied {
	through := direct.Clone()
	through.Proxy, through.OnProxyConnectResponse = http.ProxyURL(r.proxy), refusedByProxy
	through.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext // nothing but the proxy is dialed
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	return &proxied{direct, through, r, foreign, resolver}
}

// RoundTrip asks the proxy, unless it must not be asked for this host.
func (p *proxied) RoundTrip(r *http.Request) (*http.Response, error) {
	if isThisMachine(r.URL.Hostname()) {
		return p.direct.RoundTrip(r)
	}
	if err := p.check(r.Context(), r.URL.Hostname()); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	return p.through.RoundTrip(r)
}

// isThisMachine tells whether a host is this machine by its very name.
func isThisMachine(host string) bool {
	name := plainHost(host)
	if addr, err := netip.ParseAddr(name); err == nil {
		return addr.Unmap().IsLoopback()
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// check refuses a host that the proxy must not be asked for. Of a name every address is looked at. A name that leads nowhere
// here may lead anywhere there: an input's or a redirect's is refused unless the policy has it.
func (p *proxied) check(ctx context.Context, host string) error {
	if err := p.reach.checkHost(host, p.foreign); err != nil {
		return err
	}
	strict := p.foreign && !p.reach.private.has(host)
	addrs := []netip.Addr{}
	if addr, err := netip.ParseAddr(plainHost(host)); err == nil {
		addrs = append(addrs, addr)
	} else if addrs, err = p.resolver.LookupNetIP(ctx, "ip", host); err != nil {
		var dns *net.DNSError
		unknown := errors.As(err, &dns) && dns.IsNotFound
		switch {
		case strict && !p.reach.hosts.lists(host):
			return &spec.Error{Code: spec.CodeDenied, Err: err, Message: "no request may go to " + host + ": the host came from the input or a redirect, its address cannot be found here, and the operator's policy does not list it"}
		case !unknown && ctx.Err() != nil:
			return ctx.Err()
		}
		return nil
	}
	for _, addr := range addrs {
		if err := p.reach.checkAddr(addr, strict); err != nil {
			return err
		}
	}
	return nil
}

// lists tells whether a host is on the list itself, and not only because all are.
func (l hostList) lists(host string) bool {
	l.all = false
	return l.has(host)
}

// ReadProxy reads the address of a proxy: http://HOST:PORT or https://HOST:PORT, with user:password@ where it asks for them. Its
// error repeats nothing of it.
func ReadProxy(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err == nil {
		_, err = strconv.ParseUint(u.Port(), 10, 16)
	}
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.Port() == "0", u.Path != "" && u.Path != "/", u.RawQuery != "", u.Fragment != "":
		return nil, errors.New("want http://HOST:PORT or https://HOST:PORT, with user:password@ before HOST where the proxy asks for them")
	}
	return u, nil
}

// ShownProxy is a proxy as it may be shown; empty if there is none.
func (e Egress) ShownProxy() string {
	if e.Proxy == nil {
		return ""
	}
	shown := url.URL{Scheme: e.Proxy.Scheme, Host: e.Proxy.Host}
	if e.Proxy.User != nil {
		return shown.Scheme + "://" + stubSecret("proxy") + "@" + shown.Host
	}
	return shown.String()
}

func (e *Env) hasProxyPassword() bool {
	return e.Policy.Egress.Proxy != nil && e.Policy.Egress.Proxy.User != nil
}

// hideProxy has what a call says looked through for the proxy's password.
func (e *Env) hideProxy(v *vault) {
	if proxy := e.Policy.Egress.Proxy; e.hasProxyPassword() {
		password, _ := proxy.User.Password()
		v.hide(password, stubSecret("proxy"))
		v.hide(basicCredentials(proxy.User.Username(), password), stubSecret("proxy"))
	}
}

// refusedByProxy is the error of a proxy that makes no connection.
func refusedByProxy(_ context.Context, _ *url.URL, asked *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return spec.NewError(spec.CodeUnavailable, "the operator's proxy answered %s when asked for %s", statusText(answer.StatusCode), asked.Host)
}

// isOfProxy tells whether it is the proxy that was not reached.
func isOfProxy(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "proxyconnect"
}
