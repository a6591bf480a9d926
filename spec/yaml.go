package spec

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// readYAML reads one YAML document with yaml.v3, whose own decoding is never used: it resolves by YAML 1.1, drops
// unknown keys, and keeps neither digits nor places.
func (r *reader) readYAML() *node {
	d := yaml.NewDecoder(bytes.NewReader(r.src))
	var doc yaml.Node
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		r.faults.Add(Pos{r.file, 1, 1}, "syntax", "the file is empty; a tool file has at least name, description and executor")
		return nil
	} else if err != nil {
		r.yamlFault(err)
		return nil
	}
	var second yaml.Node
	if err := d.Decode(&second); err == nil {
		pos := Pos{r.file, max(second.Line, 1), max(second.Column, 1)}
		r.faults.Add(pos, "syntax", "a second document starts here; one file holds one tool")
		return nil
	} else if !errors.Is(err, io.EOF) {
		r.yamlFault(err)
		return nil
	}
	y := &yamlReader{reader: r, lines: bytes.Split(r.src, []byte("\n")), open: map[*yaml.Node]bool{}}
	return y.node(doc.Content[0], 1)
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// yamlFault places a syntax error of yaml.v3, which has a line and no column; its parser (not its scanner) counts
// lines from 0 and leaves line 0 out.
func (r *reader) yamlFault(err error) {
	m := yamlLine.FindStringSubmatch(err.Error())
	message := strings.TrimPrefix(err.Error(), m[0])
	line, _ := strconv.Atoi(m[1])
	if line == 0 {
		line = 1
	} else if strings.HasPrefix(message, "did not find expected") && !strings.Contains(message, "alphabetic") {
		line++
	}
	pos := r.firstNonBlank(line)
	if hint := quoteHint(r.lineText(pos.Line)); hint != "" {
		message += "; " + hint
	}
	r.faults.Add(pos, "syntax", "%s", message)
}

func (r *reader) lineText(line int) string {
	lines := bytes.Split(r.src, []byte("\n"))
	return string(lines[min(line, len(lines))-1])
}

func (r *reader) firstNonBlank(line int) Pos {
	line = min(line, 1+bytes.Count(r.src, []byte("\n")))
	text := r.lineText(line)
	return Pos{r.file, line, 1 + len(text) - len(strings.TrimLeft(text, " \t"))}
}

// quoteHint is what to do about a broken line that holds characters YAML gives a meaning of their own.
func quoteHint(line string) string {
	value := line
	if i := strings.Index(line, ": "); i >= 0 {
		value = line[i+2:]
	}
	value = strings.TrimSpace(value)
	for _, sign := range []string{"${", ": ", " #", "*", "!", "@", "%"} {
		if strings.Contains(value, sign) {
			return "put the whole value in single quotes"
		}
	}
	return ""
}

// yamlReader walks yaml.v3's nodes.
type yamlReader struct {
	*reader
	lines [][]byte
	open  map[*yaml.Node]bool // anchors being read: an alias to one of them has no end
}

func (y *yamlReader) node(n *yaml.Node, depth int) *node {
	pos := Pos{y.file, n.Line, n.Column}
	if !y.admit(pos, depth) {
		return &node{form: FormNull, pos: pos}
	}
	if n.Kind == yaml.AliasNode {
		if y.open[n.Alias] {
			y.faults.Add(pos, "syntax", "the alias *%s stands inside what it names", n.Value)
			return &node{form: FormNull, pos: pos}
		}
		y.nodes-- // the named node is counted by itself
		return y.node(n.Alias, depth)
	}
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		y.open[n] = true
		defer delete(y.open, n)
	}
	switch n.Kind {
	case yaml.MappingNode:
		y.checkTag(n, "!!map")
		return y.mapping(n, pos, depth)
	case yaml.SequenceNode:
		y.checkTag(n, "!!seq")
		list := &node{form: FormList, pos: pos}
		for _, item := range n.Content {
			list.items = append(list.items, y.node(item, depth+1))
		}
		return list
	}
	return y.scalar(n, pos)
}

func (y *yamlReader) mapping(n *yaml.Node, pos Pos, depth int) *node {
	m := &node{form: FormMap, pos: pos}
	seen := make(map[string]Pos, len(n.Content)/2)
	var merged []*node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], y.node(n.Content[i+1], depth+1)
		if key.Kind == yaml.ScalarNode && key.Value == "<<" && key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
			merged = append(merged, y.mergeSources(value)...)
			continue
		}
		if k := y.key(key); k != nil {
			y.addField(m, seen, k, value)
		}
	}
	for _, from := range merged {
		for i, k := range from.keys {
			if _, given := seen[k.text]; !given {
				y.addField(m, seen, k, from.items[i])
			}
		}
	}
	return m
}

