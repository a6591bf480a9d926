package spec

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

const (
	quoteIt     = "put the whole value in single quotes"
	cannotStart = " cannot start a plain value; " + quoteIt
)

// yamlMarks is what yaml.v3 knows of a syntax error and does not say.
type yamlMarks struct {
	context string // such as "while parsing a flow sequence"
	start   Pos    // where what it was reading starts
	at      Pos    // where it broke
	event   Pos    // where the last value starts
}

// marksOf reads the marks from within yaml.v3: its errors have no column, name the line where a collection starts
// rather than the one that is broken, count lines from 0 or from 1, and leave the first line out. Not ok if this
// yaml.v3 keeps them otherwise.
func (r *reader) marksOf(d *yaml.Decoder) (m yamlMarks, ok bool) {
	defer func() { ok = recover() == nil }() // reflect panics on a field that is not there
	decoder := reflect.ValueOf(d).Elem().FieldByName("parser").Elem()
	parser := decoder.FieldByName("parser")
	mark := func(v reflect.Value) Pos {
		return r.lines.within(r.file, int(v.FieldByName("line").Int())+1, int(v.FieldByName("column").Int())+1)
	}
	m.context = parser.FieldByName("context").String()
	m.start = mark(parser.FieldByName("context_mark"))
	m.at = mark(parser.FieldByName("problem_mark"))
	m.event = mark(decoder.FieldByName("event").FieldByName("start_mark"))
	return m, true
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// yamlFault places a syntax error of yaml.v3 and says it in words of a tool file.
func (r *reader) yamlFault(d *yaml.Decoder, err error) {
	problem := yamlLine.ReplaceAllString(err.Error(), "")
	m, ok := r.marksOf(d)
	if !ok {
		line, _ := strconv.Atoi(yamlLine.FindStringSubmatch(err.Error())[1])
		indent := len(r.lines.text(line)) - len(strings.TrimLeft(r.lines.text(line), " \t"))
		r.fault(r.lines.within(r.file, line, 1+indent), "syntax", "%s", problem)
		return
	}
	if strings.HasPrefix(problem, "exceeded max depth") {
		r.fault(m.at, "limit", "nested more than %d deep", MaxDepth)
		return
	}
	pos, message := r.explain(problem, m)
	value := brokenValue(r.lines.text(pos.Line))
	advised := strings.Contains(message, "; ")
	if wantsQuotes(value) && (!advised || value[0] == '"') {
		message += "; " + quoteIt
	}
	r.fault(pos, "syntax", "%s", message)
}

// explain says a problem of yaml.v3 in words of a tool file; what is unknown to it stays as it is.
func (r *reader) explain(problem string, m yamlMarks) (Pos, string) {
	flow := strings.HasPrefix(m.context, "while parsing a flow")
	switch {
	case strings.HasPrefix(problem, "unknown anchor"):
		return m.event, "no anchor before this has the name of the alias " + firstWord(r.lines.from(m.event.Line, m.event.Column))
	case m.context == "while scanning a quoted scalar":
		return m.start, "the quote that opens here is never closed; " + innerQuote(r.characters(m.start, 1))
	case problem == "found unknown escape character":
		return m.at, "unknown escape " + r.characters(m.at, 2) + " in double quotes; single quotes take every character as it is"
	case flow && r.neverCloses(m):
		return m.start, r.unclosed(m)
	case flow && strings.HasPrefix(problem, "did not find expected ','"):
		want := "want " + strings.TrimPrefix(problem, "did not find expected ") + " here, have " + r.have(m.at)
		if r.characters(m.at, 1) == ":" {
			want += "; is a comma missing before?"
		}
		return m.at, want
	case problem == "did not find expected key":
		return m.at, r.explainKey(m.at)
	case problem == "did not find expected '-' indicator":
		return m.at, "want another entry of the list (- …) here, have " + r.have(m.at)
	case problem == "did not find expected node content":
		return m.at, "want a value here, have " + r.have(m.at)
	case problem == "did not find expected <document start>" && m.at.Column == 1:
		return m.at, secondFile
	case problem == "did not find expected <document start>":
		return m.at, "the value ends before this, have " + r.have(m.at)
	case m.context == "while scanning a block scalar" && strings.HasPrefix(problem, "did not find"):
		return m.start, r.characters(m.start, 1) + " starts a block, and only a comment may follow it; " + quoteIt
	case problem == "could not find expected ':'" && strings.Contains(firstWord(r.lines.from(m.start.Line, m.start.Column)), ":"):
		return m.start, "want key: value, with a space after the colon"
	case problem == "could not find expected ':'":
		return m.start, "want key: value, have a text without a colon"
	case strings.HasPrefix(problem, "mapping values"):
		return m.at, `a colon cannot stand here: the value is not quoted, or the line is indented too far`
	case strings.HasPrefix(problem, "block sequence entries"):
		return m.at, "a list cannot start here: its first - belongs on a line of its own, or the value in quotes"
	case problem == "found undefined tag handle":
		return m.start, fmt.Sprintf(unknownTag, firstWord(r.lines.from(m.start.Line, m.start.Column)))
	case m.context == "while scanning a directive":
		return m.start, "a line that starts with % is a directive, which has no place here"
	case m.context == "while scanning an alias" || m.context == "while scanning an anchor":
		return m.start, r.characters(m.start, 1) + cannotStart
	case strings.HasPrefix(problem, "found a tab character"), r.characters(m.at, 1) == "\t" && strings.HasPrefix(problem, "found character"):
		return m.at, "a tab cannot indent a line; use spaces"
	case strings.HasPrefix(problem, "found character that cannot start"):
		return m.at, r.characters(m.at, 1) + cannotStart
	}
	return m.at, problem
}

// explainKey says why something that ends a map's value is no key of the map.
func (r *reader) explainKey(at Pos) string {
	before := strings.TrimSuffix(r.lines.text(at.Line), r.lines.from(at.Line, at.Column))
	before = strings.TrimSpace(before)
	switch {
	case r.characters(at, 1) == ":":
		return "want a key before the colon, have nothing"
	case before == "" && strings.HasPrefix(r.lines.from(at.Line, at.Column), "- "):
		return "a list entry stands where a key of the map is wanted"
	case before == "":
		return "the indentation fits no map above; keys of one map start in one column"
	case strings.HasSuffix(before, "'") || strings.HasSuffix(before, `"`):
		return "something stands after the closing quote; " + innerQuote(before[len(before)-1:])
	}
	return "the value ends before this, have " + r.have(at)
}

func innerQuote(quote string) string {
	if quote == "'" {
		return "inside single quotes, '' stands for one"
	}
	return `inside double quotes, \" stands for one`
}

func (r *reader) unclosed(m yamlMarks) string {
	opened := r.characters(m.start, 1)
	closing := map[string]string{"[": "]", "{": "}"}[opened]
	if strings.TrimSpace(r.lines.from(m.at.Line, 1)) == "" {
		return fmt.Sprintf("the %s that opens here is never closed; add the %s", opened, closing)
	}
	return fmt.Sprintf("the %s that opens here is not closed before line %d; add the %s", opened, m.at.Line, closing)
}

// neverCloses tells whether a bracket was forgotten: what broke stands on a later line, indented no deeper than the
// line of the bracket.
func (r *reader) neverCloses(m yamlMarks) bool {
	indent := func(line int) int { return len(r.lines.text(line)) - len(strings.TrimLeft(r.lines.text(line), " ")) }
	return m.at.Line > m.start.Line && strings.ContainsAny(r.characters(m.start, 1), "[{") && indent(m.at.Line) <= indent(m.start.Line)
}

func (r *reader) characters(at Pos, n int) string {
	rest := []rune(r.lines.from(at.Line, at.Column))
	return string(rest[:min(n, len(rest))])
}

func (r *reader) have(at Pos) string {
	if word := firstWord(r.lines.from(at.Line, at.Column)); word != "" {
		return strconv.Quote(word)
	}
	if at.Line >= len(r.lines.starts)-1 {
		return "the end of the file"
	}
	return "the end of the line"
}

func firstWord(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	if word := []rune(words[0]); len(word) > 20 {
		return string(word[:19]) + "…"
	}
	return words[0]
}

// brokenValue is what stands on a line behind its dashes and its key.
func brokenValue(line string) string {
	value := strings.TrimLeft(line, " \t-")
	if _, after, ok := strings.Cut(value, ": "); ok {
		value = after
	}
	return strings.TrimSpace(value)
}

// wantsQuotes tells whether a value holds characters that YAML gives a meaning of their own.
func wantsQuotes(value string) bool {
	for _, sign := range []string{"${", ": ", " #", "*", "!", "@", "%"} {
		if strings.Contains(value, sign) {
			return true
		}
	}
	return false
}
