// Package stage is what stands between a server and a program that it confines: this program once more, started under the
// name [Name], which confines itself and then becomes the program, or its parent.
//
// It stands on the ground floor, below all that this program is made of, because a stage begins while its packages are
// initialised, long before main, and the first of them should be this one: a start then costs a millisecond and not ten.
// That a program can be started so follows from importing the package; there is nothing to register and nothing to call.
package stage

// Name is the first argument of a stage, by which it is known. What follows are the arguments of the program.
const Name = "toolspec-sandbox"

// Descriptor is that of the socket over which a stage is told what to do, and says how it went.
const Descriptor = 3

// Order is what a stage is told: one JSON object, of which an uint32 of the machine's byte order says how long it is.
type Order struct {
	Program    string   // absolute; empty: confine, start nothing, and say that it would have been started
	Dir        string   // where the program starts, whether or not it can see anything there
	Namespaces bool     // the stage is the first process of namespaces of its own, and stays to wait for the program
	Root       bool     // only what is granted exists
	Network    bool     // the program has the network
	Read       []string // paths that it may read, and execute; none leads over a link, or it is not granted
	Write      []string // paths that it may write, and read
	Links      []string // links that lead to what is granted
}

// What a stage says is one byte, and what belongs to it.
const (
	SaysStarted = 's' // the program is about to start; what follows is another message, or the end where it did
	SaysFault   = 'f' // JSON of a Fault: the program does not run
	SaysEnded   = 'e' // an uint32, the program's wait status: it, and all that it left, is about to be gone
)

// Fault is why a program was not started.
type Fault struct {
	What  string // what was being done; empty: starting the program itself
	Errno int
}
