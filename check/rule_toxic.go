package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// toxicRules are about what tools can do, one alone or several together.
func toxicRules() []Rule {
	return []Rule{
		{
			Name: "hint-disagrees", Severity: spec.SeverityWarning,
			Doc: "Clients go by the annotations when they ask a person or do not, and the executor does something else: readOnlyHint: true beside destructiveHint: true, beside PUT, PATCH or " +
				"DELETE, beside a program that writes (rm, mv, cp, tee, git commit, …), or beside a shell text that redirects into a file (one whose cwd is dir.scratch may); openWorldHint: false beside a request to another host.",
			Bad:   "annotations: {readOnlyHint: true}    executor: {http: {method: DELETE, …}}",
			Good:  "annotations: {destructiveHint: true}    executor: {http: {method: DELETE, …}}",
			Check: hintsDisagree,
		},
		{
			Name: "destructive", Severity: spec.SeverityWarning,
			Doc: "A tool that destroys says so, and clients ask a person first. Destroying is: the method DELETE; rm, rmdir, shred, dd, mkfs, truncate, git push --force, git reset --hard, " +
				"git clean, and delete, destroy, drop, prune or purge as a word of the command; the same in a shell text. What counts as saying so is destructiveHint, true or false, or confirm.",
			Bad:   "executor: {command: {argv: [rm, -r, --, '${input.path}']}}",
			Good:  "annotations: {destructiveHint: true}    executor: {command: {argv: [rm, -r, --, '${input.path}']}}",
			Check: destroysSilently,
		},
		{
			Name: "credential-anywhere", Severity: spec.SeverityWarning,
			Doc: "A request whose host the input chooses (url: ${input.url}) carries a credential (auth, or a header or query parameter such as Authorization, Cookie, X-Api-Key or token): " +
				"who talks to the model chooses who gets it. Write the host in the file.",
			Bad:   "http: {url: '${input.url}', headers: {Authorization: 'Bearer ${secret.TOKEN}'}}",
			Good:  "http: {url: 'https://api.example.com/${input.path}', headers: {Authorization: 'Bearer ${secret.TOKEN}'}}",
			Check: credentialAnywhere,
		},
		{
			Name: "toxic-set", Severity: spec.SeverityInfo,
			Doc: "Three tools of a directory that are harmless alone: one reads what is private (a command, or a request with a credential), one takes in what strangers wrote (a request to a host that is " +
				"not this machine's, or openWorldHint: true), and one can send (a request whose host the input chooses or whose method is not GET or HEAD, or openWorldHint: true without readOnlyHint: true). A text from outside can then have " +
				"a model read the private and send it away. This is a note: nothing is wrong with a file, but who offers all three to one agent should want to, and have a person asked.",
			Bad:      "read_lines, fetch_url and post_message in one directory",
			Good:     "read_lines in one directory; fetch_url and post_message in another, for another agent",
			CheckAll: toxicSet,
		},
	}
}

// writers are programs that change files, and subcommands that do.
var (
	writers     = []string{"rm", "rmdir", "mv", "cp", "dd", "tee", "truncate", "shred", "mkdir", "touch", "chmod", "chown", "ln", "install", "mkfs", "kill", "pkill", "killall", "unlink"}
	gitWriters  = []string{"push", "commit", "reset", "checkout", "switch", "restore", "clean", "rm", "mv", "merge", "rebase", "add", "pull", "stash", "cherry-pick", "revert"}
	destroyers  = []string{"rm", "rmdir", "shred", "dd", "mkfs", "truncate", "unlink"}
	destruction = []string{"delete", "destroy", "drop", "prune", "purge"}
	readers     = []string{"echo", "printf", "cat", "grep", "egrep", "fgrep", "rg", "sed", "awk", "tr", "jq", "head", "tail", "test", "["}
)

var (
	shellWrite    = regexp.MustCompile(`(^|[^0-9&>-])>{1,2}\s*[^\s&>|]`)
	shellNowhere  = regexp.MustCompile(`[0-9&]?>{1,2}\s*(/dev/null|/dev/stderr|/dev/stdout|&[0-9-])`)
	shellComments = regexp.MustCompile(`(?m)(^|\s)#.*$`)
	shellQuoted   = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	shellWords    = regexp.MustCompile(`\b(if|then|elif|else|while|until|do|sudo|exec|xargs|time)\s`)
	shellCommand  = regexp.MustCompile(`(?m)(?:^|[;&|(])\s*([\w./\[-]+)(?:[ \t]+([^\n;&|]*))?`)
)

// runs are the commands of a command executor, each as program and words: one for argv, several for a shell text.
func (w work) runs() [][]string {
	if w.kind != "command" {
		return nil
	}
	if argv := w.argv(); len(argv) > 0 {
		for len(argv) > 1 && slices.Contains([]string{"sudo", "env", "nice", "timeout", "doas"}, argv[0]) {
			argv = argv[1:]
		}
		return [][]string{argv}
	}
	var all [][]string
	for _, m := range shellCommand.FindAllStringSubmatch(shellWords.ReplaceAllString(w.shell(), ";"), 200) {
		all = append(all, append([]string{m[1]}, strings.Fields(m[2])...))
	}
	return all
}

// shell is the shell text without comments, quoted texts, and what goes nowhere.
func (w work) shell() string {
	text := shellQuoted.ReplaceAllString(textOf(w.config.Get("shell")), "Q")
	return shellNowhere.ReplaceAllString(shellComments.ReplaceAllString(text, ""), " ")
}

func programOf(argv []string) string { return argv[0][strings.LastIndexByte(argv[0], '/')+1:] }

