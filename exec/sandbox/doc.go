// Package sandbox confines the programs that tools run, on Linux: by Landlock, by namespaces, and by a filter of system
// calls. It is what [exec.Env.Sandbox] wants:
//
//	env := &exec.Env{Sandbox: sandbox.New()}
//
// A confined program is started by way of this program itself, see package stage: importing this package is what
// makes that work, in any program.
package sandbox
