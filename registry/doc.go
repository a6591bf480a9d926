// Package registry holds the set of tools at one moment: an immutable [Snapshot], swapped whole, never locked by a
// reader. Whoever has tools puts them in as a source; sources rank in the order they were first mentioned, and the
// earlier wins a name.
//
// A writer hands over what changed ([Source.Update]) or all it has ([Registry.Replace]); the registry decides whose
// each name is, builds the next snapshot if anything differs, stores one pointer, and tells subscribers what changed.
// A call that was admitted to one snapshot stays with it, whatever happens to the files meanwhile.
package registry
