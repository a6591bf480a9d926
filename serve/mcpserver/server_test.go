package mcpserver

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/spec"
)

// house is a registry, its server, and the Go functions its tools call.
type house struct {
	*Server
	reg   *registry.Registry
	funcs map[string]exec.Executor
}

// tool is a file that a registry is given.
type tool struct{ name, rest string }

func (c tool) compile(t testing.TB, funcs map[string]exec.Executor) *exec.Tool {
	t.Helper()
	source := "name: " + c.name + "\n" + c.rest
	if !strings.Contains(c.rest, "description:") {
		source += "\ndescription: A tool for tests."
	}
	read, ds := spec.Parse(c.name+".yaml", []byte(source))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	compiled, ds := exec.StandardKinds().Compile(&exec.Env{Policy: exec.DefaultPolicy(), Funcs: funcs}, read)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return compiled
}

func (h *house) load(t testing.TB, tools ...tool) registry.Change {
	t.Helper()
	compiled := make([]*exec.Tool, len(tools))
	for i, c := range tools {
		compiled[i] = c.compile(t, h.funcs)
	}
	return h.reg.Replace("test", compiled, nil)
}

func newHouse(t testing.TB, funcs map[string]exec.ExecutorFunc, tools ...tool) *house {
	t.Helper()
	h := &house{reg: registry.New(), funcs: map[string]exec.Executor{}}
	for name, f := range funcs {
		h.funcs[name] = f
	}
	h.load(t, tools...)
	h.Server = New(h.reg, Options{Version: "test"})
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		h.Shutdown(ctx)
	})
	return h
}

// link is how a client reaches the server.
type link struct {
	about   string
	connect func(t *testing.T, h *house) mcp.Transport
}

func links() []link {
	return []link{
		{"stdio", func(t *testing.T, h *house) mcp.Transport { return h.overStdio(t) }},
		{"http", func(t *testing.T, h *house) mcp.Transport {
			web := httptest.NewServer(h.HTTP())
			t.Cleanup(web.Close)
			return &mcp.StreamableClientTransport{Endpoint: web.URL}
		}},
	}
}

// overStdio serves a client over two pipes, and checks that the server ends well when the client goes.
func (h *house) overStdio(t *testing.T) mcp.Transport {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := h.Stdio(context.Background(), toServer, fromServer); err != nil {
			t.Errorf("stdio ended with %v", err)
		}
		_ = fromServer.Close()
	})
	t.Cleanup(serving.Wait)
	return &mcp.IOTransport{Reader: toClient, Writer: fromClient}
}

// connect is a client of the SDK that speaks this protocol version.
func connect(t *testing.T, transport mcp.Transport, version string, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if have := session.InitializeResult().ProtocolVersion; have != version {
		t.Fatalf("negotiated %s, want %s", have, version)
	}
	return session
}

// everywhere runs a test over every transport in every protocol version.
func everywhere(t *testing.T, test func(t *testing.T, l link, version string)) {
	for _, l := range links() {
		for _, version := range mcp.SupportedProtocolVersions() {
			t.Run(l.about+"/"+version, func(t *testing.T) { test(t, l, version) })
		}
	}
}

const sumFile = `
title: Sum
description: Adds two numbers.
annotations: {readOnlyHint: true, openWorldHint: false}
inputSchema:
  type: object
  required: [b, a]
  properties: {b: {type: integer, description: 'less < than & more'}, a: {type: integer}}
outputSchema: {type: object, required: [sum], properties: {sum: {type: integer}}}
executor: {expr: '{"sum": input.a + input.b}'}
`

func TestListAndCall(t *testing.T) {
	everywhere(t, func(t *testing.T, l link, version string) {
		h := newHouse(t, nil, tool{"sum", sumFile})
		session := connect(t, l.connect(t, h), version, nil)
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Tools) != 1 || list.Tools[0].Name != "sum" || list.Tools[0].Title != "Sum" || !list.Tools[0].Annotations.ReadOnlyHint {
			t.Fatalf("have %+v", list.Tools)
		}
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "sum", Arguments: map[string]any{"a": 2, "b": 40}})
		if err != nil {
			t.Fatal(err)
		}
		if have := contentOf(t, result); have != `[{"type":"text","text":"{\"sum\":42}"}]` {
			t.Errorf("content %s", have)
		}
		if have, _ := json.Marshal(result.StructuredContent); string(have) != `{"sum":42}` {
			t.Errorf("structured content %s", have)
		}
	})
}

func contentOf(t *testing.T, result *mcp.CallToolResult) string {
	t.Helper()
	text, err := json.Marshal(result.Content)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWrongCalls(t *testing.T) {
	everywhere(t, func(t *testing.T, l link, version string) {
		h := newHouse(t, nil, tool{"sum", sumFile})
		session := connect(t, l.connect(t, h), version, nil)
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "sun"})
		if err == nil || !strings.Contains(err.Error(), "sum") {
			t.Errorf("unknown tool: %v", err)
		}
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "sum", Arguments: map[string]any{"a": 1}})
		if err != nil {
			t.Fatal(err)
		}
		if !result.IsError || result.Meta[metadataKey] == nil {
			t.Errorf("wrong input: %+v %s", result, contentOf(t, result))
		}
	})
}
