package mcpserver_test

import (
	"context"
	"os"
	"strings"

	"github.com/toolspec/toolspec/registry"
	"github.com/toolspec/toolspec/serve/mcpserver"
)

func ExampleServer_Stdio() {
	server := mcpserver.New(registry.New(), mcpserver.Options{Version: "1.0"})
	defer server.Shutdown(context.Background())

	in := strings.NewReader(`{"jsonrpc": "2.0", "id": 1, "method": "ping"}` + "\n")
	_ = server.Stdio(context.Background(), in, os.Stdout)
	// Output: {"jsonrpc":"2.0","id":1,"result":{}}
}
