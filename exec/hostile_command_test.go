package exec_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
)

// commandPlace is a place of a command. It gives arguments, or one variable, or what is read from stdin.
type commandPlace struct {
	name string
	argv string // entries of argv
	env  string // the value of the variable X_NAME
	in   string // stdin
	bare bool   // no -- stands before it, and its first character comes from the input
	keys bool   // it is text, whatever the values are
	text bool   // only for texts
	want func(v hostileValue) []string
}

func one(form string) func(hostileValue) []string {
	return func(v hostileValue) []string { return []string{fmt.Sprintf(form, v.text)} }
}

// commandPlaces are all but those of a shell, and the working directory.
func commandPlaces() []commandPlace {
	lists := func(form string) func(hostileValue) []string {
		return func(v hostileValue) []string {
			var all []string
			for _, text := range v.list() {
				all = append(all, strings.Fields(form)...)
				all[len(all)-1] = strings.ReplaceAll(all[len(all)-1], "_", text)
			}
			return all
		}
	}
	asMap := func(v hostileValue) []string { return []string{asJSON(v.fields())} }
	return []commandPlace{
		{name: "argv, bare", argv: `'${input.x}'`, bare: true, want: one("%s")},
		{name: "argv, bare, with an end", argv: `'${input.x}.txt'`, bare: true, want: one("%s.txt")},
		{name: "argv, bare list", argv: `'${input.l}'`, bare: true, want: lists("_")},
		{name: "argv, bare inner list", argv: `['${input.x}', end]`, bare: true, want: func(v hostileValue) []string { return []string{v.text, "end"} }},
		{name: "argv, bare keys", argv: `'${keys(input.m)}'`, bare: true, keys: true, want: hostileValue.keys},
		{name: "argv, after --", argv: `'${input.x}'`, want: one("%s")},
		{name: "argv, within text", argv: `'a${input.x}b'`, want: one("a%sb")},
		{name: "argv, --x=", argv: `'--x=${input.x}'`, want: one("--x=%s")},
		{name: "argv, computed", argv: `'${"a" + input.x}'`, text: true, want: one("a%s")},
		{name: "argv, inner list", argv: `[-i, '${input.x}']`, want: func(v hostileValue) []string { return []string{"-i", v.text} }},
		{name: "argv, list", argv: `'${input.l}'`, want: lists("_")},
		{name: "argv, --x= of a list", argv: `'--x=${input.l}'`, want: lists("--x=_")},
		{name: "argv, inner list of a list", argv: `[-g, '${input.l}']`, want: lists("-g _")},
		{name: "argv, value of a map", argv: `'${input.m.value}'`, want: one("%s")},
		{name: "argv, keys of a map", argv: `'${keys(input.m)}'`, want: hostileValue.keys},
		{name: "argv, map", argv: `'${input.m}'`, want: asMap},
		{name: "argv, name of the session", argv: `'${call.session}'`, text: true, want: func(v hostileValue) []string {
			if v.text == "" {
				return nil // there is none
			}
			return []string{v.text}
		}},
		{name: "env", env: `'${input.x}'`, want: one("%s")},
		{name: "env, within text", env: `'a${input.x}b'`, want: one("a%sb")},
		{name: "env, map", env: `'${input.m}'`, want: asMap},
		{name: "stdin", in: `'a${input.x}b${input.m}'`, want: func(v hostileValue) []string { return []string{"a" + v.text + "b" + asJSON(v.fields())} }},
	}
}

// refuses tells whether no argument, or no variable, can hold the value, or it could be taken for an option.
func (p commandPlace) refuses(v hostileValue) bool {
	if v.broken {
		return true
	}
	const most = 128 << 10
	return p.in == "" && slices.ContainsFunc(p.want(v), func(text string) bool {
		if p.env != "" {
			text = "X_0=" + text
		}
		return strings.Contains(text, "\x00") || len(text) >= most || p.bare && (p.keys || !v.number) && strings.HasPrefix(text, "-")
	})
}

// commandExecutor is an executor with several places in it.
func commandExecutor(places []commandPlace) string {
	argv, env, stdin := "recorder", "", ""
	if !places[0].bare {
		argv += ", --"
	}
	for i, p := range places {
		switch {
		case p.argv != "":
			argv += ", " + p.argv
		case p.env != "":
			env += fmt.Sprintf("X_%d: %s, ", i, p.env)
		default:
			stdin = "    stdin: " + p.in + "\n"
		}
	}
	return fmt.Sprintf("executor:\n  command:\n    argv: [%s]\n    env: {%s}\n%s", argv, env, stdin)
}

