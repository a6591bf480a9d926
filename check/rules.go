package check

import "slices"

// Rules are all rules, in the order in which the README describes them: those of this package, then those found where
// files are read and compiled.
func Rules() []Rule {
	return slices.Concat(
		descriptionRules(),
		nameRules(),
		costRules(),
		useRules(),
		readingRules(),
	)
}