// mergeSources are the maps that a merge key brings in, the strongest first.
func (y *yamlReader) mergeSources(value *node) []*node {
	switch value.form {
	case FormMap:
		return []*node{value}
	case FormList:
		var maps []*node
		for _, item := range value.items {
			maps = append(maps, y.mergeSources(item)...)
		}
		return maps
	}
	y.faults.Add(value.pos, "syntax", "<<: want a map or a list of maps, have %s", value.form)
	return nil
}

func (y *yamlReader) key(n *yaml.Node) *node {
	pos := Pos{y.file, n.Line, n.Column}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		y.faults.Add(pos, "syntax", "a key is a text; have a list or a map: if this is a template, put it in single quotes")
		return nil
	}
	return &node{form: FormText, pos: pos, text: n.Value, plain: n.Style == 0}
}

func (y *yamlReader) scalar(n *yaml.Node, pos Pos) *node {
	s := &node{form: FormText, pos: pos, text: n.Value}
	quoted := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	s.exact = y.layoutOf(n)
	if tagged := n.Style&yaml.TaggedStyle != 0; tagged {
		s.form = y.taggedForm(n)
		return s
	}
	if !quoted {
		s.plain = true
		s.form = plainForm(n.Value)
		y.checkNumber(s)
	}
	return s
}

func (y *yamlReader) layoutOf(n *yaml.Node) layout {
	if n.Line < 1 || n.Line > len(y.lines) {
		return layout{}
	}
	runes := []rune(string(y.lines[n.Line-1]))
	if n.Column < 1 || n.Column > len(runes) {
		return layout{}
	}
	rest := string(runes[n.Column-1:])
	switch {
	case n.Style&yaml.LiteralStyle != 0:
		return y.blockLayout(n)
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		if strings.HasPrefix(rest[1:], n.Value) && !strings.ContainsAny(n.Value, "\n") {
			return layout{kind: layoutLine, indent: 1}
		}
	case n.Style&yaml.FoldedStyle == 0 && strings.HasPrefix(rest, n.Value):
		return layout{kind: layoutLine}
	}
	return layout{}
}

// blockLayout finds how far a literal block is indented: its first line that is not empty tells.
func (y *yamlReader) blockLayout(n *yaml.Node) layout {
	first, _, _ := strings.Cut(strings.TrimLeft(n.Value, "\n"), "\n")
	skipped := len(n.Value) - len(strings.TrimLeft(n.Value, "\n"))
	if first == "" || n.Line+skipped >= len(y.lines) {
		return layout{}
	}
	line := string(bytes.TrimSuffix(y.lines[n.Line+skipped], []byte("\r")))
	if !strings.HasSuffix(line, first) {
		return layout{}
	}
	return layout{kind: layoutBlock, indent: utf8.RuneCountInString(line) - utf8.RuneCountInString(first)}
}

// taggedForm is the form of a scalar with an explicit tag; only the core schema's tags are known.
func (y *yamlReader) taggedForm(n *yaml.Node) Form {
	plain := plainForm(n.Value)
	want := map[string]Form{"!!str": FormText, "!!null": FormNull, "!!bool": FormBool, "!!int": FormNumber, "!!float": FormNumber, "!": FormText}
	pos := Pos{y.file, n.Line, n.Column}
	form, known := want[n.ShortTag()]
	switch {
	case !known:
		y.faults.Add(pos, "syntax", "unknown YAML tag %s; put a value that starts with ! in single quotes", n.Tag)
		return FormText
	case form != FormText && form != plain:
		y.faults.Add(pos, "syntax", "%q is not %s, as its tag %s says", n.Value, form, n.Tag)
		return FormNull
	}
	if form == FormNumber {
		y.checkNumber(&node{form: form, pos: pos, text: n.Value})
	}
	return form
}

func (y *yamlReader) checkTag(n *yaml.Node, want string) {
	if n.Style&yaml.TaggedStyle != 0 && n.ShortTag() != want {
		y.faults.Add(Pos{y.file, n.Line, n.Column}, "syntax", "unknown YAML tag %s; put a value that starts with ! in single quotes", n.Tag)
	}
}
