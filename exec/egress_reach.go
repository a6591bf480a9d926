package exec

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// Egress is where requests may go. A cloud's metadata service they may never go to.
type Egress struct {
	// Hosts are names such as api.example.com, *.example.com for all that end so, addresses, or * for any; nil: any.
	Hosts []string
	// Private are the hosts, addresses and networks such as 10.0.0.0/8 that a request may go to although they are not on the
	// public internet and its host came from the input or a redirect; * for any. A host that a file names needs no leave.
	Private []string
	// Proxy is asked for every host but this machine itself; nil: none is, whatever the environment says. What the proxy may reach
	// beyond what a name says here is the proxy's to know.
	Proxy *url.URL
}

// reach is an Egress made ready.
type reach struct {
	hosts, private hostList
	proxy          *url.URL
}

func (e Egress) reach() reach {
	r := reach{hostListOf(e.Hosts), hostListOf(e.Private), e.Proxy}
	r.hosts.all = r.hosts.all || e.Hosts == nil
	return r
}

// checkHost refuses a host that a request must not go to, as far as its name tells.
func (r reach) checkHost(host string, foreign bool) error {
	if err := r.checkName(host, foreign); err != nil {
		return err
	}
	return r.checkListed(host)
}

// checkListed refuses a host that is not among those of the policy.
func (r reach) checkListed(host string) error {
	if r.hosts.has(host) {
		return nil
	}
	return spec.NewError(spec.CodeDenied, "no request may go to %s: it is not among egress.hosts of the operator's policy", host)
}

// hostList is hosts and networks that a policy names.
type hostList struct {
	all      bool
	names    map[string]bool
	endings  []string // what *.example.com stands for: .example.com
	networks []netip.Prefix
}

func hostListOf(entries []string) hostList {
	l := hostList{names: map[string]bool{}}
	for _, entry := range entries {
		entry = plainHost(entry)
		if network, err := netip.ParsePrefix(entry); err == nil {
			l.networks = append(l.networks, network.Masked())
			continue
		}
		if addr, err := netip.ParseAddr(entry); err == nil {
			l.networks = append(l.networks, netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()))
			continue
		}
		if ending, ok := strings.CutPrefix(entry, "*."); ok {
			l.endings = append(l.endings, "."+ending)
			continue
		}
		l.all = l.all || entry == "*"
		l.names[entry] = true
	}
	return l
}

// has tells whether a host is on the list: by its name, or by itself where it is an address.
func (l hostList) has(host string) bool {
	if l.all {
		return true
	}
	name := plainHost(host)
	if addr, err := netip.ParseAddr(name); err == nil {
		return l.contains(addr.WithZone("").Unmap())
	}
	for _, ending := range l.endings {
		if len(name) > len(ending) && strings.HasSuffix(name, ending) {
			return true
		}
	}
	return l.names[name]
}

// contains tells whether an address is in one of the networks.
func (l hostList) contains(addr netip.Addr) bool {
	for _, network := range l.networks {
		if network.Contains(addr) {
			return true
		}
	}
	return l.all
}

// plainHost is a host in the one spelling in which hosts are compared.
func plainHost(host string) string { return strings.ToLower(strings.TrimRight(host, ".")) }

// hostName is a name of a host, or the end of names.
var hostName = regexp.MustCompile(`^(\*\.)?([A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?\.)*[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?$`)

// isHost tells whether a text of a policy is a host: an address, a name, or the end of names.
func isHost(text string) bool {
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.Zone() == ""
	}
	return hostName.MatchString(text) && !oddNumber(text)
}

func isNetwork(text string) bool {
	_, err := netip.ParsePrefix(text)
	return err == nil
}
