// Package promise holds what each level of a sandbox promises, and tries to break it: each promise has an attack, a few lines
// that do what a confined program must not be able to do. An attack that fails says something only where it succeeds
// without a sandbox, so it is tried there first.
//
//	report := promise.Check(sandbox.New(), []string{"/proc/self/exe", "doctor", "--attack"})
//
// The attacks run in this program itself, started once more with those arguments: there it calls [Attack].
package promise
