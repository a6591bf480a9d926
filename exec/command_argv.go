package exec

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// argvItem is an entry of argv as it stands in the file: a text, or a list of texts that come and go together.
type argvItem struct {
	at     spec.Section
	texts  []spec.Section
	isList bool
}

// DecodeSection takes a text or a list of texts.
func (a *argvItem) DecodeSection(s spec.Section) spec.Diagnostics {
	a.at, a.texts = s, []spec.Section{s}
	if s.Form() == spec.FormList {
		a.texts, a.isList = s.Items(), true
	}
	var ds spec.Diagnostics
	if len(a.texts) == 0 {
		ds = append(ds, s.Errorf("type", "want a text or a list of texts, have an empty list"))
	}
	for _, item := range a.texts {
		if _, ok := item.Text(); ok {
			continue
		}
		hint := ""
		if item.Form() == spec.FormNull {
			hint = "; quote it if the characters are meant"
		}
		ds = append(ds, item.Errorf("type", "want a text, have %s%s", item.Form(), hint))
	}
	return ds
}

// DescribeSection is a text, or a list of texts.
func (a *argvItem) DescribeSection() spec.Grammar {
	text := spec.GrammarOf(spec.Text{})
	return spec.Grammar{"anyOf": []spec.Grammar{text, {"type": "array", "items": text, "minItems": 1}}}
}

// argvEntry is an entry of argv, compiled.
type argvEntry struct {
	args   []argument
	isList bool
}

// argument is one text of argv, compiled.
type argument struct {
	at      spec.Section
	text    *Template
	guarded bool // no literal -- stands before it
}

// compileArgv compiles all entries, argv[0] too.
func (s *Site) compileArgv(items []argvItem) ([]argvEntry, spec.Diagnostics) {
	var ds spec.Diagnostics
	entries := make([]argvEntry, len(items))
	guarded := true
	for i, item := range items {
		entries[i].isList = item.isList
		inner := guarded
		for _, at := range item.texts {
			text, ok := at.Text()
			if !ok {
				continue // said by Decode
			}
			template, faults := s.Template(text)
			ds = append(ds, faults...)
			if template.reads("secret") {
				ds = append(ds, spec.Diagnostic{Pos: at.Pos(), Severity: spec.SeverityWarning, Rule: "secret-in-argv",
					Message: "other users of this machine can see the arguments of a program: hand a secret over by env or stdin"})
			}
			entries[i].args = append(entries[i].args, argument{at, template, inner})
			literal, isLiteral := template.literal()
			if isLiteral && strings.IndexByte(literal, 0) >= 0 {
				ds = append(ds, at.Errorf("argv", "no argument can hold a NUL character"))
			}
			inner = inner && (!isLiteral || literal != "--")
		}
		if !item.isList {
			guarded = inner
		}
	}
	return entries, ds
}

// allArguments are the arguments of all entries in a row.
func allArguments(entries []argvEntry) []argument {
	var all []argument
	for _, e := range entries {
		all = append(all, e.args...)
	}
	return all
}

// expand appends what the entry becomes in a call: nothing, one argument, several.
func (e argvEntry) expand(ctx context.Context, v *Vars, argv []string) ([]string, error) {
	row := make([][]any, len(e.args))
	var repeat *slotRef
	for i, a := range e.args {
		values, err := a.text.eval(ctx, v)
		if err != nil {
			return nil, err
		}
		row[i] = values
		for j, value := range values {
			switch value.(type) {
			case nil:
				return argv, nil
			case []any:
				if repeat != nil {
					return nil, spec.NewError(spec.CodeFailed, "%s: two lists in one entry; repeat it by one list, and join the other's items", a.at.Path())
				}
				repeat = &slotRef{i, j}
			case bool:
				if value == false && e.isList && a.text.whole() {
					return argv, nil
				}
			}
		}
	}
	if repeat == nil {
		return e.emit(row, argv)
	}
	values := row[repeat.arg]
	for _, item := range values[repeat.slot].([]any) {
		if item == nil {
			continue
		}
		row[repeat.arg] = slices.Clone(values)
		row[repeat.arg][repeat.slot] = item
		var err error
		if argv, err = e.emit(row, argv); err != nil {
			return nil, err
		}
	}
	return argv, nil
}

// slotRef is a slot of an entry: of which argument, and which of its slots.
type slotRef struct{ arg, slot int }

// emit renders each argument of the entry with its values, switches aside.
func (e argvEntry) emit(row [][]any, argv []string) ([]string, error) {
	for i, a := range e.args {
		if e.isList && a.text.whole() && row[i][0] == true {
			continue
		}
		text, err := a.render(row[i])
		if err != nil {
			return nil, err
		}
		argv = append(argv, text)
	}
	return argv, nil
}

// render is the argument's text; what no argument can hold, and an option where the file has none, is refused.
func (a argument) render(values []any) (string, error) {
	text := a.text.fill(values, nil)
	if strings.IndexByte(text, 0) >= 0 {
		return "", spec.NewError(spec.CodeInvalidInput, "%s holds a NUL character, which no argument of a program can", a.source())
	}
	if a.guarded && strings.HasPrefix(text, "-") && !a.dashFromFile(values) {
		return "", spec.NewError(spec.CodeInvalidInput, `%s must not start with "-" here: %q would be read as an option`, a.source(), shorten(text, 60))
	}
	return text, nil
}

// dashFromFile tells whether an argument that starts with a dash does so by the file's own words. A slot that may
// hold anything, and is empty, would let what follows it become an option; so would a dash in front of one.
func (a argument) dashFromFile(values []any) bool {
	for _, p := range a.text.parts {
		if p.expr == nil {
			if p.literal == "-" {
				continue
			}
			return true
		}
		value := values[0]
		values = values[1:]
		text := renderText(value)
		if _, isText := value.(string); isText && !p.expr.fromFile() && !slices.Contains(p.expr.texts, text) {
			return text != "" && text[0] != '-'
		}
		if text != "" && text != "-" {
			return true
		}
	}
	return true
}

// source names what the argument is made of, for a model: the fields of the input that it reads.
func (a argument) source() string {
	var fields []string
	for _, p := range a.text.parts {
		if p.expr == nil {
			continue
		}
		for _, m := range inputField.FindAllStringSubmatch(p.expr.source, -1) {
			if field := "Field `" + m[1] + "`"; !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
	}
	if len(fields) == 0 {
		return "the argument " + a.at.Path()
	}
	return strings.Join(fields, ", ")
}

var inputField = regexp.MustCompile(`\binput\??\.(\w+(?:\.\w+)*)`)
