package exec

import "github.com/toolspec/toolspec/spec"

// StandardKinds are the kinds of this package, in a map of the caller's own.
func StandardKinds() Kinds {
	return Kinds{
		"command":  {"Runs a program of this machine, without a shell; or, with shell, a text for sh.", commandConfig{}, newCommand},
		"expr":     {"One expression, whose value is the tool's.", spec.Text{}, newExpr},
		"func":     {"The name of a Go function that this program has registered.", spec.Text{}, newFunc},
		"http":     {"Makes one HTTP request and reads its answer.", httpConfig{}, newHTTP},
		"pipeline": {"Steps that run one after the other; the value is that of the last one that ran.", steps{}, newPipeline},
	}
}
