package check

import "slices"

// Rules are all rules, in the order in which the README describes them: those of this package, then those found where
// files are read and compiled.
func Rules() []Rule {
	return slices.Concat(
		descriptionRules(),
		nameRules(),
		alikeRules(),
		textRules(),
		secretRules(),
		costRules(),
		defaultRules(),
		scalarRules(),
		argvRules(),
		scratchRules(),
		foreignRules(),
		toxicRules(),
		useRules(),
		allowRules(),
		readingRules(),
	)
}

// AllRules are the rules, and those of all providers, which run where they are asked for.
func AllRules() []Rule { return append(Rules(), providerRules(Providers())...) }
