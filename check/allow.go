package check

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

// allowName is the name of the rule about comments that allow something.
const allowName = "allow"

// allowRules are about the comments with which an author allows what a rule is against.
func allowRules() []Rule {
	return []Rule{{
		Name: allowName, Severity: spec.SeverityWarning,
		Doc: "A comment # toolspec:allow RULE REASON that allows nothing: without a reason, written otherwise (toolspec: allow, toolspec:ignore), of a rule that there is not, or where the rule finds nothing. Errors cannot be allowed, " +
			"nor can this.",
		Bad: "timeout: 5s # toolspec:allow tokens", Good: "# toolspec:allow tokens every field is asked for by the form",
	}}
}

// allowance is a comment that allows what a rule is against.
type allowance struct {
	at    spec.Pos
	rule  string
	why   string
	line  int  // that it speaks of
	whole bool // it speaks of the whole file
	odd   bool // it is written otherwise than # toolspec:allow
	used  bool
}

// allowComment is such a comment, and one that is meant to be.
var allowComment = regexp.MustCompile(`(?:^|[ \t])(#[ \t]*(?i:toolspec[ \t]*:[ \t]*(?:allow\w*|alow|ignore|disable|nolint|skip)))(?:[ \t]+(\S+))?(?:[ \t]+(\S.*?))?[ \t\r]*$`)

// maxAllowances is how many of such comments one file has at most; more are not looked at.
const maxAllowances = 50

// allowances are the comments of a file that allow something. The characters of such a comment may also stand in a text: what is a
// comment can be taken away, and the file says the same.
func allowances(f *File) []allowance {
	if f.Spec == nil || !bytes.Contains(bytes.ToLower(f.Source), []byte("toolspec")) {
		return nil
	}
	lines := strings.Split(string(f.Source), "\n")
	said := f.Spec.Root().JSON()
	var found []allowance
	for i, line := range lines {
		m := allowComment.FindStringSubmatchIndex(line)
		if m == nil || len(found) == maxAllowances {
			continue
		}
		without := slices.Clone(lines)
		without[i] = line[:m[2]]
		if root, _ := spec.ReadDocument(f.Path, []byte(strings.Join(without, "\n"))); root.IsZero() || !bytes.Equal(root.JSON(), said) {
			continue
		}
		a := allowance{at: spec.Pos{File: f.Path, Line: i + 1, Column: 1 + utf8.RuneCountInString(strings.TrimPrefix(line[:m[2]], "\uFEFF"))}, line: i + 1}
		a.odd = strings.TrimLeft(line[m[2]+1:m[3]], " \t") != "toolspec:allow"
		if m[4] >= 0 {
			a.rule = line[m[4]:m[5]]
		}
		if m[6] >= 0 {
			a.why = line[m[6]:m[7]]
		}
		if strings.TrimSpace(strings.TrimPrefix(line[:m[2]], "\uFEFF")) == "" {
			a.line = 1 + below(lines, i)
			a.whole = i+1 < f.Spec.Root().Pos().Line
		}
		found = append(found, a)
	}
	return found
}

// below is the next line that says something; comments that stand together speak of the same.
func below(lines []string, i int) int {
	for i++; i < len(lines); i++ {
		if text := strings.TrimSpace(lines[i]); text != "" && text[0] != '#' {
			return i
		}
	}
	return len(lines)
}

// allow takes out what the comments of the files allow, and says of those that allow nothing.
func (o Options) allow(files []*File, ds spec.Diagnostics, rules []Rule) spec.Diagnostics {
	for _, f := range files {
		all := allowances(f)
		if len(all) == 0 {
			continue
		}
		ds = slices.DeleteFunc(ds, func(d spec.Diagnostic) bool {
			allowed := false
			for i, a := range all {
				if d.File == f.Path && d.Severity != spec.SeverityError && a.why != "" && !a.odd && a.rule == d.Rule && (a.whole || a.line == d.Line) {
					all[i].used, allowed = true, true
				}
			}
			return allowed
		})
		for _, a := range all {
			if fault := o.fault(a, rules, f); fault != "" {
				ds = append(ds, spec.Diagnostic{Pos: a.at, Severity: spec.SeverityWarning, Rule: allowName, Message: fault})
			}
		}
	}
	return ds
}

// fault is what is wrong with a comment that allows something; empty if nothing is.
func (o Options) fault(a allowance, rules []Rule, f *File) string {
	all := AllRules()
	at := slices.IndexFunc(all, func(r Rule) bool { return r.Name == a.rule })
	switch {
	case a.odd:
		return "this allows nothing; write # toolspec:allow, a rule, and a reason"
	case a.rule == "":
		return "want a rule and a reason, such as # toolspec:allow tokens every field is needed"
	case a.rule == allowName:
		return "nothing allows a comment that allows nothing; take it away"
	case at < 0:
		return unknownRule(a.rule, all)
	case a.why == "":
		return "want a reason after the rule, such as # toolspec:allow " + a.rule + " every field is needed; without one it allows nothing"
	case a.used || f.Tool == nil || all[at].Name == "unavailable":
		return ""
	case all[at].Severity == spec.SeverityError:
		return a.rule + " is an error, which nothing allows"
	case !o.runs(all[at], rules):
		return ""
	case a.whole:
		return a.rule + " finds nothing in this file; take the comment away"
	}
	return a.rule + " finds nothing in the line that this comment speaks of; take it away"
}

func unknownRule(name string, all []Rule) string {
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.Name
	}
	if near := spec.Nearest(name, names); near != "" {
		return "there is no rule " + name + "; did you mean " + near + "?"
	}
	return "there is no rule " + name + "; an error cannot be allowed"
}

// runs tells whether a rule had the chance to find something.
func (o Options) runs(r Rule, rules []Rule) bool {
	if r.Check == nil && (r.CheckAll != nil || r.Name == "name-alike") && !o.Together {
		return false
	}
	return slices.ContainsFunc(rules, func(run Rule) bool { return run.Name == r.Name })
}
