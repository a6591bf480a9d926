package check

import "github.com/toolspec/toolspec/spec"

// readingRules are the warnings found where files are read and compiled, and where a directory's tools are put together.
func readingRules() []Rule {
	return []Rule{
		{
			Name: "may-be-null", Severity: spec.SeverityWarning,
			Doc: "A field that is neither required nor has a default may be null, and an expression computes with it. Asking first, as in " +
				"input.days ?? 3, a default, or required ends it.",
			Bad: "expr: input.days + 1", Good: "expr: (input.days ?? 3) + 1",
		},
		{
			Name: "field", Severity: spec.SeverityWarning,
			Doc: "An expression reads a field that is not declared but nearly: the object is open, so it may be there, and is more likely a slip.",
			Bad: "expr: input.where.ctiy", Good: "expr: input.where.city",
		},
		{
			Name: "schema", Severity: spec.SeverityWarning,
			Doc: "A key of a schema says nothing, in this draft or in any, but looks as if it were meant.",
			Bad: "inputSchema: {requried: [city], …}", Good: "inputSchema: {required: [city], …}",
		},
		{
			Name: "secret-in-argv", Severity: spec.SeverityWarning,
			Doc: "A secret is an argument of a program. Other users of the machine can see arguments; env and stdin are the program's own.",
			Bad: "argv: [curl, -u, '${secret.T}', …]", Good: "argv: [tool, login], stdin: '${secret.T}'",
		},
		{
			Name: "retry", Severity: spec.SeverityWarning,
			Doc: "A request is to be made again, and successCodes takes every status for a success on which that would be done (429, 502, 503, 504): nothing is left " +
				"but a refused connection. Take them out of successCodes, or leave retry out.",
			Bad: "retry: {attempts: 3}, successCodes: [100-599]", Good: "retry: {attempts: 3}, successCodes: [200-404]",
		},
		{
			Name: "unavailable", Severity: spec.SeverityWarning,
			Doc: "What the tool requires is not on this machine: a program, a variable, an operating system. It speaks of the machine and not of the " +
				"file, so --strict does not mind it.",
			Bad: "requires: {commands: [no-such-program]}", Good: "requires: {commands: [git]}",
		},
		{
			Name: "name-alike", Severity: spec.SeverityWarning,
			Doc: "Two tools' names differ only in case or in - and _.",
			Bad: "name: city-days    beside city_days", Good: "name: city_days_past    beside city_days",
		},
	}
}
