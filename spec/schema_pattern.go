package spec

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// maxPrograms is how many steps the patterns of one schema may come to, which is what they hold of memory: one of a few
// characters that repeats what repeats, (a{1,30}){1,30}, is 900 of them.
const maxPrograms = 100_000

// pattern compiles a regular expression as Go does, whose time is linear whatever the text.
func (r *schemaReader) pattern(s Section, text string) *regexp.Regexp {
	if r.programs > maxPrograms {
		return nil // which is said
	}
	if tree, err := syntax.Parse(text, syntax.Perl); err == nil {
		if r.programs += programSize(tree); r.programs > maxPrograms {
			r.fault(s, "the patterns of a schema come to at most 100,000 steps, what repeats counted as often as it may; this one goes beyond")
			return nil
		}
	}
	re, err := regexp.Compile(text)
	if err == nil {
		return re
	}
	r.fault(s, "the pattern %s cannot be used: %s (patterns are RE2: no lookaround, no backreferences)",
		shownValue(text), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	return nil
}

// programSize is about how many steps a regular expression is compiled into.
func programSize(tree *syntax.Regexp) int {
	size := 1 + len(tree.Rune)/8 // of a class: ranges
	for _, inner := range tree.Sub {
		size += programSize(inner)
	}
	if tree.Op == syntax.OpRepeat {
		size *= max(tree.Min, tree.Max, 1)
	}
	return min(size, 2*maxPrograms)
}
