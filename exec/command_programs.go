package exec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// runner is a program that runs the one its arguments name.
type runner struct {
	operand int    // which operand is the program, from 1
	takes   string // letters of the options whose argument is the next one
	assigns bool   // NAME=VALUE before the program is no operand
}

var runners = map[string]runner{
	"env":  {operand: 1, takes: "uC", assigns: true},
	"sudo": {operand: 1, takes: "CDghpRrTtUu", assigns: true},
	"doas": {operand: 1, takes: "aCu"}, "nice": {operand: 1, takes: "n"}, "nohup": {operand: 1}, "setsid": {operand: 1},
	"time": {operand: 1, takes: "fo"}, "timeout": {operand: 2, takes: "ks"}, "stdbuf": {operand: 1, takes: "eio"},
	"xargs": {operand: 1, takes: "adEILnPs"}, "ionice": {operand: 1, takes: "cn"}, "chrt": {operand: 2, takes: "DPT"},
	"taskset": {operand: 2}, "flock": {operand: 2, takes: "Ew"}, "chroot": {operand: 2}, "gosu": {operand: 2},
	"busybox": {operand: 1}, "tini": {operand: 1}, "dumb-init": {operand: 1}, "caffeinate": {operand: 1, takes: "tw"},
	"strace": {operand: 1, takes: "aEeIoPpsSuX"}, "ltrace": {operand: 1, takes: "aAeFlnopsuwx"},
	"sshpass": {operand: 1, takes: "dfpP"}, "parallel": {operand: 1, takes: "aIjLnNPS"}, "systemd-run": {operand: 1, takes: "EHMpu"},
}

// checkPrograms refuses a template that would choose the program which a wrapper runs: argv[0] is literal, and so is
// what stands in its place.
func checkPrograms(args []argument) spec.Diagnostics {
	var ds spec.Diagnostics
	for i, a := range args[:max(len(args)-1, 0)] {
		if option, ok := a.text.literal(); ok && programName(firstLiteral(args)) == "find" && slices.Contains(findRuns, option) {
			ds = append(ds, checkProgram("find "+option, args[i+1])...)
		}
	}
	for len(args) > 0 {
		name := programName(firstLiteral(args))
		r, ok := runners[name]
		if !ok {
			return ds
		}
		i := r.program(args[1:])
		if i < 0 {
			return ds
		}
		ds = append(ds, checkProgram(name, args[1+i])...)
		args = args[1+i:]
	}
	return ds
}

var findRuns = []string{"-exec", "-execdir", "-ok", "-okdir"}

func checkProgram(by string, a argument) spec.Diagnostics {
	if a.text.isLiteral(true) {
		return nil
	}
	return spec.Diagnostics{a.at.Errorf("code", "a template must not name the program that %s runs: write its name, or let the input choose among those of an enum", by)}
}

// program is the index of the argument that names the program; -1 if there is none.
func (r runner) program(args []argument) int {
	operands, skip, closed := 0, false, false
	for i, a := range args {
		text, isLiteral := a.text.prefix()
		isOption := !closed && len(text) > 1 && text[0] == '-'
		switch {
		case skip:
			skip = false
		case isOption && text == "--" && isLiteral:
			closed = true
		case isOption && strings.HasPrefix(text, "--"):
			skip = isLiteral && slices.Contains(valuedOptions, text)
		case isOption:
			skip = isLiteral && strings.ContainsRune(r.takes, rune(text[len(text)-1])) && !strings.ContainsAny(text[1:len(text)-1], r.takes)
		case r.assigns && strings.Contains(text, "="):
		default:
			if operands++; operands == r.operand {
				return i
			}
		}
	}
	return -1
}

// splitStrings takes the text of env -S apart, as env does: what follows it are arguments of the program in it.
func splitStrings(args []argument) []argument {
	var split []argument
	for i, a := range args {
		text, isLiteral := a.text.literal()
		before := ""
		if i > 0 {
			before, _ = args[i-1].text.literal()
		}
		attached, isAttached := strings.CutPrefix(strings.Replace(text, "--split-string=", "-S", 1), "-S")
		switch {
		case !isLiteral || programName(firstLiteral(args)) != "env":
		case isAttached && attached != "":
			split = append(split, words(a, attached)...)
			continue
		case before == "-S" || before == "--split-string":
			split = append(split, words(a, text)...)
			continue
		}
		if !isAttached || attached != "" || !isLiteral || i+1 == len(args) || !args[i+1].text.isLiteral(false) {
			split = append(split, a)
		}
	}
	return split
}

func words(a argument, text string) []argument {
	var list []argument
	for word := range strings.FieldsSeq(text) {
		list = append(list, argument{at: a.at, text: &Template{parts: []part{{literal: strings.Trim(word, `"'`)}}}})
	}
	return list
}

// commandOption is the start of an argument whose rest is a command, or a file of them, whatever the program.
var commandOption = regexp.MustCompile(`(?i)^(?:--checkpoint-action=exec|--to-command=|--use-compress-program=|--rsh=|--rsync-path=|--upload-pack=|--receive-pack=|` +
	`--open-files-in-pager=|--info-script=|--new-volume-script=|(?:-o *)?(?:Proxy|Local|KnownHosts|Remote)Command[ =])`)

// gitRuns are git's settings whose value is a command, or leads to one.
var gitRuns = regexp.MustCompile(`(?i)^(?:alias|include|includeIf|remote)\.|(?:pager|editor|sshcommand|fsmonitor|hookspath|helper|external|cmd|command|textconv|program|gitproxy|clean|smudge|process|askpass|driver)=`)

// gitValued are git's own options whose argument is the next one.
var gitValued = []string{"-c", "-C", "--git-dir", "--work-tree", "--namespace", "--config-env"}

// checkCommandOptions refuses templates in options that carry a command past all looking at interpreters.
func checkCommandOptions(args []argument) spec.Diagnostics {
	var ds spec.Diagnostics
	before, isGit := "", programName(firstLiteral(args)) == "git"
	for _, a := range args {
		prefix, isLiteral := a.text.prefix()
		_, _, named := strings.Cut(prefix, "=")
		switch {
		case a.text.isLiteral(true):
		case commandOption.MatchString(prefix):
			ds = append(ds, a.at.Errorf("code", "a template must not stand in %s: what it holds is run as a command; hand the value over by env or stdin", prefix))
		case isGit && before == "-c" && (!named || gitRuns.MatchString(prefix)):
			ds = append(ds, a.at.Errorf("code", "a template must not stand in this setting of git, which may name a command; write the setting's name, one that runs nothing: [git, -c, 'user.name=${input.x}', …]"))
		}
		if !slices.Contains(gitValued, before) && prefix != "" && prefix[0] != '-' && programName(prefix) != "git" {
			isGit = false // behind the subcommand -c is another option
		}
		before = ""
		if isLiteral {
			before = prefix
		}
	}
	return ds
}

// isLiteral tells whether no input writes a part of the template: it has no slots, or closed ones if those are fine.
func (t *Template) isLiteral(closedIsFine bool) bool {
	return !slices.ContainsFunc(t.parts, func(p part) bool { return p.expr != nil && (!closedIsFine || !p.expr.isClosed()) })
}
