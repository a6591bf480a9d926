// Package telemetry tells Prometheus how the files of a registry stand and what calls of its tools come to.
//
// How things stand is read from the registry's snapshot, and from those who watch directories, at the moment of a
// scrape: there is nothing to keep in step. Calls are counted as they end, by [Metrics.Observe]. Labels hold names of
// tools, files and directories, and codes; never what went into a call or came out, and never a name that no tool has.
package telemetry
