// Command mcpgo is the probe of mark3labs/mcp-go; see ../probe.mjs for what a probe is told and answers.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type order struct {
	Op    string
	Calls []struct {
		Tool string
		Args map[string]any
	}
}

func main() {
	ctx := context.Background()
	c, err := connect(ctx, os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	var changes atomic.Int64
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		if n.Method == "notifications/tools/list_changed" {
			changes.Add(1)
		}
	})
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = "2025-11-25"
	hello.Params.ClientInfo = mcp.Implementation{Name: "probe-mcp-go", Version: "1"}
	if _, err := c.Initialize(ctx, hello); err != nil {
		log.Fatal(err)
	}
	answers := json.NewEncoder(os.Stdout)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var o order
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			log.Fatal(err)
		}
		_ = answers.Encode(obey(ctx, c, o, &changes))
	}
}

func connect(ctx context.Context, args []string) (*client.Client, error) {
	switch {
	case len(args) == 2 && args[0] == "--url":
		c, err := client.NewStreamableHttpClient(args[1], transport.WithContinuousListening())
		if err == nil {
			err = c.Start(ctx)
		}
		return c, err
	case len(args) > 1 && args[0] == "--":
		c, err := client.NewStdioMCPClient(args[1], nil, args[2:]...)
		if err == nil {
			err = c.Start(ctx) // started already; this is what has it heed notifications
		}
		if err == nil {
			if stderr, ok := client.GetStderr(c); ok {
				go io.Copy(os.Stderr, stderr)
			}
		}
		return c, err
	}
	return nil, errors.New("want --url URL or -- COMMAND")
}

func obey(ctx context.Context, c *client.Client, o order, changes *atomic.Int64) any {
	switch o.Op {
	case "list":
		list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
		if err != nil {
			return map[string]string{"fault": err.Error()}
		}
		names := []string{}
		for _, t := range list.Tools {
			names = append(names, t.Name)
		}
		return map[string]any{"names": names}
	case "notified":
		return map[string]int64{"count": changes.Load()}
	case "call":
		results := make([]string, len(o.Calls))
		var wg sync.WaitGroup
		for i, call := range o.Calls {
			wg.Go(func() {
				var r mcp.CallToolRequest
				r.Params.Name, r.Params.Arguments = call.Tool, call.Args
				res, err := c.CallTool(ctx, r)
				if err != nil {
					results[i] = fmt.Sprintf(`{"fault":%q}`, err)
					return
				}
				text, _ := json.Marshal(res)
				results[i] = string(text)
			})
		}
		wg.Wait()
		return map[string]any{"results": results}
	}
	return map[string]string{"fault": "unknown op " + o.Op}
}
