// Package mcpserver serves a registry over MCP, on stdio and on streamable HTTP, with the official SDK.
//
// tools/list and tools/call are answered from the registry's snapshot of the moment, so there is no second set of tools
// to keep true. Because the SDK does more for a call than to call (result types and input requests of 2026-07-28), calls
// go on through it under the name of one placeholder tool, the real name in the context.
package mcpserver
