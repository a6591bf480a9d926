package check

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// secretName is the name of the rule whose findings are never shown.
const secretName = "secret"

// secretRules are about what must not stand in a file.
func secretRules() []Rule {
	return []Rule{{
		Name: secretName, Severity: spec.SeverityWarning,
		Doc: "A credential in clear: a file is read, copied, committed and shared. Found are known forms (sk-…, ghp_…, github_pat_…, glpat-…, AKIA…, AIza…, xoxb-…, " +
			"npm_…, hf_…, SG.…, a JWT, a private key), Bearer and Basic with a literal behind them, a password in a URL (user:password@host, ?token=…), a literal " +
			"of eight characters or more under a key such as password, token or api_key, or behind an option or a variable of such a name (--token=…, TOKEN=…, X-Token: …), and texts of 32 to 200 letters and digits as random as a key. What is found is never " +
			"printed, nor the line that it stands on, nor by another message of the same file. Words such as example, changeme, xxx or <token> are no secrets.",
		Bad:   "headers: {Authorization: Bearer 0f2a…}",
		Good:  "headers: {Authorization: 'Bearer ${secret.TOKEN}'}",
		Check: reportSecrets,
	}}
}

// form is how a kind of secret is known. Its first group is the secret, if it has one.
type form struct {
	what    string
	pattern *regexp.Regexp
	loose   bool // words of any language may look like it
}

// credentialWord is what an option or a variable is called whose value is a secret.
const credentialWord = `(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key)`

// forms are those that are known wherever they stand.
var forms = []form{
	{"a private key", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----[^-]*`), false},
	{"a token of GitHub", regexp.MustCompile(`\b(?:gh[opusr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{22,})`), false},
	{"a token of GitLab", regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`), false},
	{"an access key of AWS", regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`), false},
	{"a token of Slack", regexp.MustCompile(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}`), false},
	{"a key of Google", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`), false},
	{"a key of Stripe", regexp.MustCompile(`\b[sr]k_(?:live|test)_[0-9A-Za-z]{16,}`), false},
	{"an API key", regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{20,}`), false},
	{"a token of npm", regexp.MustCompile(`\bnpm_[A-Za-z0-9]{30,}`), false},
	{"a token of Hugging Face", regexp.MustCompile(`\bhf_[A-Za-z0-9]{30,}`), false},
	{"a key of SendGrid", regexp.MustCompile(`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`), false},
	{"a JSON web token", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`), false},
	{"a bearer token", regexp.MustCompile(`(?i)\bbearer +([A-Za-z0-9._~+/-]{12,}=*)`), true},
	{"a user and password", regexp.MustCompile(`(?i)\bbasic +([A-Za-z0-9+/]{12,}={0,2})(?:$|[^A-Za-z0-9+/ ])`), true},
	{"a password in a URL", regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://[^\s/:@'"]*:([^\s/@'"]{3,})@`), true},
	{"a credential in a command line", regexp.MustCompile(`(?i)(?:^|[\s'"])(?:--?[a-z0-9_-]*?` + credentialWord + `[= ]|[a-z0-9_]*?` + credentialWord + `=|^[a-z0-9-]*` + credentialWord + `: *)['"]?([^\s'"$<{(&]{8,})`), true},
	{"a credential in a URL", regexp.MustCompile(`(?i)[?&;](?:password|passwd|pwd|token|access_token|auth_token|api_?key|apikey|client_secret|secret)=([^&\s'"<>]{6,})`), true},
}

// secretKey is the name of a key whose value is a secret.
var secretKey = regexp.MustCompile(`(?i)(^|[_.\s-]|[a-z])(password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|authorization|cookie|credentials?)$`)

// randomWord is a run of characters that a key could be.
var randomWord = regexp.MustCompile(`[A-Za-z0-9+/_=-]{32,}`)

// placeholder is a value that stands for a secret, and is none.
var placeholder = regexp.MustCompile(`(?i)^$|\bsecret:|\$\{|\$[A-Z_]+|^[<\[{(].*[>\]})]$|x{3,}|\*{3,}|\.{3}|…|example|sample|dummy|change_?me|placeholder|your|^some-|^(my[_-]?)?(password|passwd|pass|secret|token|pwd|key)$`)

// blank is a value of a known form that is but the form.
var blank = regexp.MustCompile(`(?i)x{6,}|\*{3,}|\.{3}|…`)

// secretFound is a secret that stands in a file.
type secretFound struct {
	at         spec.Pos
	path, what string
	value      string
}

func reportSecrets(f *File, report Report) {
	for _, s := range f.secrets {
		report(s.at, "%s: what looks like %s stands here in clear; write ${secret.NAME} in its place: a file is read, copied and shared", s.path, s.what)
	}
}

