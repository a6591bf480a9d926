package spec

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// yamlWriter writes sections as a person would: short maps and lists on one line, texts of several lines as literal
// blocks, quotes where they are needed.
type yamlWriter struct {
	unit    string
	width   int
	written bool // numbers and booleans have the characters of the file, not those of JSON
}

// YAML is the section as the text of a YAML file, as a person would write it, in lines of about that width.
func (s Section) YAML(width int) string {
	return yamlWriter{unit: "  ", width: width}.lines(s, "") + "\n"
}

// block is a value whose first line is under way; its other lines are indented by margin.
func (w yamlWriter) block(s Section, margin string) string {
	if line, ok := w.line(s); ok && utf8.RuneCountInString(margin)+utf8.RuneCountInString(line) <= w.width && margin != "" && s.depth() < 2 {
		return line
	}
	return w.lines(s, margin)
}

// lines is a value on several lines, if it is a map or a list.
func (w yamlWriter) lines(s Section, margin string) string {
	var b strings.Builder
	switch s.Form() {
	case FormMap:
		for i, f := range s.Fields() {
			if i > 0 {
				b.WriteString("\n" + margin)
			}
			b.WriteString(flowText(f.Key.Value) + ":" + w.below(f.Value, margin))
		}
	case FormList:
		for i, item := range s.Items() {
			if i > 0 {
				b.WriteString("\n" + margin)
			}
			b.WriteString("- " + w.block(item, margin+"  "))
		}
	default:
		return w.scalar(s, margin)
	}
	return b.String()
}

// below is a value behind its key: on the same line, or on those below.
func (w yamlWriter) below(s Section, margin string) string {
	inner := margin + w.unit
	if line, ok := w.line(s); ok && utf8.RuneCountInString(margin)+utf8.RuneCountInString(line) <= w.width-20 && s.depth() < 3 {
		return " " + line
	}
	switch s.Form() {
	case FormMap, FormList:
		return "\n" + inner + w.lines(s, inner)
	}
	return " " + w.scalar(s, inner)
}

// depth is how many lists and maps are within each other, the section itself included.
func (s Section) depth() int {
	deepest := 0
	for _, f := range s.Fields() {
		deepest = max(deepest, f.Value.depth())
	}
	for _, item := range s.Items() {
		deepest = max(deepest, item.depth())
	}
	if s.Form() == FormMap || s.Form() == FormList {
		return deepest + 1
	}
	return 0
}

// line is a value on one line; not ok for one that is better on several.
func (w yamlWriter) line(s Section) (string, bool) {
	var parts []string
	add := func(key string, v Section) bool {
		text, ok := w.line(v)
		parts = append(parts, key+text)
		return ok
	}
	switch s.Form() {
	case FormMap:
		for _, f := range s.Fields() {
			if !add(flowText(f.Key.Value)+": ", f.Value) {
				return "", false
			}
		}
		return "{" + strings.Join(parts, ", ") + "}", true
	case FormList:
		for _, item := range s.Items() {
			if !add("", item) {
				return "", false
			}
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	case FormText:
		if isBlockText(s.n.text) {
			return "", false
		}
		return flowText(s.n.text), true
	case FormNumber, FormBool:
		if w.written {
			return s.n.text, true
		}
	}
	return string(s.JSON()), true
}

func (w yamlWriter) scalar(s Section, margin string) string {
	if s.Form() != FormText || !isBlockText(s.n.text) {
		line, _ := w.line(s)
		return line
	}
	text, ended := strings.CutSuffix(s.n.text, "\n")
	head := "|-"
	if ended {
		head = "|"
	}
	for line := range strings.SplitSeq(text, "\n") {
		head += "\n"
		if line != "" {
			head += margin + line
		}
	}
	return head
}

// plainText is what needs no quotes anywhere, and looks as if it needed none.
var plainWord = regexp.MustCompile(`^[A-Za-z_/][A-Za-z0-9_./@+= -]*$`)

// words are those that other readers take for something else than text.
var otherForms = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null)$`)

// flowText is a text that stands in one line, within brackets too.
func flowText(text string) string {
	switch {
	case plainWord.MatchString(text) && !otherForms.MatchString(text) && !strings.HasSuffix(text, " "):
		return text
	case isPrintable(text):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return strconv.Quote(text)
}

// isPrintable tells whether a text can stand between single quotes in one line.
func isPrintable(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) })
}

// isBlockText tells whether a text is best written as a literal block, which keeps every character of it.
func isBlockText(text string) bool {
	body := strings.TrimSuffix(text, "\n")
	if body == "" || !strings.Contains(body, "\n") || strings.HasSuffix(body, "\n") || body[0] == '\n' || body[0] == ' ' {
		return false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if !isPrintable(strings.ReplaceAll(line, "\t", "")) || strings.HasSuffix(line, " ") || strings.HasSuffix(line, "\t") {
			return false
		}
	}
	return true
}

// writeJSONLine is a section as JSON on one line, with spaces where a person would put them.
func writeJSONLine(s Section) string {
	var parts []string
	switch s.Form() {
	case FormMap:
		for _, f := range s.Fields() {
			parts = append(parts, quoteJSON(f.Key.Value)+": "+writeJSONLine(f.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case FormList:
		for _, item := range s.Items() {
			parts = append(parts, writeJSONLine(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case FormText:
		return quoteJSON(s.n.text)
	}
	return string(s.JSON())
}

// writeJSONLines is a section as JSON on several lines, all but the first indented by margin.
func writeJSONLines(s Section, margin, unit string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(writeJSONLine(s)), margin, unit) != nil {
		return writeJSONLine(s)
	}
	return b.String()
}

// quoteJSON is a text in double quotes that JSON and YAML both read: what YAML does not allow is escaped.
func quoteJSON(text string) string {
	var b strings.Builder
	for _, c := range string(appendText(nil, text)) {
		if c >= 0x7F && !unicode.IsPrint(c) && c <= 0xFFFF {
			b.WriteString(`\u` + strings.ToLower(strconv.FormatInt(0x10000+int64(c), 16)[1:]))
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}
