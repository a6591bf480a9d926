// Package registry holds the set of tools at one moment: an immutable [Snapshot], swapped whole, never locked by a
// reader. Whoever has tools puts them in as a source; sources rank in the order they were added, and the earlier wins
// a name.
package registry