// findSecrets finds those that stand in a file; of one that cannot be read, those of a form that is known wherever it stands.
func findSecrets(f *File) []secretFound {
	var found []secretFound
	if f.Spec == nil {
		for i, line := range strings.Split(string(f.Source), "\n") {
			for _, s := range secretsIn(line, "") {
				found = append(found, secretFound{spec.Pos{File: f.Path, Line: i + 1, Column: 1}, "", s.what, s.value})
			}
		}
		return found
	}
	option := "" // the text before, if it is an option
	eachText(f.Spec.Root(), func(text spec.Text, path string, isKey bool) {
		under := ""
		switch {
		case isKey:
		case strings.HasSuffix(path, "]") && option != "" && !strings.HasPrefix(text.Value, "-"):
			under = option
		default:
			under = keyOf(path)
		}
		if option = ""; !isKey && strings.HasPrefix(text.Value, "--") && strings.HasSuffix(path, "]") {
			option = text.Value
		}
		for _, s := range secretsIn(text.Value, under) {
			found = append(found, secretFound{text.At(s.from), path, s.what, s.value})
		}
	})
	return found
}

// keyOf is the name that says what the value at a path is: its key, and of a default the field's.
func keyOf(path string) string {
	path = strings.TrimSuffix(strings.TrimSuffix(path, ".default"), ".const")
	return path[strings.LastIndexByte(path, '.')+1:]
}

// secretPart is a secret in a text, and where it starts.
type secretPart struct {
	from        int
	what, value string
}

// secretsIn are the secrets of one text; under is the key whose value it is, if it is one's.
func secretsIn(text, under string) []secretPart {
	if len(text) < 8 {
		return nil
	}
	var found []secretPart
	add := func(what string, from, to int, none *regexp.Regexp) {
		known := func(p secretPart) bool { return from < p.from+len(p.value) && p.from < to }
		if value := text[from:to]; !none.MatchString(value) && !slices.ContainsFunc(found, known) {
			found = append(found, secretPart{from, what, value})
		}
	}
	for _, form := range forms {
		for _, m := range form.pattern.FindAllStringSubmatchIndex(text, 8) {
			switch {
			case !form.loose:
				add(form.what, m[0], m[1], blank)
			case strings.ContainsAny(text[m[2]:m[3]], "0123456789") || strings.HasSuffix(form.what, "URL"):
				add(form.what, m[2], m[3], placeholder)
			}
		}
	}
	if secretKey.MatchString(under) && len(text) >= 8 && !strings.ContainsAny(strings.TrimSpace(text), " \n") {
		add("a credential", 0, len(text), placeholder)
	}
	for _, m := range randomWord.FindAllStringIndex(text, 8) {
		if isRandom(text[m[0]:m[1]]) {
			add("a key", m[0], m[1], placeholder)
		}
	}
	return found
}

var hexOrUUID = regexp.MustCompile(`^[0-9a-fA-F-]+$`)

// isRandom tells whether a word looks drawn by lot: letters of both cases and digits, hardly one twice as often as chance
// has it. Hexadecimal words are checksums and ids more often than keys.
func isRandom(word string) bool {
	if len(word) > 200 || hexOrUUID.MatchString(word) || strings.Count(word, "/") > 2 || strings.Count(word, "_")+strings.Count(word, "-") > 3 {
		return false
	}
	kinds := 0
	for _, set := range []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"} {
		if strings.ContainsAny(word, set) {
			kinds++
		}
	}
	return kinds == 3 && entropy(word) > 4.2
}

// entropy is how many bits one character of a word tells.
func entropy(word string) float64 {
	counts := map[rune]int{}
	for _, c := range word {
		counts[c]++
	}
	bits := 0.0
	for _, n := range counts {
		p := float64(n) / float64(len(word))
		bits -= p * math.Log2(p)
	}
	return bits
}

// HiddenLines are the lines of a file that hold a secret: nobody is shown them.
func (f *File) HiddenLines() map[int]bool {
	hidden := map[int]bool{}
	for _, s := range f.secrets {
		for i := range 1 + strings.Count(s.value, "\n") {
			hidden[s.at.Line+i] = true
		}
	}
	return hidden
}

// maskSecrets takes the secrets of a file out of what is said of it, also those that a message has cut short.
func maskSecrets(f *File, ds spec.Diagnostics) {
	for _, s := range f.secrets {
		start := s.value[:min(8, len(s.value))]
		for i := range ds {
			if ds[i].File != f.Path {
				continue
			}
			if at := strings.Index(ds[i].Message, start); at >= 0 {
				rest := ds[i].Message[at:]
				ds[i].Message = ds[i].Message[:at] + "***" + rest[sharedPrefix(rest, s.value):]
			}
		}
	}
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
