// Package serve offers a registry to programs: over plain HTTP here, over MCP in mcpserver. What Prometheus
// is told of it is in telemetry.
//
// [Handler] answers the HTTP API from the registry's snapshot of the moment; every call sees one snapshot from start
// to end. [Listen] and [Run] put it on a socket of this machine. What a tool does wrong is a result, answered with
// 200; the statuses of HTTP are for requests that never reached a tool.
package serve
