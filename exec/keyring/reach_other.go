//go:build darwin || windows

package keyring

// reachable is so on every system that has a keyring of its own.
func reachable() error { return nil }
