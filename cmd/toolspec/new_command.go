package main

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"
)

// assignment is a variable that a shell sets for the command behind it.
var assignment = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)=`)

// subcommand is a word that says what a program is to do, as in git log or python3 report.py.
var subcommand = regexp.MustCompile(`^[a-z][a-z0-9_.-]*$`)

// fromCommand makes a tool of a program and its arguments.
func (d *draft) fromCommand(words []lineWord) error {
	env, words := d.assignments(words)
	if len(words) == 0 {
		return errors.New("the command line names no program")
	}
	program, isLiteral := words[0].text()
	switch {
	case !isLiteral || strings.TrimSpace(program) == "":
		return errors.New("the program is chosen by no input: write its name where the placeholder stands")
	case strings.ContainsRune(program, '/'):
		d.note(program + " is a path from the tool file's directory")
	default:
		d.command = program
	}
	argv := []any{escapeSlots(program)}
	option, closed := "", false
	for _, word := range words[1:] {
		argv = append(argv, d.argument(word, option, !closed))
		text, isLiteral := word.text()
		closed = closed || isLiteral && text == "--"
		option = ""
		if isLiteral && len(text) > 1 && text[0] == '-' && text != "--" && !strings.Contains(text, "=") {
			option = text
		}
	}
	config := object{{"argv", argv}}
	if len(env) > 0 {
		config.add("env", env)
	}
	d.executor = object{{"command", config}}
	label := commandLabel(program, words[1:])
	d.description = "Run " + label + " and give what it prints. Use this tool when the user asks for what " + label + " prints. Do not use it for any other command."
	d.answer = object{{"command", object{{"stdout", "what " + label + " prints"}}}}
	return nil
}

// assignments takes the variables that stand before the program.
func (d *draft) assignments(words []lineWord) (env object, rest []lineWord) {
	for len(words) > 0 && len(words[0]) > 0 {
		m := assignment.FindStringSubmatch(words[0][0].text)
		if m == nil {
			break
		}
		value := append(lineWord{{text: words[0][0].text[len(m[0]):]}}, words[0][1:]...)
		env.add(m[1], d.template(value, use{about: "Value of the variable " + m[1]}))
		words = words[1:]
	}
	return env, words
}

// commandLabel is what a person would call the command: the program and its subcommand.
func commandLabel(program string, words []lineWord) string {
	label := filepath.Base(program)
	if len(words) > 0 {
		if text, ok := words[0].text(); ok && subcommand.MatchString(text) {
			label += " " + text
		}
	}
	return label
}

// use is where a placeholder stands.
type use struct {
	about  string // what its parameter is; empty: an argument
	option string // that it is the value of
	leads  bool   // nothing keeps its value from being taken for an option
}

// argument is a word of a command line as an entry of argv; guarded tells that no -- stands before it.
func (d *draft) argument(word lineWord, option string, guarded bool) string {
	word = placeholders(word, "/:@=,")
	if len(word) > 1 && strings.HasPrefix(word[0].text, "-") {
		option, _, _ = strings.Cut(word[0].text, "=")
	}
	u := use{option: option, leads: guarded && len(word) > 0 && word[0].name != ""}
	if option != "" {
		u.about = "Value of " + option
	}
	return d.template(word, u)
}

// template is a word with a slot for each placeholder.
func (d *draft) template(word lineWord, u use) string {
	var b strings.Builder
	for _, part := range word {
		if part.name == "" {
			b.WriteString(escapeSlots(part.text))
			continue
		}
		b.WriteString(d.fromPlaceholder(part.name, u).slot())
		u.leads = false
	}
	return b.String()
}

// fromPlaceholder is the parameter of a placeholder.
func (d *draft) fromPlaceholder(name string, u use) *parameter {
	p := parameter{source: "$" + name, name: name, kind: kindOf(name, u.option), about: u.about, required: true}
	if u.leads {
		p.pattern = "^[^-]"
	}
	if p.about == "" {
		p.about = "The " + strings.ToLower(strings.ReplaceAll(name, "_", " ")) + " to give to the command"
	}
	return d.parameter(p)
}
