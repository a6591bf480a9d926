package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// shown is words with their placeholders as ‹name›, a bar between two.
func shown(words []lineWord) string {
	all := make([]string, len(words))
	for i, word := range words {
		for _, part := range word {
			if part.name != "" {
				all[i] += "‹" + part.name + "›"
			}
			all[i] += part.text
		}
	}
	return strings.Join(all, "|")
}

func TestShellWords(t *testing.T) {
	for line, want := range map[string]string{
		`git log`:                            `git|log`,
		`  $ git  log	-n 3  `:                `git|log|-n|3`,
		`a 'b c' "d e" f\ g ''`:              `a|b c|d e|f g|`,
		`a'b'"c"d`:                           `abcd`,
		"a \\\n  b \\\r\n c":                 `a|b|c`,
		"a 'b\nc' \"d\\\ne\"":                "a|b\nc|de",
		`a "\$x \" \\ \n" '\n'`:              `a|$x " \ \n|\n`,
		`a $ID ${ID}x "$ID" '$ID' \$ID`:      `a|‹ID›|‹ID›x|‹ID›|$ID|$ID`,
		`a <id> x<id> "<id>"`:                `a|‹id›|x‹id›|<id>`,
		`a $'it\'s\n\x41\u00e9\101\q'`:       "a|it's\nAéA\\q",
		`a $"b"`:                             `a|b`,
		`a # b 'c`:                           `a`,
		`a b#c`:                              `a|b#c`,
		`a {id} {} {x y}`:                    `a|{id}|{}|{x|y}`,
		`a https://x.example/?a=1 x=~ ~user`: `a|https://x.example/?a=1|x=~|~user`,
		`a "*" '|' "a;b" \>`:                 `a|*|||a;b|>`,
		`a 100$ $`:                           `a|100$|$`,
		`é "ü"`:                              `é|ü`,
	} {
		words, err := shellWords(line)
		if have := shown(words); err != nil || have != want {
			t.Errorf("%q: have %q, %v\nwant %q", line, have, err, want)
		}
	}
}

func TestShellWordsRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"":                  "is empty",
		"  # nothing":       "is empty",
		"a | b":             "a pipe with |",
		"a|b":               "a pipe with |",
		"a > b":             "a redirection with >",
		"a 2>&1":            "a redirection with >",
		"a < b":             "a redirection with <",
		"sort <in>out":      "a redirection with <",
		"a && b":            "& runs a command",
		"a &":               "& runs a command",
		"a ; b":             "several commands with ;",
		"a\nb":              "a second command",
		"a $(b)":            "a substitution with $(…)",
		`a "$(b)"`:          "a substitution with $(…)",
		"a `b`":             "a substitution with `",
		"a \"`b`\"":         "a substitution with `",
		"(a)":               "parentheses",
		"a ~/b":             "home directory",
		"a ~":               "home directory",
		"a *.txt":           "no shell looks for the files",
		"a b?":              "no shell looks for the files",
		"a {b,c}":           "no shell repeats",
		"a {1..3}":          "no shell repeats",
		"a $1":              "$1 belongs to a script",
		`a "$@"`:            "$@ belongs to a script",
		"a ${b:-c}":         "only a name is taken",
		"a 'b":              "a quote ' is not closed",
		`a "b`:              `a quote " is not closed`,
		`a $'b`:             "a quote $' is not closed",
		`a \`:               "ends with a backslash",
		"a\x00b":            "not text in UTF-8",
		"a \xff":            "not text in UTF-8",
		`a $'\x00'`:         "is no character",
		`a $'\U00110000'`:   "is no character",
		"curl http://a?b&c": "& runs a command",
	} {
		if words, err := shellWords(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: have %q, %v\nwant %q", line, shown(words), err, want)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	for text, want := range map[string]string{
		"N":                  "‹N›",
		"PATH":               "‹PATH›",
		"--max-count=N":      "--max-count=‹N›",
		"{id}":               "‹id›",
		"a/{user-id}/<name>": "a/‹user-id›/‹name›",
		"USER_ID:PORT":       "‹USER_ID›:‹PORT›",
		"origin/BRANCH":      "origin/‹BRANCH›",
		"a.txt":              "a.txt",
		"README.md":          "README.md",
		"HEAD":               "HEAD",
		"HEAD~1":             "HEAD~1",
		"stash@{upstream}":   "stash@{upstream}",
		"v1^{tree}":          "v1^{tree}",
		"{{.Names}}":         "{{.Names}}",
		"${x}":               "${x}",
		"--pretty=format:%H": "--pretty=format:%H",
		"<b>bold</b>":        "<b>bold</b>",
		"ABc":                "ABc",
		"":                   "",
		"{a}{b}":             "‹a›‹b›",
		"x{a}":               "x‹a›",
	} {
		if have := shown([]lineWord{placeholders(lineWord{{text: text}}, "/:@=,")}); have != want {
			t.Errorf("%q: have %q, want %q", text, have, want)
		}
	}
}

func TestFromRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"curl":                                        "names no url",
		"curl -k https://x.example":                   "-k is not taken over: certificates are always checked",
		"curl --insecure https://x.example":           "certificates are always checked",
		"curl -x p:1 https://x.example":               "no proxy is used",
		"curl -Kc https://x.example":                  "reads no file of options",
		"curl --frobnicate https://x.example":         "option --frobnicate is not known",
		"curl -sSy https://x.example":                 "option -y is not known",
		"curl https://x.example https://y.example":    "several urls",
		"curl https://x.example -H":                   "-H wants a value",
		"curl -H Accept https://x.example":            "want a header",
		"curl https://HOST/x":                         "the host is chosen by no input",
		"curl https://{host}/x":                       "the host is chosen by no input",
		"curl $URL":                                   "the host is chosen by no input",
		"curl ftp://x.example/y":                      "want a url of http or https, have ftp",
		"curl https:///x":                             "has no host",
		"curl -X METHOD= https://x.example":           "the method is literal",
		"curl -X $M https://x.example":                "the method is literal",
		"curl -m soon https://x.example":              "--max-time wants seconds",
		"curl --max-redirs x https://x.example":       "--max-redirs wants a number",
		"curl --json x https://x.example":             "the body is no JSON object or list",
		"curl -F x https://x.example":                 "-F wants NAME=VALUE",
		"curl -F a=b -d c https://x.example":          "either -d or -F",
		"curl -d @a -d b=c https://x.example":         "one part is a file",
		"curl -b jar https://x.example":               "no file of cookies",
		"curl -H @f https://x.example":                "-H @FILE is not taken over",
		"curl --silent=x https://x.example":           "--silent takes no value",
		"curl https://x.example/?%zz=1":               "is not encoded",
		"curl https://x.example/?{a}=1":               "names are literal",
		"curl --data-urlencode a@f https://x.example": "NAME@FILE is not taken over",
		"$TOOL x": "the program is chosen by no input",
		"curl https://x.example -d 'note=ghp_abcdefghijklmnopqrstuvwxyz0123456789'": "no file is written with a credential in clear",
		"curl 'https://x.example/[1-10]'":                                           "curl makes several requests of [1-10]",
		"curl 'https://x.example/[a-z:2]?x=1'":                                      "curl makes several requests of [a-z:2]",
		"curl 'https://x.example/{a,b}'":                                            "curl makes several requests of {a,b}",
		"mysql --password=hunter22hunter DB":                                        "no file is written with a credential in clear",
		"tool --api-key q9f8w7e6r5t4 login":                                         "no file is written with a credential in clear",
		"API_TOKEN=q9f8w7e6r5t4 tool login":                                         "no file is written with a credential in clear",
		"sh -c 'tool --token q9f8w7e6r5t4 login'":                                   "no file is written with a credential in clear",
		"A=b":             "names no program",
		"sh -c 'echo '$X": "no tool can be made of it: executor.command.argv[2]",
	} {
		made, err := makeFile("x", "", line)
		if err == nil {
			err = made.check("x.yaml")
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v, want %q", line, err, want)
		}
	}
}

// FuzzShellWords reads any line; what it makes of plain words must be those words.
func FuzzShellWords(f *testing.F) {
	for _, seed := range []string{`git log --max-count=N -- PATH`, `a 'b c' "d $E" \f`, `curl -d '{"a": 1}' "https://x.example/?a=b&c"`, "a $'\\x41\\''", "a <b> ${C} # d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, err := shellWords(line)
		if err != nil {
			return
		}
		quoted := make([]string, len(words))
		for i, word := range words {
			text, plain := word.text()
			if !plain {
				return
			}
			quoted[i] = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
		again, err := shellWords(strings.Join(quoted, " "))
		if err != nil || shown(again) != shown(words) {
			t.Errorf("%q: %q, quoted %q, %v", line, shown(words), shown(again), err)
		}
	})
}

// FuzzNewFrom makes tools of any line. What is made is a tool file: where it is refused, then for what the line says, and
// never for its form. A command without placeholders is run as it was written.
func FuzzNewFrom(f *testing.F) {
	for _, seed := range []string{
		`git log --max-count=N -- PATH`, `A=b c '$${x}' "\${y}" -- '${z}'`, `curl -X PUT https://x.example/a/{id}?b=C&d=1 -d 'e=f'`,
		`curl -d '{"a": [1, "b", {"c": N}], "d": null, "e": "E"}' -H 'X-A: b' 'https://x.example/?a=1&a=2'`, `curl -F a=@b -F 'c=d;type=e' x.example`,
		`curl -G --data-urlencode 'q=a b' -d limit=N localhost:1/x -L -m 1.5`, `curl --json '[{"a": "${b}"}]' https://x.example/'é ü'`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		made, err := fileFrom("made", line)
		if err != nil {
			return
		}
		tool, ds := compileText("made.yaml", made.text)
		for _, d := range ds {
			if slices.Contains([]string{"syntax", "type", "unknown-key", "missing-key", "duplicate-key", "one-key", "schema", "default"}, d.Rule) {
				t.Fatalf("%q: %s: %s\n%s", line, d.Rule, d.Message, made.text)
			}
		}
		words, _ := shellWords(line)
		if tool == nil || len(tool.Spec.Input.Shape().Fields) > 0 || tool.Spec.Kind != "command" || assignment.MatchString(words[0][0].text) {
			return
		}
		if have := strings.Join(argvOf(t, tool), "|"); have != shown(words) {
			t.Errorf("%q: it runs %q, want %q\n%s", line, have, shown(words), made.text)
		}
	})
}

// argvOf is what a tool without parameters runs.
func argvOf(t *testing.T, tool *exec.Tool) (argv []string) {
	t.Helper()
	result := tool.Call(context.Background(), exec.Call{
		Use: spec.ToolUse{ID: "1", Name: "made", Input: json.RawMessage(`{}`)}, Stub: &exec.Stub{Command: &exec.StubProcess{}},
		Planned: func(p exec.Plan) { argv = p.Command.Argv },
	})
	if result.Status != spec.StatusSuccess {
		t.Fatal(messageOf(result))
	}
	return argv
}
