package exec

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

func TestAddressesThatRequestsMayGoTo(t *testing.T) {
	const public, local, metadata = "public", "local", "metadata"
	for addr, want := range map[string]string{
		"1.1.1.1": public, "172.15.0.1": public, "172.32.0.1": public, "100.63.0.1": public, "100.128.0.1": public, "192.167.1.1": public, "223.255.255.255": public,
		"2606:4700::1111": public, "64:ff9b::101:101": public, "2002:101:101::1": public,
		"127.0.0.1": local, "127.9.9.9": local, "0.0.0.0": local, "0.1.2.3": local, "10.0.0.1": local, "172.16.0.1": local, "172.31.255.255": local, "192.168.1.1": local,
		"100.64.0.1": local, "100.127.255.255": local, "169.254.0.1": local, "192.0.0.8": local, "192.0.2.1": local, "198.18.0.1": local, "198.51.100.1": local, "203.0.113.1": local,
		"224.0.0.1": local, "239.255.255.250": local, "240.0.0.1": local, "255.255.255.255": local,
		"::": local, "::1": local, "fe80::1": local, "fe80::1%eth0": local, "fec0::1": local, "fc00::1": local, "fdff::1": local, "ff02::1": local, "2001:db8::1": local, "2001::1": local, "100::1": local,
		"::ffff:127.0.0.1": local, "::ffff:10.0.0.1": local, "::127.0.0.1": local, "::ffff:0:127.0.0.1": local, "64:ff9b::7f00:1": local, "64:ff9b::a00:1": local, "64:ff9b:1::1": local, "2002:7f00:1::": local,
		"2002:c0a8:101::1": local, "2606:4700::5efe:10.0.0.1": local, "2606:4700::200:5efe:127.0.0.1": local,
		"169.254.169.254": metadata, "::ffff:169.254.169.254": metadata, "::ffff:a9fe:a9fe": metadata, "64:ff9b::a9fe:a9fe": metadata, "2002:a9fe:a9fe::1": metadata, "::a9fe:a9fe": metadata,
		"fd00:ec2::254": metadata, "fe80::a9fe:a9fe": metadata, "fe80::a9fe:a9fe%2": metadata, "100.100.100.200": metadata, "192.0.0.192": metadata, "169.254.170.2": metadata, "168.63.129.16": metadata,
	} {
		for _, foreign := range []bool{false, true} {
			refused := want == metadata || foreign && want == local
			if err := (reach{}).checkAddr(netip.MustParseAddr(addr), foreign); (err != nil) != refused {
				t.Errorf("%s, foreign %v: have %v, want %s", addr, foreign, err, want)
			}
		}
	}
}

// TestHostOfTheInputIsNoLocalOne is a model's url against this machine, in every spelling.
func TestHostOfTheInputIsNoLocalOne(t *testing.T) {
	server := record(t, nil)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	tool := httpTool(t, nil, "url: '${input.url}'\nredirects: 5")
	for _, url := range []string{
		"http://127.0.0.1:PORT/", "http://127.0.0.1.:PORT/", "http://127.1:PORT/", "http://127.0.1:PORT/", "http://0x7f000001:PORT/", "http://0x7f.1:PORT/", "http://2130706433:PORT/", "http://0177.0.0.1:PORT/", "http://017700000001:PORT/",
		"http://127.0.0.1.:PORT/", "http://0:PORT/", "http://0.0.0.0:PORT/", "http://[::]:PORT/", "http://[::1]:PORT/", "http://[::ffff:127.0.0.1]:PORT/", "http://[::ffff:7f00:1]:PORT/", "http://[::127.0.0.1]:PORT/", "http://[64:ff9b::7f00:1]:PORT/",
		"http://localhost:PORT/", "http://localhost.:PORT/", "http://LOCALHOST:PORT/", "http://a.localhost:PORT/", "http://localhost..:PORT/", "http://user@127.0.0.1:PORT/", "http://127.0.0.1:PORT@[::1]:PORT/",
		"http://\uff11\uff12\uff17.0.0.1:PORT/", "http://127\u30020\u30020\u30021:PORT/", "http://\u2460\u2461\u2466.0.0.1:PORT/", "http://%31%32%37.0.0.1:PORT/", "http://127.0.0.1%00:PORT/",
		"http://[::1%25lo]:PORT/", "http://[fe80::1%25eth0]/", "http://[::ffff:0:7f00:1]:PORT/", "http://[2002:7f00:1::]:PORT/", "http://127.0.0.1:0/", "http://127.0.0\u00ad.1:PORT/", "http://\u24dbocalhost:PORT/", "http://local\u00adhost:PORT/",
		"http://127.0.0.1:PORT\\@example.com/", "http://example.com@127.0.0.1:PORT/", "http://[::1]:PORT#@example.com/", "http://127.0.0.1:+PORT/", "http://127.0.0.1 :PORT/", "http:\\\\127.0.0.1:PORT/", "http:127.0.0.1:PORT/", "//127.0.0.1:PORT/",
		"http://10.0.0.1/", "http://192.168.0.1/", "http://100.64.0.1/", "http://[fe80::1]/", "http://[fd12::1]/", "http://224.0.0.1/", "http://255.255.255.255/",
		"http://169.254.169.254/latest/meta-data/", "http://[::ffff:a9fe:a9fe]/", "http://[fd00:ec2::254]/", "http://100.100.100.200/", "http://metadata.google.internal/", "http://METADATA.google.internal./", "http://metadata.goog/", "http://0xa9fea9fe/", "http://2852039166/",
		"file:///etc/hostname", "gopher://127.0.0.1:PORT/", "ftp://127.0.0.1:PORT/", "unix:/var/run/docker.sock", "http+unix://x/",
	} {
		r := tool.Call(t.Context(), input(t, map[string]any{"url": strings.ReplaceAll(url, "PORT", port)}))
		if code := codeOf(r); code != spec.CodeDenied && code != spec.CodeInvalidInput {
			t.Errorf("%s: have %s %s", url, code, text(r))
		}
	}
	if seen := server.seen(); len(seen) > 0 {
		t.Errorf("the server was reached: %v", seen)
	}
}

