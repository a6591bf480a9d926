package exec

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

func TestHostLists(t *testing.T) {
	l := hostListOf([]string{"a.example", "*.B.example.", "192.0.2.7", "10.0.0.0/8", "2001:db8::7", "192.168.3.4/16"})
	for host, want := range map[string]bool{
		"a.example": true, "A.Example.": true, "x.a.example": false, "a.example.evil": false, "aa.example": false,
		"b.example": false, "x.b.example": true, "x.y.B.EXAMPLE": true, "xb.example": false, ".b.example": false,
		"192.0.2.7": true, "192.0.2.8": false, "::ffff:192.0.2.7": true, "10.1.2.3": true, "11.1.2.3": false, "2001:db8::7": true, "2001:db8::8": false,
		"192.168.255.1": true, "": false, "*": false,
	} {
		if l.has(host) != want {
			t.Errorf("%q: have %v", host, !want)
		}
	}
	var none hostList
	if none.has("a.example") || none.contains(netip.MustParseAddr("10.0.0.1")) || !hostListOf([]string{"*"}).has("a.example") {
		t.Error("an empty list has no host, * has all")
	}
}

// TestHostsOfThePolicy has what an input, env and redirects bring looked at, hop by hop.
func TestHostsOfThePolicy(t *testing.T) {
	last := record(t, nil)
	_, port, _ := net.SplitHostPort(last.Listener.Addr().String())
	first := record(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+r.URL.Query().Get("to")+":"+port+"/", http.StatusFound)
	})
	_, firstPort, _ := net.SplitHostPort(first.Listener.Addr().String())
	t.Setenv("BASE", "http://localhost:"+firstPort)
	const byInput, byEnv = "url: '${input.url}'", "{url: '${env.BASE}/x', query: {to: '${input.to}'}, redirects: 2}"
	for _, c := range []struct {
		name, section, to string
		egress            Egress
		reached           int // 0: nothing; 1: the first server; 2: both
	}{
		{"no list", byEnv, "127.0.0.1", Egress{Private: []string{"127.0.0.1"}}, 2},
		{"env not listed", byEnv, "127.0.0.1", Egress{Hosts: []string{"127.0.0.1"}, Private: []string{"*"}}, 0},
		{"env listed, redirect not", byEnv, "127.0.0.1", Egress{Hosts: []string{"localhost"}, Private: []string{"*"}}, 1},
		{"both listed, redirect private", byEnv, "127.0.0.1", Egress{Hosts: []string{"localhost", "127.0.0.1"}}, 1},
		{"both listed, another network", byEnv, "127.0.0.1", Egress{Hosts: []string{"localhost", "127.0.0.1"}, Private: []string{"10.0.0.0/8"}}, 1},
		{"both listed, its network", byEnv, "127.0.0.1", Egress{Hosts: []string{"localhost", "127.0.0.1"}, Private: []string{"127.0.0.0/8"}}, 2},
		{"this machine by its name", byEnv, "localhost", Egress{Private: []string{"10.0.0.0/8"}}, 1},
		{"this machine by its name, its network", byEnv, "localhost", Egress{Private: []string{"127.0.0.0/8"}}, 2},
		{"input not listed", byInput, "127.0.0.1", Egress{Hosts: []string{"localhost"}, Private: []string{"*"}}, 0},
		{"input listed", byInput, "127.0.0.1", Egress{Hosts: []string{"127.0.0.1"}, Private: []string{"*"}}, 1},
		{"input private", byInput, "127.0.0.1", Egress{Hosts: []string{"*"}}, 0},
	} {
		tool := compile(t, anyInput+"executor:\n  http:\n    "+c.section+"\n", nil, func(e *Env) {
			e.Policy.Egress, e.Policy.EnvNames = c.egress, []string{"BASE"}
		})
		r := tool.Call(t.Context(), input(t, map[string]any{"to": c.to, "url": "http://" + c.to + ":" + firstPort + "/?to=" + c.to}))
		denied := codeOf(r) == spec.CodeDenied
		if have := len(first.seen()) + len(last.seen()); have != c.reached || denied != (c.reached == 0 || c.section == byEnv && c.reached == 1) {
			t.Errorf("%s: %d servers were reached: %s", c.name, have, text(r))
		}
	}
}

// TestNamesThatResolveToPrivateAddresses decides where a name has led, not before.
func TestNamesThatResolveToPrivateAddresses(t *testing.T) {
	server := record(t, nil)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	for _, c := range []struct {
		addr    string
		private []string
		want    spec.Code
	}{
		{"127.0.0.1", nil, spec.CodeDenied},
		{"127.0.0.1", []string{"other.example", "10.0.0.0/8"}, spec.CodeDenied},
		{"127.0.0.1", []string{"intern.example"}, ""},
		{"127.0.0.1", []string{"*.example"}, ""},
		{"127.0.0.1", []string{"127.0.0.0/8"}, ""},
		{"127.0.0.1", []string{"*"}, ""},
		{"169.254.169.254", []string{"*", "169.254.169.254", "intern.example"}, spec.CodeDenied},
	} {
		resolver, _ := fakeDNS(t, c.addr)
		tool := compile(t, anyInput+"executor: {http: {url: '${input.url}'}}\n", nil, func(e *Env) {
			e.egress.resolver, e.Policy.Egress.Private = resolver, c.private
		})
		r := tool.Call(t.Context(), input(t, map[string]any{"url": "http://intern.example:" + port + "/"}))
		if have := codeOf(r); have != c.want || (len(server.seen()) == 1) != (c.want == "") {
			t.Errorf("%s, private %q: have %s %s", c.addr, c.private, have, text(r))
		}
	}
}

// TestTransportLooksAtHostsItself: whoever has the transport and forgets to ask is refused all the same.
func TestTransportLooksAtHostsItself(t *testing.T) {
	server := record(t, nil)
	var e egress
	for _, transport := range []http.RoundTripper{e.guard(Egress{Hosts: []string{"a.example"}}.reach()), e.made.named} {
		request, _ := http.NewRequest(http.MethodGet, server.URL, nil)
		response, err := transport.RoundTrip(request)
		if err == nil {
			response.Body.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "egress.hosts") || len(server.seen()) > 0 {
			t.Errorf("have %v", err)
		}
	}
}