// writes says what of the work changes something; empty if nothing is known to.
func (w work) writes() string {
	switch method := w.method(); method {
	case "PUT", "PATCH", "DELETE":
		return "the method " + method
	}
	if strings.Contains(textOf(w.config.Get("cwd")), "dir.scratch") {
		return ""
	}
	for _, argv := range w.runs() {
		program := programOf(argv)
		if slices.Contains(writers, program) {
			return program
		}
		if program == "git" && len(argv) > 1 && slices.Contains(gitWriters, argv[1]) {
			return "git " + argv[1]
		}
	}
	if shellWrite.MatchString(w.shell()) {
		return "a shell text that redirects into a file"
	}
	return ""
}

// destroys says what of the work destroys something; empty if nothing is known to.
func (w work) destroys() string {
	if w.method() == "DELETE" {
		return "the method DELETE"
	}
	if strings.Contains(textOf(w.config.Get("cwd")), "dir.scratch") {
		return ""
	}
	for _, argv := range w.runs() {
		program := programOf(argv)
		words := argv[1:]
		switch {
		case slices.Contains(destroyers, program) && program != "dd" || program == "dd" && slices.ContainsFunc(words, func(s string) bool { return strings.HasPrefix(s, "of=") }):
			return program
		case program == "git" && len(words) > 0:
			if words[0] == "clean" || words[0] == "push" && (slices.Contains(words, "--force") || slices.Contains(words, "-f")) || words[0] == "reset" && slices.Contains(words, "--hard") {
				return "git " + words[0]
			}
			continue
		}
		for _, word := range words[:min(3, len(words))] {
			if slices.Contains(destruction, strings.ToLower(word)) && !slices.Contains(readers, program) {
				return program + " " + word
			}
		}
	}
	return ""
}

func isTrue(b *bool) bool { return b != nil && *b }

func hintsDisagree(f *File, report Report) {
	hints, at := f.Spec.Annotations, f.Spec.Root().Get("annotations")
	if isTrue(hints.ReadOnly) && isTrue(hints.Destructive) {
		report(at.Get("destructiveHint").Pos(), "annotations: readOnlyHint and destructiveHint are both true; want at most one")
	}
	for _, w := range works(f) {
		if what := w.writes(); what != "" && isTrue(hints.ReadOnly) {
			report(at.Get("readOnlyHint").Pos(), "annotations.readOnlyHint: true, but %s changes something (line %d)", what, w.config.Pos().Line)
		}
		if host := w.otherHost(); host != "" && hints.OpenWorld != nil && !*hints.OpenWorld {
			report(at.Get("openWorldHint").Pos(), "annotations.openWorldHint: false, but a request goes to %s (line %d)", host, w.config.Get("url").Pos().Line)
		}
	}
}

var urlHost = regexp.MustCompile(`^https?://([^/?#:]+|\[[^\]]*\])`)

// otherHost is the host of an http request that is not this machine; empty for another work.
func (w work) otherHost() string {
	if w.hostFromInput() {
		return "where the input says"
	}
	m := urlHost.FindStringSubmatch(textOf(w.config.Get("url")))
	if w.kind != "http" || m == nil || strings.Contains(m[1], "${") || m[1] == "localhost" || m[1] == "[::1]" || strings.HasPrefix(m[1], "127.") {
		return ""
	}
	return m[1]
}

func destroysSilently(f *File, report Report) {
	if f.Spec.Annotations.Destructive != nil || !f.Spec.Root().Get("confirm").IsZero() {
		return
	}
	for _, w := range works(f) {
		if what := w.destroys(); what != "" {
			report(w.config.Pos(), "%s: %s destroys something, and nothing says so; write annotations: {destructiveHint: true}, so that clients ask first", w.config.Path(), what)
			return
		}
	}
}

// carriesCredential is where a request has a credential; absent if it has none.
func (w work) carriesCredential() spec.Section {
	if auth := w.config.Get("auth"); !auth.IsZero() {
		return auth
	}
	for _, part := range []string{"headers", "query"} {
		for _, f := range w.config.Get(part).Fields() {
			if secretKey.MatchString(f.Key.Value) {
				return f.Value
			}
		}
	}
	return spec.Section{}
}

func credentialAnywhere(f *File, report Report) {
	for _, w := range works(f) {
		if at := w.carriesCredential(); w.hostFromInput() && !at.IsZero() {
			report(at.Pos(), "%s: the input chooses the host that gets this credential; write the host in the file", at.Path())
		}
	}
}

func toxicSet(files []*File, report Report) {
	var private, foreign, way *File
	for _, f := range files {
		if f.Tool == nil {
			continue
		}
		hints := f.Spec.Annotations
		takes, sends := isTrue(hints.OpenWorld), isTrue(hints.OpenWorld) && !isTrue(hints.ReadOnly)
		reads := false
		for _, w := range works(f) {
			reads = reads || w.kind == "command" || !w.carriesCredential().IsZero()
			takes = takes || w.otherHost() != ""
			sends = sends || w.hostFromInput() || w.otherHost() != "" && w.method() != "GET" && w.method() != "HEAD"
		}
		for _, role := range []struct {
			plays bool
			by    **File
		}{{reads, &private}, {takes, &foreign}, {sends, &way}} {
			if role.plays && *role.by == nil {
				*role.by = f
			}
		}
	}
	if private != nil && foreign != nil && way != nil {
		report(way.Spec.Pos, "together: %s reads what is private, %s takes in what strangers wrote, %s can send it away", private.Spec.Name, foreign.Spec.Name, way.Spec.Name)
	}
}
