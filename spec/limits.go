package spec

// What one tool file may hold. Checked before and while it is read, so that no file costs more than a moment.
const (
	MaxFileBytes = 256 << 10 // bytes of one file
	MaxDepth     = 100       // maps and lists within each other in a file
	MaxKeys      = 2_000     // keys of one map in a file
	MaxNodes     = 20_000    // scalars, maps and lists of a file, aliases counted as often as they are used
	MaxSchemas   = 2_500     // schemas within each other in one schema: the library's work grows with their square
	MaxDigits    = 1_000     // digits of one number, in files and in inputs
	MaxExponent  = 400       // size of a number's exponent, in files and in inputs
)

// What one input may hold.
const (
	MaxInputBytes = 1 << 20
	MaxInputDepth = 500
)
