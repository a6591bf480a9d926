package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// AddTest is a tool file with one more test at the end of its tests, and every other byte as it was. The test is a JSON
// object, whose keys keep their order; it is written as the file is: YAML or JSON, in its indentation, with its line
// breaks. What comes of it has been read again: it says the same as before but for that test. An error tells why that
// could not be had.
func AddTest(file string, src []byte, test json.RawMessage) ([]byte, error) {
	root, ds := ReadDocument(file, src)
	if err := ds.Err(); err != nil {
		return nil, err
	}
	item, ds := ReadDocument("test.json", test)
	if err := ds.Err(); err != nil {
		return nil, err
	}
	text, _ := plainText(file, src)
	p := &addition{file: file, mark: string(src[:len(src)-len(text)]), text: text, lines: linesOf(text), root: root, tests: root.Get("tests"), item: item}
	if root.Form() != FormMap || !p.tests.IsZero() && p.tests.Form() != FormList {
		return nil, errors.New("tests is not a list")
	}
	p.learn()
	for i, c := range p.candidates() {
		if i == maxCandidates {
			break
		}
		if out := p.apply(c); p.holds(out) {
			return out, nil
		}
	}
	if len(src)+len(test) > MaxFileBytes {
		return nil, errors.New("a tool file holds at most 256 KiB, which this test would exceed")
	}
	return nil, errors.New("the file is laid out in a way that leaves no safe place for one more test")
}

// maxCandidates bounds how many places are tried: each costs reading the file.
const maxCandidates = 64

// addition is a test on its way into a file.
type addition struct {
	file  string
	mark  string // a byte order mark, if there is one
	text  string // the rest
	lines *lines
	root  Section
	tests Section // absent if there are none yet
	item  Section

	flow   bool   // the root stands in braces
	eol    string // the file's line break
	indent string // of the root's keys
	unit   string // by which the file indents what stands within
	dashes string // by which it indents the entries of a list below its key
}

// candidate is a part of the text and what might stand in its place.
type candidate struct {
	from, to int
	text     string
}

func (p *addition) apply(c candidate) []byte {
	return []byte(p.mark + p.text[:c.from] + c.text + p.text[c.to:])
}

// holds tells whether a text says the same as before but for the test.
func (p *addition) holds(out []byte) bool {
	root, ds := ReadDocument(p.file, out)
	if len(ds) > 0 || root.Form() != FormMap || digest(root) != digest(p.root) {
		return false
	}
	before, after := p.tests.Items(), root.Get("tests").Items()
	if len(after) != len(before)+1 {
		return false
	}
	for i, s := range append(before, p.item) {
		if !bytes.Equal(s.canonical(), after[i].canonical()) {
			return false
		}
	}
	return true
}

func (s Section) canonical() []byte {
	var b bytes.Buffer
	s.n.writeCanonical(&b)
	return b.Bytes()
}

// offset is where a place is in the text.
func (p *addition) offset(at Pos) int {
	return p.lines.starts[at.Line-1] + len(p.lines.text(at.Line)) - len(p.lines.from(at.Line, at.Column))
}

// learn finds how the file is written.
func (p *addition) learn() {
	p.eol, p.unit, p.dashes = "\n", "  ", "  "
	if i := strings.IndexAny(p.text, "\r\n"); i >= 0 {
		if p.eol = p.text[i : i+1]; strings.HasPrefix(p.text[i:], "\r\n") {
			p.eol = "\r\n"
		}
	}
	p.flow = strings.HasPrefix(p.text[p.offset(p.root.Pos()):], "{")
	for i, f := range p.root.Fields() {
		if i == 0 || p.flow {
			p.indent = p.margin(f.Key.Pos)
		}
		p.learnFrom(f)
	}
	if p.flow && p.indent != "" {
		p.unit = p.indent
	}
}

// learnFrom looks at how what stands below a key of the root is indented.
func (p *addition) learnFrom(f Field) {
	if f.Value.Pos().Line <= f.Key.Pos.Line || p.flow {
		return
	}
	below := strings.TrimPrefix(p.margin(f.Value.Pos()), p.indent)
	switch {
	case f.Value.Form() == FormMap && below != "":
		p.unit = below
	case f.Value.Form() == FormList:
		p.dashes = below
	}
}

// margin is the white space before a place, if nothing else stands before it in its line.
func (p *addition) margin(at Pos) string {
	before := p.text[p.lines.starts[at.Line-1]:p.offset(at)]
	if strings.Trim(before, " \t") != "" {
		return ""
	}
	return before
}

// candidates are the places where the test may go, the likeliest first.
func (p *addition) candidates() []candidate {
	switch at := p.tests.Items(); {
	case p.tests.IsZero() && p.flow:
		return p.insideBraces()
	case p.tests.IsZero():
		return p.newKey()
	case strings.HasPrefix(p.text[p.offset(p.tests.Pos()):], "["):
		return p.insideBrackets(p.tests)
	case len(at) > 0:
		return p.behindEntries()
	}
	return nil
}
