package exec

// StandardKinds are the kinds of this package, in a map of the caller's own.
func StandardKinds() Kinds {
	return Kinds{
		"command":  newCommand,
		"expr":     newExpr,
		"func":     newFunc,
		"http":     newHTTP,
		"pipeline": newPipeline,
	}
}
