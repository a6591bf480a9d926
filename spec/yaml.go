package spec

import (
	"errors"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

const (
	emptyFile  = "the file is %s; a tool file has at least name, description and executor"
	secondFile = "a second document starts here; one file holds one tool"
	unknownTag = "unknown YAML tag %s; put a value that starts with ! in single quotes"
)

// readYAML reads one YAML document with yaml.v3, whose own decoding is never used: it resolves by YAML 1.1, drops
// unknown keys, and keeps neither digits nor places.
func (r *reader) readYAML() (root *node) {
	text := r.withoutDirectives()
	r.refuseStrangers()
	if r.faults.HasErrors() {
		return nil
	}
	d := yaml.NewDecoder(strings.NewReader(text))
	defer func() {
		if cause := recover(); cause != nil {
			r.fault(Pos{r.file, 1, 1}, "syntax", "the YAML reader gave up: %v", cause)
			root = nil
		}
	}()
	var doc, second yaml.Node
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		what := "empty"
		if strings.TrimSpace(r.src) != "" {
			what = "empty but for comments"
		}
		r.fault(Pos{r.file, 1, 1}, "syntax", emptyFile, what)
		return nil
	} else if err != nil {
		r.yamlFault(d, err)
		return nil
	}
	if err := d.Decode(&second); err == nil {
		r.fault(r.lines.within(r.file, second.Line, second.Column), "syntax", secondFile)
	} else if !errors.Is(err, io.EOF) {
		r.secondFault(d, doc.Content[0].Line, err)
	}
	y := &yamlReader{reader: r, open: map[*yaml.Node]bool{}}
	return y.value(doc.Content[0], 1)
}

// secondFault is what is wrong behind the end of the first document: most of all that there is something.
func (r *reader) secondFault(d *yaml.Decoder, first int, err error) {
	for line := first + 1; line <= len(r.lines.starts); line++ {
		if strings.HasPrefix(r.lines.text(line), "---") {
			r.fault(Pos{r.file, line, 1}, "syntax", secondFile)
			return
		}
	}
	r.yamlFault(d, err)
}

// withoutDirectives is the text with the lines that say %YAML 1.1 or 1.2 made comments: yaml.v3 refuses the second.
// Any other directive is a fault; many of them would cost quadratic time.
func (r *reader) withoutDirectives() string {
	text := []byte(r.src)
	for line := 1; line <= len(r.lines.starts); line++ {
		words := strings.Fields(r.lines.text(line))
		switch {
		case len(words) == 0 || words[0][0] == '#':
		case r.lines.text(line)[0] != '%':
			return string(text)
		case words[0] == "%YAML" && len(words) > 1 && (words[1] == "1.1" || words[1] == "1.2"):
			text[r.lines.starts[line-1]] = '#'
		default:
			r.fault(Pos{r.file, line, 1}, "syntax", "unknown directive %s; a line that starts with %% is one", shown(words[0]))
			return string(text)
		}
	}
	return string(text)
}

// refuseStrangers finds characters that YAML does not allow, and those that are line breaks in YAML 1.1 and none in
// YAML 1.2.
func (r *reader) refuseStrangers() {
	for i, c := range r.src {
		switch {
		case c == 0x85 || c == 0x2028 || c == 0x2029:
			r.fault(r.lines.place(r.file, i), "encoding", `the character U+%04X is a line break to some readers and none to others; write it as "\u%04x" in double quotes`, c, c)
		case c < ' ' && c != '\t' && c != '\n' && c != '\r', c >= 0x7F && c < 0xA0, c == 0xFEFF, c >= 0xFFFE && c <= 0xFFFF:
			r.fault(r.lines.place(r.file, i), "encoding", `the character U+%04X cannot stand in a YAML file; write it as "\u%04x" in double quotes`, c, c)
		}
		if len(r.faults) >= maxFaults {
			return
		}
	}
}

// yamlReader walks yaml.v3's nodes.
type yamlReader struct {
	*reader
	open map[*yaml.Node]bool // anchors being read: an alias to one of them has no end
}

func (y *yamlReader) place(n *yaml.Node) Pos { return y.lines.within(y.file, n.Line, n.Column) }