// commandFault is what of a record is not as it should be.
func commandFault(places []commandPlace, v hostileValue, r recorded) string {
	var argv, want []string
	if !places[0].bare {
		want = append(want, "--")
	}
	stdin := ""
	for i, p := range places {
		switch {
		case p.argv != "":
			want = append(want, p.want(v)...)
		case p.env != "":
			if have := string(r.Env[fmt.Sprint("X_", i)]); have != p.want(v)[0] {
				return fmt.Sprintf("%s: arrived as %.200q", p.name, have)
			}
		default:
			stdin = p.want(v)[0]
		}
	}
	for _, arg := range r.Args {
		argv = append(argv, string(arg))
	}
	switch {
	case !slices.Equal(argv, want):
		return fmt.Sprintf("arrived as %.1000q, want %.1000q", argv, want)
	case string(r.Stdin) != stdin:
		return fmt.Sprintf("arrived on stdin as %.200q", r.Stdin)
	case !slices.Equal(r.Descriptors, []int{0, 1, 2}):
		return fmt.Sprintf("it was handed the descriptors %v", r.Descriptors)
	}
	return ""
}

// TestHostileValuesInCommands: each arrives as itself, or is refused. All places of a file are tried at once, and each
// alone where one of them refuses.
func TestHostileValuesInCommands(t *testing.T) {
	g := newGround(t)
	values := hostileValues(t, g.port, g.dir)
	g.fence()
	var y tally
	for _, bare := range []bool{true, false} {
		places := slices.DeleteFunc(commandPlaces(), func(p commandPlace) bool { return p.bare != bare })
		tools := map[string]*exec.Tool{}
		tool := func(kind string, places []commandPlace) *exec.Tool {
			file := commandExecutor(places)
			if tools[kind+file] == nil {
				tools[kind+file] = hostileTool(t, g.env, kind, file)
			}
			return tools[kind+file]
		}
		for _, v := range values {
			kind, fit := "string", places
			if v.number {
				kind, fit = "number", slices.DeleteFunc(slices.Clone(places), func(p commandPlace) bool { return p.text })
			}
			for _, p := range places {
				if v.number && p.text {
					y.add(p.name, false) // it is no place for a number
				}
			}
			if !slices.ContainsFunc(fit, func(p commandPlace) bool { return p.refuses(v) }) {
				g.try(tool(kind, fit), fit, v, &y)
				continue
			}
			for _, p := range fit {
				g.try(tool(kind, []commandPlace{p}), []commandPlace{p}, v, &y)
			}
		}
	}
	g.check()
	y.report(t, len(values))
}

// try calls a tool with a value and looks at what was recorded.
func (g *ground) try(tool *exec.Tool, places []commandPlace, v hostileValue, y *tally) {
	g.t.Helper()
	refused := len(places) == 1 && places[0].refuses(v)
	for _, p := range places {
		y.add(p.name, !refused)
	}
	r := callHostile(g.t, tool, v)
	records := g.taken()
	switch {
	case refused:
		if fault := refusalFault(r); fault != "" || len(records) > 0 {
			g.t.Errorf("%s, %s, %.100q: want a refusal; %s; %d processes", places[0].name, v.name, v.text, fault, len(records))
		}
	case len(records) != 1:
		g.t.Errorf("%s, %s, %.100q: %d processes, want one: %.300s", places[0].name, v.name, v.text, len(records), textOf(r))
	default:
		if fault := commandFault(places, v, records[0]); fault != "" {
			g.t.Errorf("%s, %s, %.100q: %s", places[0].name, v.name, v.text, fault)
		}
	}
}

