package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// client is an agent library of other people, driven by a probe in testdata/clients.
type client struct {
	name  string
	probe []string // the command, without its target
	tells bool     // it tells how often it was notified
}

func clients(t *testing.T) []client {
	t.Helper()
	dir := filepath.Join("..", "..", "testdata", "clients")
	all := []client{{"mcp-go", []string{mcpGo(t, dir)}, true}}
	_, noNode := exec.LookPath("node")
	_, notInstalled := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json"))
	if noNode != nil || notInstalled != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("CI must test the JavaScript clients: %v %v; run make clients", noNode, notInstalled)
		}
		t.Log("*** NOT TESTED: the MCP SDK's JavaScript client, Strands and the Vercel AI SDK need Node and `make clients`")
		return all
	}
	for _, name := range []string{"mcp-sdk", "strands", "vercel-ai"} {
		all = append(all, client{name, []string{"node", filepath.Join(dir, name+".mjs")}, name == "mcp-sdk"})
	}
	return all
}

func mcpGo(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mcpgo")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = filepath.Join(dir, "mcp-go")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// probe is a running client.
type probe struct {
	t       *testing.T
	orders  *json.Encoder
	answers *bufio.Scanner
	said    *transcript
}

type toolCall struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

type answer struct {
	Names   []string
	Results []string
	Count   int
	Fault   string
}

// connect starts a client that talks to the target: --url URL, or -- COMMAND.
func (c client) connect(t *testing.T, target ...string) *probe {
	t.Helper()
	cmd := exec.Command(c.probe[0], append(slices.Clone(c.probe[1:]), target...)...)
	in, out, said := piped(t, cmd)
	p := &probe{t, json.NewEncoder(in), bufio.NewScanner(out), said}
	p.answers.Buffer(nil, 8<<20)
	t.Cleanup(func() {
		in.Close()
		<-p.said.ended
		_ = cmd.Wait() // some libraries end with a code of their own
	})
	return p
}

func (p *probe) ask(order map[string]any) answer {
	p.t.Helper()
	if err := p.orders.Encode(order); err != nil {
		p.t.Fatalf("the client is gone: %v\n%s", err, p.said.text())
	}
	if !p.answers.Scan() {
		p.t.Fatalf("the client does not answer: %v\n%s", p.answers.Err(), p.said.text())
	}
	var a answer
	if err := json.Unmarshal(p.answers.Bytes(), &a); err != nil || a.Fault != "" {
		p.t.Fatalf("%s: %v\n%s", p.answers.Text(), err, p.said.text())
	}
	slices.Sort(a.Names)
	return a
}

func (p *probe) call(calls ...toolCall) []string {
	p.t.Helper()
	return p.ask(map[string]any{"op": "call", "calls": calls}).Results
}

// threeKinds writes a command, an http and an expr tool.
func threeKinds(t *testing.T, dir, service string) {
	t.Helper()
	const contract = `description: Say a word. Use this tool in tests.
inputSchema:
  type: object
  required: [word]
  properties:
    word: {type: string, description: The word}
    tenths: {type: integer, default: 0, description: How long to wait}
`
	write(t, filepath.Join(dir, "by_command.yaml"), "name: by_command\n"+contract+`executor:
  command:
    argv: [sh, -c, 'sleep "0.$1"; printf "command:%s" "$2"', _, '${input.tenths}', '${input.word}']
`)
	write(t, filepath.Join(dir, "by_http.yaml"), "name: by_http\n"+contract+`executor:
  http:
    url: `+service+`/echo/${input.word}
result:
  content:
    - text: 'http:${output.word}'
`)
	write(t, filepath.Join(dir, "by_expr.yaml"), "name: by_expr\n"+contract+`executor:
  expr: '"expr:" + input.word'
`)
}

// TestClientsListAndCall has every client list and call each kind of tool over both transports, and then hold 16 calls in
// flight, each with a word of its own.
func TestClientsListAndCall(t *testing.T) {
	dir := t.TempDir()
	threeKinds(t, dir, echo(t))
	served := start(t, "-d", dir)
	for _, c := range clients(t) {
		for transport, target := range map[string][]string{
			"http":  {"--url", served.url + "/mcp"},
			"stdio": {"--", program(t), "serve", "-d", dir},
		} {
			t.Run(c.name+"/"+transport, func(t *testing.T) {
				p := c.connect(t, target...)
				if names := p.ask(map[string]any{"op": "list"}).Names; !slices.Equal(names, []string{"by_command", "by_expr", "by_http"}) {
					t.Fatalf("listed: %v", names)
				}
				for _, kind := range []string{"command", "http", "expr"} {
					result := p.call(toolCall{"by_" + kind, map[string]any{"word": "hello"}})[0]
					if !strings.Contains(result, kind+":hello") {
						t.Errorf("by_%s: %s", kind, result)
					}
				}
				inFlight(t, p)
			})
		}
	}
}

func inFlight(t *testing.T, p *probe) {
	t.Helper()
	var calls []toolCall
	for i := range 16 {
		kind := []string{"command", "http", "expr"}[i%3]
		calls = append(calls, toolCall{"by_" + kind, map[string]any{"word": fmt.Sprintf("w%dw", i), "tenths": (16 - i) % 4}})
	}
	for i, result := range p.call(calls...) {
		if want := fmt.Sprintf("%s:w%dw", strings.TrimPrefix(calls[i].Tool, "by_"), i); !strings.Contains(result, want) {
			t.Errorf("call %d got somebody else's answer: want %s, have %s", i, want, result)
		}
	}
}

// TestClientSeesEdits keeps a client connected while a file is edited, broken, mended, added, renamed and deleted.
func TestClientSeesEdits(t *testing.T) {
	for _, c := range clients(t) {
		if !c.tells {
			continue
		}
		for _, transport := range []string{"http", "stdio"} {
			t.Run(c.name+"/"+transport, func(t *testing.T) {
				dir := t.TempDir()
				write(t, filepath.Join(dir, "letter.yaml"), versioned("letter", "v1"))
				e := edits{t: t, dir: dir}
				if transport == "http" {
					served := start(t, "-d", dir)
					e.said = served.said
					e.p = c.connect(t, "--url", served.url+"/mcp")
				} else {
					e.p = c.connect(t, "--", program(t), "serve", "-d", dir)
					e.said = e.p.said
				}
				e.run()
			})
		}
	}
}

// versioned is a tool whose description and answer tell its version.
func versioned(name, version string) string {
	return fmt.Sprintf("name: %s\ndescription: Letter %s. Use this tool in tests.\nexecutor:\n  expr: '\"letter %s\"'\n", name, version, version)
}

type edits struct {
	t     *testing.T
	dir   string
	p     *probe
	said  *transcript
	count int
}

func (e *edits) run() {
	file := filepath.Join(e.dir, "letter.yaml")
	e.want("at first", 0, "v1", "letter")

	write(e.t, file, versioned("letter", "v2"))
	e.want("edited", 1, "v2", "letter")

	write(e.t, file, versioned("letter", "v3")+"timeuot: 3s\n")
	e.said.await(e.t, regexp.MustCompile(`letter\.yaml:5:1.*timeuot`))
	e.want("broken", 0, "v2", "letter")

	write(e.t, file, versioned("letter", "v3"))
	e.want("mended", 1, "v3", "letter")

	write(e.t, filepath.Join(e.dir, "deep", "note.yaml"), versioned("note", "v1"))
	e.want("added", 1, "v3", "letter", "note")

	if err := os.Rename(file, filepath.Join(e.dir, "mail.yaml")); err != nil {
		e.t.Fatal(err)
	}
	write(e.t, filepath.Join(e.dir, "deep", "note.yaml"), versioned("memo", "v1"))
	e.want("renamed, the file of one and the name in the other", 1, "v3", "letter", "memo")

	if err := os.Remove(filepath.Join(e.dir, "deep", "note.yaml")); err != nil {
		e.t.Fatal(err)
	}
	e.want("deleted", 1, "v3", "letter")
}

// want waits until the client was notified so many times more, then compares what it sees.
func (e *edits) want(step string, notified int, version string, names ...string) {
	e.t.Helper()
	e.count += notified
	seen := 0
	waitFor(e.t, "list_changed after: "+step, func() bool {
		seen = e.p.ask(map[string]any{"op": "notified"}).Count
		return seen >= e.count
	})
	if seen != e.count {
		e.t.Errorf("%s: notified %d times, want %d", step, seen, e.count)
	}
	if have := e.p.ask(map[string]any{"op": "list"}).Names; !slices.Equal(have, names) {
		e.t.Errorf("%s: listed %v, want %v", step, have, names)
	}
	if result := e.p.call(toolCall{"letter", map[string]any{}})[0]; !strings.Contains(result, "letter "+version) {
		e.t.Errorf("%s: want letter %s, have %s", step, version, result)
	}
}