// fakeDNS is a resolver whose nth answer for any name is the nth address; the last one stays.
func fakeDNS(t *testing.T, addrs ...string) (*net.Resolver, *atomic.Int32) {
	t.Helper()
	asked := new(atomic.Int32)
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			for {
				var length [2]byte
				if _, err := io.ReadFull(theirs, length[:]); err != nil {
					return
				}
				query := make([]byte, binary.BigEndian.Uint16(length[:]))
				if _, err := io.ReadFull(theirs, query); err != nil {
					return
				}
				if _, err := theirs.Write(dnsAnswer(query, addrs, asked)); err != nil {
					return
				}
			}
		}()
		return ours, nil
	}}, asked
}

// dnsAnswer answers a query for A with one address, any other with none. It repeats the question without the rest of
// the query.
func dnsAnswer(query []byte, addrs []string, asked *atomic.Int32) []byte {
	end := 12
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5
	answer := append([]byte{}, query[:end]...)
	copy(answer[2:12], []byte{0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0})
	if addrs[0] == "" { // there is no such name
		answer[3] |= 3
	} else if query[end-3] == 1 {
		n := min(int(asked.Add(1)), len(addrs))
		answer[7] = 1
		answer = append(answer, 0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		answer = append(answer, netip.MustParseAddr(addrs[n-1]).AsSlice()...)
	}
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)
}

// TestNameThatChangesItsMind is rebinding: who looked the name up before the call saw a public address.
func TestNameThatChangesItsMind(t *testing.T) {
	server := record(t, nil)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	resolver, asked := fakeDNS(t, "93.184.215.14", "127.0.0.1")
	if addrs, err := resolver.LookupHost(t.Context(), "rebind.example"); err != nil || len(addrs) != 1 || addrs[0] != "93.184.215.14" {
		t.Fatalf("have %v, %v", addrs, err)
	}
	tool := compile(t, anyInput+"executor: {http: {url: '${input.url}'}}\n", nil, func(e *Env) { e.egress.resolver = resolver })
	r := tool.Call(t.Context(), input(t, map[string]any{"url": "http://rebind.example:" + port + "/"}))
	if codeOf(r) != spec.CodeDenied || !strings.Contains(text(r), "127.0.0.1") || asked.Load() != 2 || len(server.seen()) > 0 {
		t.Errorf("have %s, %s, after %d lookups", codeOf(r), text(r), asked.Load())
	}
}

func TestAuthorsHostMayBePrivateButNoMetadataService(t *testing.T) {
	server := record(t, nil)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	resolver, _ := fakeDNS(t, "127.0.0.1", "169.254.169.254")
	tool := compile(t, anyInput+"executor: {http: {url: 'http://intern.example:"+port+"/', headers: {X-A: '${input.a}'}}}\n", nil, func(e *Env) { e.egress.resolver = resolver })
	if r := tool.Call(t.Context(), use(`{}`)); r.Status != spec.StatusSuccess || len(server.seen()) != 1 {
		t.Fatal(text(r))
	}
	server.CloseClientConnections()
	if r := tool.Call(t.Context(), use(`{}`)); codeOf(r) != spec.CodeDenied || !strings.Contains(text(r), "metadata") {
		t.Errorf("have %s %s", codeOf(r), text(r))
	}
}

func TestProxyOfTheEnvironmentIsNotUsed(t *testing.T) {
	proxy, server := record(t, nil), record(t, nil)
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	tool := httpTool(t, server, "url: ADDR/x")
	if r := tool.Call(t.Context(), use(`{}`)); r.Status != spec.StatusSuccess || len(server.seen()) != 1 || len(proxy.seen()) != 0 {
		t.Error(text(r))
	}
}

func TestToolsOfOneEnvShareConnections(t *testing.T) {
	server := record(t, nil)
	env := &Env{}
	for _, name := range []string{"a", "b"} {
		s, ds := spec.Parse("t.yaml", []byte("name: "+name+"\ndescription: A tool.\nexecutor: {http: {url: '"+server.URL+"'}}\n"))
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		tool, ds := StandardKinds().Compile(env, s)
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		for range 3 {
			if r := tool.Call(t.Context(), use(`{}`)); r.Status != spec.StatusSuccess {
				t.Fatal(text(r))
			}
		}
	}
	connections := map[string]bool{}
	for _, r := range server.seen() {
		connections[r.from] = true
	}
	if len(connections) != 1 {
		t.Errorf("want one connection, have %v", connections)
	}
}
