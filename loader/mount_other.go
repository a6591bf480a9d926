//go:build !linux

package loader

// silent is not known here.
func silent(string) string { return "" }
