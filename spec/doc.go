// Package spec holds the words of the house: a tool file read with its positions, the schema of its input, one
// use of a tool, its result, and what can be wrong with each.
//
// It is the ground floor: it opens no file, starts no goroutine and knows nothing of executors. A tool file is read
// by [Parse]; what is wrong with it comes back as [Diagnostics], complete and sorted, each with its place. What is
// wrong with a call is an [*Error]. Everything above combines these words and adds none.
package spec
