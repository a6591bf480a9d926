package check

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// argvRules are about what a program makes of its arguments.
func argvRules() []Rule {
	return []Rule{{
		Name: "option-like", Severity: spec.SeverityWarning,
		Doc: "An argument whose first character a call decides may start with - and would be read as an option: such a call is refused, and the model " +
			"learns it too late. Put a literal -- before it, write an option and its value as one (--author=…), or give the field a pattern that no - starts " +
			"(^[^-]). Numbers, values of an enum, and formats such as date cannot start so, or do no harm.",
		Bad:   "argv: [cat, '${input.path}']",
		Good:  "argv: [cat, --, '${input.path}']",
		Check: optionLike,
	}}
}

func optionLike(f *File, report Report) {
	if f.Tool == nil {
		return
	}
	for _, argument := range f.Tool.OptionLike() {
		if !neverDash(f, argument.Value) {
			report(argument.Pos, "%s may start with - here, and be refused as an option; put -- before it, write an option and its value as one "+
				"(--option=…), or give the field a pattern such as '^[^-]'", startingField(argument.Value))
		}
	}
}

var firstField = regexp.MustCompile(`^-?\$\{\s*(input((?:\.\w+)+))\s*\}`)

// startingField names what an argument starts with.
func startingField(argument string) string {
	if m := firstField.FindStringSubmatch(argument); m != nil {
		return m[1]
	}
	return "this argument"
}

// dashless are the formats whose texts start with no dash.
var dashless = []string{"date", "date-time", "time", "uuid", "ipv4", "ipv6", "uri", "hostname"}

// neverDash tells whether the field that an argument starts with refuses texts that start with a dash.
func neverDash(f *File, argument string) bool {
	m := firstField.FindStringSubmatch(argument)
	if m == nil || argument[0] == '-' {
		return false
	}
	field := f.Spec.InputSchema()
	for _, name := range strings.Split(m[2], ".")[1:] {
		if field = field.Get("properties").Get(name); field.IsZero() {
			return false
		}
	}
	for _, s := range []spec.Section{field, field.Get("items")} { // a list repeats its entry
		if slices.Contains(dashless, textOf(s.Get("format"))) {
			return true
		}
		if pattern, err := syntax.Parse(textOf(s.Get("pattern")), syntax.Perl); err == nil && startsWithout(pattern.Simplify(), '-') {
			return true
		}
	}
	return false
}

// startsWithout tells whether every text that a pattern matches starts with another character than c.
func startsWithout(re *syntax.Regexp, c rune) bool {
	if re.Op == syntax.OpCapture {
		return startsWithout(re.Sub[0], c)
	}
	if re.Op == syntax.OpAlternate {
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !startsWithout(sub, c) })
	}
	return re.Op == syntax.OpConcat && len(re.Sub) > 1 && re.Sub[0].Op == syntax.OpBeginText && beginsOther(re.Sub[1], c)
}

// beginsOther tells whether what a pattern matches is not empty and does not begin with c.
func beginsOther(re *syntax.Regexp, c rune) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return re.Rune[0] != c
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= c && c <= re.Rune[i+1] {
				return false
			}
		}
		return true
	case syntax.OpPlus, syntax.OpCapture, syntax.OpConcat:
		return beginsOther(re.Sub[0], c)
	case syntax.OpRepeat:
		return re.Min > 0 && beginsOther(re.Sub[0], c)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !beginsOther(sub, c) })
	}
	return false
}
