package spec

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"
)

// ReadDocument reads the one document of a YAML or JSON file (by its last extension; .json is JSON, anything else
// YAML) within the limits of this package.
func ReadDocument(file string, src []byte) (Section, Diagnostics) {
	start := Pos{File: file, Line: 1, Column: 1}
	src, fault := plainText(start, src)
	if fault != nil {
		return Section{}, Diagnostics{*fault}
	}
	r := &reader{file: file, src: src}
	var root *node
	if strings.EqualFold(path.Ext(file), ".json") {
		root = r.readJSON()
	} else {
		root = r.readYAML()
	}
	r.faults.Sort()
	if r.faults.HasErrors() {
		return Section{}, r.faults
	}
	return Section{n: root}, r.faults
}

// plainText refuses what is too large or not UTF-8, and takes a byte order mark away.
func plainText(start Pos, src []byte) ([]byte, *Diagnostic) {
	refuse := func(pos Pos, format string, args ...any) ([]byte, *Diagnostic) {
		d := Errorf(pos, "encoding", format, args...)
		return nil, &d
	}
	switch {
	case len(src) > MaxFileBytes:
		return refuse(start, "a tool file holds at most 256 KiB, this one has %d bytes", len(src))
	case bytes.HasPrefix(src, []byte{0xFF, 0xFE}) || bytes.HasPrefix(src, []byte{0xFE, 0xFF}):
		return refuse(start, "the file is UTF-16; save it as UTF-8")
	case len(src) >= 2 && (src[0] == 0) != (src[1] == 0):
		return refuse(start, "the file looks like UTF-16 without a mark; save it as UTF-8")
	}
	src = bytes.TrimPrefix(src, []byte{0xEF, 0xBB, 0xBF})
	for i := 0; i < len(src); {
		c, size := utf8.DecodeRune(src[i:])
		if c == utf8.RuneError && size == 1 {
			return refuse(placeOf(start.File, src, i), "byte %#x is not UTF-8; save the file as UTF-8", src[i])
		}
		i += size
	}
	return src, nil
}

// placeOf is the place of a byte offset.
func placeOf(file string, src []byte, offset int) Pos {
	before := src[:min(offset, len(src))]
	line := bytes.LastIndexByte(before, '\n') + 1
	return Pos{File: file, Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(before[line:])}
}

// reader turns the bytes of one file into nodes, and collects what is wrong on the way.
type reader struct {
	file   string
	src    []byte
	nodes  int
	faults Diagnostics
}

// admit counts one more node; not ok when the file holds too many or too deep.
func (r *reader) admit(pos Pos, depth int) bool {
	r.nodes++
	switch {
	case r.nodes == MaxNodes+1:
		r.faults.Add(pos, "limit", "a tool file holds at most 20,000 values, aliases counted as often as they are used")
	case depth > MaxDepth:
		r.faults.Add(pos, "limit", "nested more than 100 deep")
		r.nodes = MaxNodes + 1 // read no further
	}
	return r.nodes <= MaxNodes
}

// addField puts a key and its value into a map, refusing a key given twice and a map too wide.
func (r *reader) addField(m *node, seen map[string]Pos, key, value *node) {
	if first, twice := seen[key.text]; twice {
		r.faults.Add(key.pos, "duplicate-key", "key %q is given twice; first at line %d, column %d", key.text, first.Line, first.Column)
		return
	}
	if len(m.keys) == MaxKeys {
		r.faults.Add(key.pos, "limit", "a map holds at most 2,000 keys")
		r.nodes = MaxNodes + 1
		return
	}
	seen[key.text] = key.pos
	m.keys, m.items = append(m.keys, key), append(m.items, value)
}

// checkNumber refuses numbers that no JSON has or that cost too much.
func (r *reader) checkNumber(n *node) {
	if n.form != FormNumber {
		return
	}
	if fault := numberFault(n.text); fault != "" {
		shown := n.text
		if len(shown) > 40 {
			shown = shown[:40] + "…"
		}
		r.faults.Add(n.pos, "number", "the number %s is refused: %s; quote it if text is meant", shown, fault)
	}
}
