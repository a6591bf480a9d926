package export

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// markdown writes a page for people: what each tool is for, and its fields in a table. A schema that says more than a table
// has room for follows in full.
func markdown() format {
	return format{name: "markdown", tool: markdownTool, join: func(tools [][]byte) []byte {
		return append([]byte("# Tools\n"), bytes.Join(tools, nil)...)
	}}
}

func markdownTool(x *export, s *spec.Spec) []byte {
	var p page
	p.line("\n## " + x.name)
	if s.Title != "" {
		p.line("\n**" + escaped(s.Title) + "**")
	}
	p.line("\n" + escaped(strings.TrimSpace(s.Description)))
	p.hints(s)
	p.fields(input(s))
	if s.Output != nil {
		p.schema("Schema of the value", s.Output)
	}
	return p.b.Bytes()
}

type page struct{ b bytes.Buffer }

func (p *page) line(text string) { p.b.WriteString(text + "\n") }

// escaped is text that cannot be taken for HTML.
func escaped(text string) string { return strings.ReplaceAll(text, "<", "&lt;") }

// cell is text that stays in its cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(escaped(strings.Join(strings.Fields(text), " ")), "|", `\|`)
}

// code is text as code within a cell, in more backquotes than stand in it.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		text = " " + text + " "
	}
	return fence + strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`) + fence
}

func (p *page) hints(s *spec.Spec) {
	var said []string
	for _, hint := range []struct {
		is      *bool
		yes, no string
	}{
		{s.Annotations.ReadOnly, "changes nothing", "changes things"},
		{s.Annotations.Destructive, "may destroy what was there", "destroys nothing"},
		{s.Annotations.Idempotent, "a second call changes nothing more", "a second call may change more"},
		{s.Annotations.OpenWorld, "reaches beyond the machine", "stays on the machine"},
	} {
		switch {
		case hint.is == nil:
		case *hint.is:
			said = append(said, hint.yes)
		default:
			said = append(said, hint.no)
		}
	}
	if len(said) > 0 {
		p.line("\nHints: " + strings.Join(said, ", ") + ".")
	}
	if len(s.Tags) > 0 {
		p.line("\nTags: " + escaped(strings.Join(s.Tags, ", ")) + ".")
	}
}

// fields are the fields of the input as a table.
func (p *page) fields(of *spec.Schema) {
	var t table
	t.object(of.Section())
	if len(t.rows) == 0 {
		p.line("\nNo parameters.")
	} else {
		p.line("\n| field | | |\n|---|---|---|")
		for _, row := range t.rows {
			p.line("| " + strings.Join(row[:], " | ") + " |")
		}
	}
	if t.more {
		p.schema("The whole schema", of)
	}
}

func (p *page) schema(title string, of *spec.Schema) {
	p.line("\n<details><summary>" + title + "</summary>\n\n```json")
	var b bytes.Buffer
	if err := json.Indent(&b, of.JSON(), "", "  "); err != nil {
		panic("export: a schema is no JSON: " + err.Error())
	}
	p.line(b.String() + "\n```\n\n</details>")
}

// table is the fields of an object, those of objects within by their path.
type table struct {
	rows [][3]string
	more bool // something has no room in the table
}

// object adds the rows of the fields of an object that has no row of its own.
func (t *table) object(s spec.Section) {
	for _, f := range s.Fields() {
		t.more = t.more || f.Key.Value != "type" && f.Key.Value != "properties" && f.Key.Value != "required"
	}
	t.properties("", s)
}

func (t *table) properties(path string, s spec.Section) {
	properties := s.Get("properties")
	required := map[string]bool{}
	for _, name := range s.Get("required").Items() {
		text, _ := name.Text()
		required[text.Value] = true
		t.more = t.more || properties.Get(text.Value).IsZero()
	}
	for _, f := range properties.Fields() {
		t.field(path+f.Key.Value, f.Value, required[f.Key.Value])
	}
}

// field adds the row of a field, and of those within.
func (t *table) field(path string, s spec.Section, required bool) {
	row := len(t.rows)
	t.rows = append(t.rows, [3]string{code(path)})
	var facts []string
	if required {
		facts = append(facts, "required")
	}
	description := ""
	t.more = t.more || s.Form() != spec.FormMap
	for _, f := range s.Fields() {
		fact, known := rowFact(f)
		switch key := f.Key.Value; {
		case key == "description":
			description = cell(fact)
		case known:
			facts = append(facts, fact)
		case key == "items" && f.Value.Form() == spec.FormMap:
			t.field(path+"[]", f.Value, false)
		default:
			t.more = t.more || key != "properties" && key != "required"
		}
	}
	t.properties(path+".", s)
	t.rows[row][1], t.rows[row][2] = strings.Join(facts, ", "), description
}

// rowFact is what a keyword says in the row of its field, if a row has room for it.
func rowFact(f spec.Field) (fact string, known bool) {
	text, _ := f.Value.Text()
	switch f.Key.Value {
	case "description":
		return text.Value, true
	case "type":
		types := []string{text.Value}
		for i, t := range f.Value.Items() {
			name, _ := t.Text()
			types = append(types[:i], name.Value)
		}
		return cell(strings.Join(types, " or ")), true
	case "format":
		return cell("format " + text.Value), true
	case "enum":
		var values []string
		for _, v := range f.Value.Items() {
			values = append(values, code(string(v.JSON())))
		}
		return "one of " + strings.Join(values, " "), true
	}
	if word, ok := rowWords[f.Key.Value]; ok {
		return word + " " + code(string(f.Value.JSON())), true
	}
	return "", false
}

// rowWords are what keywords of one value are called in a row.
var rowWords = map[string]string{
	"default": "default", "const": "always", "minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than",
	"exclusiveMaximum": "less than", "pattern": "pattern", "minLength": "characters at least", "maxLength": "characters at most",
	"minItems": "entries at least", "maxItems": "entries at most",
}
