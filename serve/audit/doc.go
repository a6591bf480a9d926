// Package audit keeps a record of calls: one JSON line for each in a file, of who asked for which version of which tool, whether that was
// allowed, and what came of it; and one for each tool that begins to wait for approval. Nothing of what went into a call or came
// out stands there.
//
// [Trail.Admit] and [Trail.Observe] are those of the [exec.Env] that tools are compiled with. A call whose line could not be written is
// answered with an error, and none is begun before it was: what is not on record does not happen twice.
package audit
