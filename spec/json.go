package spec

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// readJSON reads one JSON document. encoding/json tells whether it is one, but keeps no places; yaml.v3 keeps places,
// but does not read all JSON. So the valid text is walked here.
func (r *reader) readJSON() *node {
	if strings.TrimSpace(r.src) == "" {
		r.fault(Pos{r.file, 1, 1}, "syntax", emptyFile, "empty")
		return nil
	}
	var valid json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal([]byte(r.src), &valid); errors.As(err, &syntax) {
		r.jsonFault(syntax)
		return nil
	}
	j := &jsonReader{reader: r, line: 1, column: 1}
	return j.value(1)
}

// jsonFault places a syntax error and says it in words of a tool file.
func (r *reader) jsonFault(err *json.SyntaxError) {
	at := max(0, int(err.Offset)-1)
	message := err.Error()
	switch {
	case strings.HasPrefix(message, "unexpected end"):
		at = len(strings.TrimRight(r.src, " \t\r\n"))
		message = "the document ends too early: a bracket, a brace or a quote is still open"
	case strings.Contains(message, "max depth"):
		r.fault(r.lines.place(r.file, at), "limit", "nested more than %d deep", MaxDepth)
		return
	default:
		c, _ := utf8.DecodeRuneInString(r.src[at:])
		if message = explainJSON(message, c); message == noComments {
			message += "; a .yaml file has"
		}
	}
	r.fault(r.lines.place(r.file, at), "syntax", "%s", message)
}

const noComments = "JSON has no comments"

// explainJSON says what a character that encoding/json stumbles over is in the way of.
func explainJSON(message string, c rune) string {
	find := func(part string) bool { return strings.Contains(message, part) }
	switch {
	case find("after top-level value"):
		return "something stands after the end of the document; one file holds one tool"
	case find("looking for beginning") && (c == '}' || c == ']'):
		return fmt.Sprintf("a value or a key is missing before this %c: JSON has no comma at the end", c)
	case find("looking for beginning") && c == '\'':
		return "JSON has double quotes only"
	case !find("in string") && (c == '/' || c == '#'):
		return noComments
	case find("looking for beginning of object key"):
		return fmt.Sprintf("want a key in double quotes here, have %q", c)
	case find("looking for beginning of value"):
		return fmt.Sprintf("want a value here, have %q; a text stands in double quotes", c)
	case find("in literal"):
		return "want true, false, null or a number here; a text stands in double quotes"
	case find("after object key:value pair"):
		return fmt.Sprintf("want , or } here, have %q", c)
	case find("after array element"):
		return fmt.Sprintf("want , or ] here, have %q", c)
	case find("after object key"):
		return fmt.Sprintf("want a colon here, have %q", c)
	case find("in string literal") && (c == '\n' || c == '\r'):
		return "the text is not closed where its line ends; a line break in a text is \\n"
	case find("in string literal"):
		return fmt.Sprintf("a text holds the control character %U; write it as \\u%04x", c, c)
	case find("in string escape code"):
		return fmt.Sprintf("unknown escape \\%c; a backslash is \\\\", c)
	}
	return message
}

// jsonReader walks a text that is known to be JSON.
type jsonReader struct {
	*reader
	at     int // offset of the next byte
	line   int // and its place
	column int
}

// skip moves on by n bytes, none of them a line break.
func (j *jsonReader) skip(n int) {
	j.column += utf8.RuneCountInString(j.src[j.at : j.at+n])
	j.at += n
}

// space moves on to the next byte that is not white space.
func (j *jsonReader) space() {
	for ; j.at < len(j.src); j.at++ {
		switch j.src[j.at] {
		case ' ', '\t':
			j.column++
		case '\r', '\n':
			if lf := j.src[j.at] == '\n'; lf || j.at+1 == len(j.src) || j.src[j.at+1] != '\n' {
				j.line, j.column = j.line+1, 1
			}
		default:
			return
		}
	}
}

// value reads one value; nil when the file is read no further.
func (j *jsonReader) value(depth int) *node {
	j.space()
	n := j.node(FormAbsent, Pos{j.file, j.line, j.column})
	if !j.admit(n.pos(), depth) {
		return nil
	}
	switch j.src[j.at] {
	case '{':
		n.form = FormMap
		var seen keySet
		return j.entries(n, '}', func() bool {
			key := j.node(FormText, Pos{j.file, j.line, j.column})
			j.text(key)
			j.space()
			j.skip(1) // the colon
			item := j.value(depth + 1)
			if item != nil {
				j.addField(n, &seen, key, item)
			}
			return item != nil
		})
	case '[':
		n.form = FormList
		return j.entries(n, ']', func() bool {
			item := j.value(depth + 1)
			n.items = append(n.items, item)
			return item != nil
		})
	case '"':
		n.form = FormText
		j.text(n)
	default:
		j.literal(n)
	}
	return n
}

// entries reads what stands between brackets; entry reads one, and tells whether to go on.
func (j *jsonReader) entries(n *node, end byte, entry func() bool) *node {
	j.skip(1)
	for j.space(); j.src[j.at] != end; j.space() {
		if j.src[j.at] == ',' {
			j.skip(1)
			continue
		}
		if !entry() {
			return nil
		}
	}
	j.skip(1)
	return n
}

func (j *jsonReader) text(n *node) {
	end := j.at + 1
	for ; j.src[end] != '"'; end++ {
		if j.src[end] == '\\' {
			end++
		}
	}
	quoted := j.src[j.at : end+1]
	n.text = quoted[1 : len(quoted)-1]
	n.exact = layout{kind: layoutLine, indent: 1}
	if strings.Contains(n.text, `\`) {
		n.exact = layout{kind: layoutDouble, raw: n.text}
		_ = json.Unmarshal([]byte(quoted), &n.text) // valid: the whole document is
		if halfPair(quoted) != "" {
			j.fault(n.pos(), "encoding", "the text holds half of a surrogate pair, which is no character")
		}
	}
	j.skip(len(quoted))
}

// literal reads a number, true, false or null.
func (j *jsonReader) literal(n *node) {
	n.text, n.plain = j.src[j.at:], true
	if end := strings.IndexAny(n.text, " \t\r\n,]}"); end >= 0 {
		n.text = n.text[:end]
	}
	n.form = plainForm(n.text)
	n.exact = layout{kind: layoutLine}
	j.skip(len(n.text))
	j.checkNumber(n)
}
