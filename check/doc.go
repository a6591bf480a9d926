// Package check judges tool files without serving them: by rules that say what a file could do better, one problem at its
// line each, and by the tests that stand in the files.
//
// What keeps a file from being used is said where it is read and compiled, by packages spec and exec. The rules here add
// judgement: a [Rule] looks at one [File], or at all files of a directory together. [Lint] runs them and heeds the comments
// with which an author allows what a rule is against. [Tests] runs the tests, with stubs in place of the world; a [Recording]
// makes one of a real call. This package reads no directory: its caller has the files.
package check