// TestHostileValuesInShells: the shell's text is never a template, and its variables hold the values as they are.
func TestHostileValuesInShells(t *testing.T) {
	g := newGround(t)
	values := hostileValues(t, g.port, g.dir)
	g.fence()
	var y tally
	const shell = `recorder -- "$INPUT_X" "$INPUT_L" "$INPUT_M" "$TOOLSPEC_INPUT"`
	file := "executor:\n  command:\n    shell: '" + shell + "'\n"
	tools := map[bool]*exec.Tool{false: hostileTool(t, g.env, "string", file), true: hostileTool(t, g.env, "number", file)}
	for _, v := range values {
		l, all := any(v.list()), map[string]any{"x": v.text, "l": v.list(), "m": v.fields()}
		if v.number {
			l = []any{json.Number("0"), json.Number(v.text)}
			all["x"], all["l"] = json.Number(v.text), l
		}
		want := []string{"--", v.text, jsonOf(v, l), jsonOf(v, v.fields()), jsonOf(v, all)}
		refused := v.broken || slices.ContainsFunc(want, func(text string) bool { return strings.Contains(text, "\x00") || len(text) > 128<<10-16 })
		r := callHostile(t, tools[v.number], v)
		records := g.taken()
		for i, place := range []string{"shell, $INPUT_X", "shell, $INPUT_L", "shell, $INPUT_M", "shell, $TOOLSPEC_INPUT"} {
			y.add(place, !refused)
			switch {
			case refused:
				if fault := refusalFault(r); fault != "" || len(records) > 0 {
					t.Errorf("%s, %s, %.100q: want a refusal; %s; %d processes", place, v.name, v.text, fault, len(records))
				}
			case len(records) != 1 || len(records[0].Args) != len(want):
				t.Errorf("%s, %s, %.100q: %d processes, want one: %.300s", place, v.name, v.text, len(records), textOf(r))
			case string(records[0].Args[i+1]) != want[i+1]:
				t.Errorf("%s, %s: arrived as %.300q, want %.300q", place, v.name, records[0].Args[i+1], want[i+1])
			}
		}
	}
	g.check()
	y.report(t, len(values))
}

// jsonOf is a value as JSON; nothing where it is out of the range of numbers.
func jsonOf(v hostileValue, value any) string {
	if v.broken {
		return ""
	}
	return asJSON(value)
}

// TestHostileWorkingDirectories: a value chooses a directory below the one that the file's author wrote, and none
// elsewhere.
func TestHostileWorkingDirectories(t *testing.T) {
	g := newGround(t)
	values := hostileValues(t, g.port, g.dir)
	at := g.furnish("at", values, func(path string) error { return os.Mkdir(path, 0o700) })
	g.fence()
	var y tally
	tool := hostileTool(t, g.env, "string", "executor: {command: {argv: [recorder], cwd: '${dir.work}/at/${input.x}'}}\n")
	for _, v := range values {
		want, found := belowOnly(at, v)
		info, err := os.Stat(want)
		found = found && err == nil && info.IsDir()
		y.add("cwd", found)
		r := callHostile(t, tool, v)
		records := g.taken()
		switch {
		case !found:
			if fault := refusalFault(r); fault != "" || len(records) > 0 {
				t.Errorf("%s, %.100q: want a refusal; %s; %d processes", v.name, v.text, fault, len(records))
			}
		case len(records) != 1 || string(records[0].Dir) != want:
			t.Errorf("%s, %.100q: %.300s: arrived in %v, want %q", v.name, v.text, textOf(r), records, want)
		}
	}
	g.check()
	y.report(t, len(values))
}

// furnish makes something of each value's name in a directory, where it can be one; link leads out of it, inside does not.
func (g *ground) furnish(name string, values []hostileValue, put func(path string) error) (dir string) {
	g.t.Helper()
	dir = filepath.Join(g.dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		g.t.Fatal(err)
	}
	for _, v := range values {
		if v.text == "link" || v.text == "inside" || v.number || v.broken || !isFileName(v.text) {
			continue
		}
		if err := put(filepath.Join(dir, v.text)); err != nil {
			g.t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link": "/etc", "inside": "plain"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			g.t.Fatal(err)
		}
	}
	return dir
}

func isFileName(text string) bool {
	return text != "" && text != "." && text != ".." && len(text) <= 255 && !strings.ContainsAny(text, "/\x00")
}

// belowOnly is where a value leads from a directory, if it may lead there: nowhere above it, and by no link out of it.
func belowOnly(dir string, v hostileValue) (path string, ok bool) {
	if v.broken || v.number || strings.Contains(v.text, "\x00") || strings.HasPrefix(v.text, "/") || slices.Contains(strings.Split(v.text, "/"), "..") {
		return "", false
	}
	path, err := filepath.EvalSymlinks(filepath.Join(dir, v.text))
	if err != nil || path != dir && !strings.HasPrefix(path, dir+"/") {
		return "", false
	}
	return path, true
}
