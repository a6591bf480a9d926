// Package loader keeps a registry true to a directory of tool files. Events are hints, the directory is the truth: the
// first load, a reload and the scan that looks again every 30 seconds are the same steps.
//
//	find     which files are there, and whose bytes differ from what was read last; only what stands still counts
//	apply    parse and compile those, keep the last good version of what is broken, hand all to the registry at once
//
// [Load] does it once, for any file system. A [Loader] does it for a directory, and again whenever the directory
// changes: [Loader.Run] watches, waits until what changes has settled, and looks at the paths that events named, or at
// everything when in doubt.
package loader
