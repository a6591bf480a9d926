package mcpserver

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// client is a client of the SDK over HTTP, without sessions.
func client(b *testing.B, h *house) *mcp.ClientSession {
	b.Helper()
	web := httptest.NewServer(h.HTTP())
	b.Cleanup(web.Close)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).
		Connect(b.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = session.Close() })
	return session
}

func BenchmarkList(b *testing.B) {
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			tools := make([]tool, n)
			for i := range tools {
				tools[i] = tool{fmt.Sprint("sum", i), sumFile}
			}
			session := client(b, newHouse(b, nil, tools...))
			for b.Loop() {
				if _, err := session.ListTools(b.Context(), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCall(b *testing.B) {
	session := client(b, newHouse(b, nil, tool{"sum", sumFile}))
	for b.Loop() {
		if _, err := session.CallTool(b.Context(), &mcp.CallToolParams{Name: "sum", Arguments: map[string]any{"a": 1, "b": 2}}); err != nil {
			b.Fatal(err)
		}
	}
}
