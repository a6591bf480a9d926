package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readJSON reads one JSON document token by token, because yaml.v3 does not read all JSON and encoding/json's own
// decoding keeps no places.
func (r *reader) readJSON() *node {
	j := &jsonReader{reader: r, d: json.NewDecoder(bytes.NewReader(r.src)), line: 1}
	j.d.UseNumber()
	root, err := j.value(1)
	if err == nil {
		if _, extra := j.d.Token(); !errors.Is(extra, io.EOF) {
			r.faults.Add(j.here(), "syntax", "something stands after the end of the document; one file holds one tool")
		}
		return root
	}
	if !errors.Is(err, errFaultSaid) {
		r.faults.Add(j.faultPlace(err), "syntax", "%s", strings.TrimPrefix(jsonFaultText(err), "json: "))
	}
	return nil
}

// errFaultSaid ends the reading of a document whose fault is in the diagnostics already.
var errFaultSaid = errors.New("fault said")

func jsonFaultText(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the document ends too early: a bracket, a brace or a quote is still open"
	}
	return err.Error()
}

type jsonReader struct {
	*reader
	d      *json.Decoder
	offset int // up to where line and the column's start are known
	line   int
	start  int // offset of the line's first byte
}

func (j *jsonReader) faultPlace(err error) Pos {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		return placeOf(j.file, j.src, int(syntax.Offset)-1)
	}
	return placeOf(j.file, j.src, len(bytes.TrimRight(j.src, " \t\r\n")))
}

// here is the place of the next token.
func (j *jsonReader) here() Pos {
	next := int(j.d.InputOffset())
	for next < len(j.src) && strings.IndexByte(" \t\r\n,:", j.src[next]) >= 0 {
		next++
	}
	for ; j.offset < next; j.offset++ {
		if j.src[j.offset] == '\n' {
			j.line, j.start = j.line+1, j.offset+1
		}
	}
	pos := placeOf(j.file, j.src[j.start:], next-j.start)
	pos.Line = j.line
	return pos
}

func (j *jsonReader) value(depth int) (*node, error) {
	pos := j.here()
	if !j.admit(pos, depth) {
		return nil, errFaultSaid
	}
	token, err := j.d.Token()
	if err != nil {
		return nil, err
	}
	n := &node{pos: pos}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return j.object(n, depth)
		}
		return j.array(n, depth)
	case string:
		n.form, n.text = FormText, v
		n.exact = j.layoutOf(v)
	case json.Number:
		n.form, n.text, n.plain = FormNumber, v.String(), true
		n.exact = layout{kind: layoutLine}
		j.checkNumber(n)
	case bool:
		n.form, n.text, n.plain = FormBool, fmt.Sprint(v), true
	default:
		n.form = FormNull
	}
	return n, nil
}

// layoutOf tells whether the string just read stands in the file character for character.
func (j *jsonReader) layoutOf(v string) layout {
	end := int(j.d.InputOffset())
	if start := end - len(v) - 1; start > 0 && string(j.src[start:end-1]) == v && j.src[start-1] == '"' {
		return layout{kind: layoutLine, indent: 1}
	}
	return layout{}
}

func (j *jsonReader) object(m *node, depth int) (*node, error) {
	m.form = FormMap
	seen := map[string]Pos{}
	for j.d.More() {
		key := &node{form: FormText, pos: j.here()}
		token, err := j.d.Token()
		if err != nil {
			return nil, err
		}
		key.text = token.(string) // the decoder takes nothing else for a key
		value, err := j.value(depth + 1)
		if err != nil {
			return nil, err
		}
		j.addField(m, seen, key, value)
	}
	_, err := j.d.Token()
	return m, err
}

func (j *jsonReader) array(list *node, depth int) (*node, error) {
	list.form = FormList
	for j.d.More() {
		item, err := j.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list.items = append(list.items, item)
	}
	_, err := j.d.Token()
	return list, err
}
