package exec

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/toolspec/toolspec/spec"
)

// egress makes, once it is needed, the guard that all tools of an Env share.
type egress struct {
	once     sync.Once
	made     *guard
	resolver *net.Resolver // nil: the system's
}

func (e *egress) guard(r reach) *guard {
	e.once.Do(func() {
		e.made = &guard{named: outward(e.resolver, r, false), foreign: outward(e.resolver, r, true)}
	})
	return e.made
}

// guard is how requests leave the program: over one transport to hosts that the author of a file named, over another,
// stricter one to hosts that an input or a redirect brought. Connections are reused within each, never between them:
// what one may reach the other may not.
type guard struct {
	named, foreign http.RoundTripper
}

// RoundTrip treats every host as a foreign one: who does not say whose host it is gets the strict transport.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) { return g.foreign.RoundTrip(r) }

// transport is the one over which a host is reached.
func (e *Env) transport(foreign bool) http.RoundTripper {
	if g, ok := e.Transport.(*guard); ok && !foreign {
		return g.named
	}
	return e.Transport
}

// outward is the way out of the program: by the operator's proxy if there is one.
func outward(resolver *net.Resolver, r reach, foreign bool) http.RoundTripper {
	direct := guardedTransport(resolver, r, foreign)
	if r.proxy == nil {
		return direct
	}
	return proxiedTransport(direct, resolver, r, foreign)
}

// guardedTransport looks at every address it is about to connect to, after names are resolved: what a name says
// before that is worth nothing. Proxies of the environment are not used: they would resolve names out of our sight.
func guardedTransport(resolver *net.Resolver, r reach, foreign bool) *http.Transport {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		if err := r.checkListed(host); err != nil {
			return nil, err
		}
		strict := foreign && !r.private.has(host)
		dialer := &net.Dialer{
			Timeout:  10 * time.Second,
			Resolver: resolver,
			ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
				to, err := netip.ParseAddrPort(address)
				if err != nil {
					return spec.NewError(spec.CodeDenied, "no request may go to %s", address)
				}
				return r.checkAddr(to.Addr(), strict)
			},
		}
		return dialer.DialContext(ctx, network, address)
	}
	return &http.Transport{
		DialContext:            dial,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxIdleConns:           128,
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        time.Minute,
		MaxResponseHeaderBytes: mostHead,
		DisableCompression:     true, // readBody asks for gzip itself, and limits both sides of it
	}
}

// checkName refuses by name what no look at addresses is needed for. It only makes the refusal plainer, and holds
// where the host program brings a transport of its own; [reach.checkAddr] decides.
func (r reach) checkName(host string, foreign bool) error {
	name := plainHost(host)
	foreign = foreign && !r.private.has(host)
	if addr, err := netip.ParseAddr(name); err == nil {
		return r.checkAddr(addr, foreign)
	}
	switch {
	case metadataNames[name]:
		return spec.NewError(spec.CodeDenied, "no request may go to %s: it is a cloud's metadata service", host)
	case oddNumber(name):
		return spec.NewError(spec.CodeDenied, "no request may go to %q: write an IPv4 address as four decimal numbers", host)
	case foreign && !r.private.contains(loopback) && (name == "localhost" || strings.HasSuffix(name, ".localhost")):
		return spec.NewError(spec.CodeDenied, "no request may go to %s from here: it is this machine itself", host)
	}
	return nil
}

// oddNumber tells whether a name is an IPv4 address in a spelling of its own, such as 127.1, 0x7f000001 or 017700000001:
// a name whose last label is a number can be nothing else.
func oddNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" {
		return false
	}
	if _, err := strconv.ParseUint(last, 0, 64); err == nil {
		return true
	}
	return strings.Trim(last, "0123456789") == ""
}

// loopback is where a name that ends in localhost leads.
var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

var metadataNames = map[string]bool{
	"metadata.google.internal":   true,
	"metadata.goog":              true,
	"instance-data.ec2.internal": true,
}

// metadataAddrs give a machine's credentials to whoever asks from it.
var metadataAddrs = map[netip.Addr]string{
	netip.MustParseAddr("169.254.169.254"):    "AWS, Azure, Google, …",
	netip.MustParseAddr("169.254.170.2"):      "AWS ECS",
	netip.MustParseAddr("169.254.170.23"):     "AWS EKS",
	netip.MustParseAddr("fd00:ec2::254"):      "AWS",
	netip.MustParseAddr("fd00:ec2::23"):       "AWS EKS",
	netip.MustParseAddr("fd20:ce::254"):       "Google",
	netip.MustParseAddr("fe80::a9fe:a9fe"):    "OpenStack",
	netip.MustParseAddr("100.100.100.200"):    "Alibaba",
	netip.MustParseAddr("192.0.0.192"):        "Oracle",
	netip.MustParseAddr("168.63.129.16"):      "Azure",
	netip.MustParseAddr("169.254.0.23"):       "Tencent",
	netip.MustParseAddr("169.254.42.42"):      "Scaleway",
	netip.MustParseAddr("fd00:42::42"):        "Scaleway",
	netip.MustParseAddr("169.254.169.250"):    "Rancher",
	netip.MustParseAddr("fd00:c1::a9fe:a9fe"): "Oracle",
}

// localNetworks are all that is not the public internet, as IANA's special-purpose registries have it.
var localNetworks = prefixes(`
	0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
	192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
	::/96 ::ffff:0:0:0/96 64:ff9b:1::/48 100::/63 2001::/23 2001:db8::/32 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8`)

func prefixes(list string) []netip.Prefix {
	var ps []netip.Prefix
	for _, p := range strings.Fields(list) {
		ps = append(ps, netip.MustParsePrefix(p))
	}
	return ps
}

// checkAddr refuses an address that a request must not go to: metadata services always, and where the host is foreign
// whatever is not on the public internet, but for what the policy allows.
func (r reach) checkAddr(addr netip.Addr, foreign bool) error {
	for _, a := range []netip.Addr{addr.WithZone("").Unmap(), embedded(addr)} {
		if _, metadata := metadataAddrs[a]; metadata {
			return spec.NewError(spec.CodeDenied, "no request may go to %s: it is a cloud's metadata service", addr)
		}
		if foreign && isLocal(a) && !r.private.contains(a) {
			return spec.NewError(spec.CodeDenied, "no request may go to %s from here: it is a private or local address, and the host came from the input or a redirect", addr)
		}
	}
	return nil
}

func isLocal(addr netip.Addr) bool {
	for _, p := range localNetworks {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// embedded is the IPv4 address that an IPv6 address of a transition mechanism leads to; invalid if there is none.
func embedded(addr netip.Addr) netip.Addr {
	b := addr.As16()
	v4 := func(at int) netip.Addr { return netip.AddrFrom4([4]byte(b[at : at+4])) }
	switch {
	case !addr.Is6() || addr.Is4In6():
	case b[0] == 0x20 && b[1] == 0x02: // 6to4
		return v4(2)
	case netip.MustParsePrefix("64:ff9b::/96").Contains(addr.WithZone("")): // NAT64
		return v4(12)
	case netip.MustParsePrefix("64:ff9b:1::/48").Contains(addr.WithZone("")): // local NAT64, in its longest form
		return v4(12)
	case netip.MustParsePrefix("::/96").Contains(addr.WithZone("")): // IPv4-compatible
		return v4(12)
	case [4]byte(b[8:12]) == [4]byte{0, 0, 0x5e, 0xfe}, [4]byte(b[8:12]) == [4]byte{2, 0, 0x5e, 0xfe}: // ISATAP
		return v4(12)
	}
	return netip.Addr{}
}