func (y *yamlReader) value(n *yaml.Node, depth int) *node {
	pos := y.place(n)
	if !y.admit(pos, depth) {
		return y.node(FormNull, pos)
	}
	y.refuseBareTag(n)
	switch n.Kind {
	case yaml.AliasNode:
		if y.open[n.Alias] {
			y.fault(pos, "syntax", "the alias *%s stands inside what it names", n.Value)
			return y.node(FormNull, pos)
		}
		y.nodes-- // the named node is counted by itself
		return y.value(n.Alias, depth)
	case yaml.MappingNode:
		y.open[n] = true
		defer delete(y.open, n)
		y.checkTag(n, "!!map")
		return y.mapping(n, pos, depth)
	case yaml.SequenceNode:
		y.open[n] = true
		defer delete(y.open, n)
		y.checkTag(n, "!!seq")
		list := y.node(FormList, pos)
		for _, item := range n.Content {
			list.items = append(list.items, y.value(item, depth+1))
		}
		return list
	}
	return y.scalar(n)
}

func (y *yamlReader) mapping(n *yaml.Node, pos Pos, depth int) *node {
	m := y.node(FormMap, pos)
	m.keys, m.items = make([]*node, 0, min(len(n.Content)/2, MaxKeys)), make([]*node, 0, min(len(n.Content)/2, MaxKeys))
	var seen keySet
	var merged []*node
	var merge *yaml.Node
	for i := 0; i+1 < len(n.Content) && y.nodes <= MaxNodes; i += 2 {
		key, value := n.Content[i], y.value(n.Content[i+1], depth+1)
		if key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge" {
			if merge != nil {
				y.fault(y.place(key), "duplicate-key", "<< is given twice; first at line %d; write <<: [*a, *b]", merge.Line)
			}
			merge, merged = key, y.mergeSources(value)
			continue
		}
		if k := y.key(key); k != nil {
			y.addField(m, &seen, k, value)
		}
	}
	for _, from := range merged {
		for i, k := range from.keys {
			if seen.find(m, k.text) == nil {
				y.addField(m, &seen, k, from.items[i])
			}
		}
	}
	return m
}

// mergeSources are the maps that a merge key brings in, the strongest first.
func (y *yamlReader) mergeSources(value *node) []*node {
	sources := []*node{value}
	if value.form == FormList {
		sources = value.items
	}
	for _, from := range sources {
		if from.form != FormMap {
			y.fault(from.pos(), "syntax", "<<: want a map or a list of maps, have %s", from.form)
			return nil
		}
	}
	return sources
}

func (y *yamlReader) key(n *yaml.Node) *node {
	pos := y.place(n)
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		y.fault(pos, "syntax", "a key is a text, this one is a list or a map; if it is meant as a template, put the whole value in single quotes")
		return nil
	}
	y.refuseBareTag(n)
	key := y.scalar(n)
	if key.plain && key.text == "" {
		y.fault(pos, "syntax", "want a key before the colon, have nothing")
		return nil
	}
	key.form, key.at = FormText, placeIn(y.name, pos) // whatever its form as a value, a key is its characters
	return key
}

func (y *yamlReader) scalar(n *yaml.Node) *node {
	pos, exact := y.layoutOf(n)
	s := y.node(FormText, pos)
	s.text, s.exact = n.Value, exact
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		s.form = y.taggedForm(n)
	case n.Style == 0:
		s.plain, s.form = true, plainForm(n.Value)
	}
	y.checkNumber(s)
	return s
}

// taggedForm is the form of a scalar with an explicit tag; only the core schema's tags are known.
func (y *yamlReader) taggedForm(n *yaml.Node) Form {
	form := FormText
	switch n.ShortTag() {
	case "!!str", "!!merge":
		return FormText
	case "!!null":
		form = FormNull
	case "!!bool":
		form = FormBool
	case "!!int", "!!float":
		form = FormNumber
	default:
		y.fault(y.place(n), "syntax", unknownTag, n.Tag)
		return FormText
	}
	if form != plainForm(n.Value) {
		y.fault(y.place(n), "syntax", "%s is not %s, as its tag %s says", shown(n.Value), form, n.ShortTag())
		return FormNull
	}
	return form
}

// refuseBareTag refuses a ! alone before a value. yaml.v3 drops it without a trace, and who writes `when: ! steps.a.ok`
// means the opposite of what is left.
func (y *yamlReader) refuseBareTag(n *yaml.Node) {
	rest := y.lines.from(n.Line, n.Column)
	if strings.HasPrefix(rest, "&") { // an anchor
		_, rest, _ = strings.Cut(rest, " ")
		rest = strings.TrimLeft(rest, " \t")
	}
	if word, _, _ := strings.Cut(rest, " "); word == "!" || strings.HasPrefix(word, "!\t") {
		y.fault(y.place(n), "syntax", unknownTag, "!")
	}
}

func (y *yamlReader) checkTag(n *yaml.Node, want string) {
	if n.Style&yaml.TaggedStyle != 0 && n.ShortTag() != want {
		y.fault(y.place(n), "syntax", unknownTag, n.Tag)
	}
}
