package spec

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// ReadDocument reads the one document of a YAML or JSON file (by its last extension; .json is JSON, anything else
// YAML, which JSON is too) within the limits of this package. The section is absent if the file cannot be read to its
// end; beside other faults, such as a key given twice, it holds the rest, so that all can be told in one run.
func ReadDocument(file string, src []byte) (Section, Diagnostics) {
	text, fault := plainText(file, src)
	if fault != nil {
		return Section{}, Diagnostics{*fault}
	}
	r := &reader{file: file, name: &file, src: text, lines: linesOf(text)}
	var root *node
	if r.isJSON() {
		root = r.readJSON()
	} else {
		root = r.readYAML()
	}
	if r.nodes > MaxNodes {
		root = nil
	}
	r.faults.Sort()
	return Section{n: root}, r.faults
}

// isJSON tells which reader is right: JSON in a YAML file is YAML, but yaml.v3 does not read all of it.
func (r *reader) isJSON() bool {
	return path.Ext(r.file) == ".json" || strings.HasPrefix(strings.TrimSpace(r.src), "{") && json.Valid([]byte(r.src))
}

// plainText refuses what is too large or not UTF-8, and takes a byte order mark away.
func plainText(file string, src []byte) (string, *Diagnostic) {
	refuse := func(pos Pos, rule, format string, args ...any) (string, *Diagnostic) {
		d := Errorf(pos, rule, format, args...)
		return "", &d
	}
	start := Pos{File: file, Line: 1, Column: 1}
	if len(src) > MaxFileBytes {
		return refuse(start, "limit", "a tool file holds at most 256 KiB, this one has %d bytes", len(src))
	}
	if wide := wideEncoding(src); wide != "" {
		return refuse(start, "encoding", "the file is %s; save it as UTF-8", wide)
	}
	text := strings.TrimPrefix(string(src), "\uFEFF")
	if !utf8.ValidString(text) {
		at := invalidUTF8(text)
		return refuse(linesOf(text).place(file, at), "encoding", "byte 0x%02X is not UTF-8; save the file as UTF-8", text[at])
	}
	return text, nil
}

// wideEncoding names an encoding that is not of bytes, known by its mark or by the zeros beside its first character.
func wideEncoding(src []byte) string {
	head := string(src[:min(4, len(src))])
	switch {
	case head == "\xFF\xFE\x00\x00" || head == "\x00\x00\xFE\xFF":
		return "UTF-32"
	case strings.HasPrefix(head, "\xFF\xFE") || strings.HasPrefix(head, "\xFE\xFF"):
		return "UTF-16"
	case len(head) >= 2 && (head[0] == 0) != (head[1] == 0):
		return "UTF-16"
	}
	return ""
}

func invalidUTF8(text string) int {
	for i, c := range text {
		if c == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			return i
		}
	}
	return len(text)
}

// maxFaults is how many faults of one document are told; a document with more is read no further.
const maxFaults = 100

// reader turns the text of one file into nodes, and collects what is wrong on the way.
type reader struct {
	file   string
	name   *string // the same; nodes share it
	src    string
	lines  *lines
	nodes  int
	spare  []node // made, and not used yet
	faults Diagnostics
}

// node makes a node. Many are made at a time: a file has hundreds, and all live as long as it does.
func (r *reader) node(form Form, pos Pos) *node {
	if len(r.spare) == 0 {
		r.spare = make([]node, 16)
	}
	n := &r.spare[0]
	r.spare = r.spare[1:]
	n.form, n.at = form, placeIn(r.name, pos)
	return n
}

func (r *reader) fault(pos Pos, rule, format string, args ...any) {
	if len(r.faults) == maxFaults {
		r.faults.Add(pos, "limit", "%d faults were found before this one; the file is read no further", maxFaults)
		r.stop()
	}
	if len(r.faults) < maxFaults {
		r.faults.Add(pos, rule, format, args...)
	}
}

// stop has no more nodes admitted.
func (r *reader) stop() { r.nodes = MaxNodes + 1 }

// admit counts one more node; not ok when the file holds too many or too deep.
func (r *reader) admit(pos Pos, depth int) bool {
	r.nodes++
	switch {
	case r.nodes == MaxNodes+1:
		r.fault(pos, "limit", "a tool file holds at most 20,000 values, aliases counted as often as they are used")
	case r.nodes <= MaxNodes && depth > MaxDepth:
		r.fault(pos, "limit", "nested more than %d deep", MaxDepth)
		r.stop()
	}
	return r.nodes <= MaxNodes
}

// addField puts a key and its value into a map, refusing a key given twice and a map too wide.
func (r *reader) addField(m *node, seen *keySet, key, value *node) {
	if first := seen.find(m, key.text); first != nil {
		r.fault(key.pos(), "duplicate-key", "key %s is given twice; first at line %d, column %d", shown(key.text), first.at.line, first.at.column)
		return
	}
	if len(m.keys) == MaxKeys {
		if r.nodes <= MaxNodes {
			r.fault(key.pos(), "limit", "a map holds at most 2,000 keys")
		}
		r.stop()
		return
	}
	m.keys, m.items = append(m.keys, key), append(m.items, value)
}

// keySet finds the keys of a map that is being read: few one by one, many by an index.
type keySet struct {
	index   map[string]*node
	indexed int
}

func (k *keySet) find(m *node, key string) *node {
	if len(m.keys) <= 2*fewFields {
		for _, known := range m.keys {
			if known.text == key {
				return known
			}
		}
		return nil
	}
	if k.index == nil {
		k.index = map[string]*node{}
	}
	for ; k.indexed < len(m.keys); k.indexed++ {
		k.index[m.keys[k.indexed].text] = m.keys[k.indexed]
	}
	return k.index[key]
}

// checkNumber refuses numbers that no JSON has or that cost too much; 0 stands for them, so that nobody meets them.
func (r *reader) checkNumber(n *node) {
	if n.form != FormNumber {
		return
	}
	if fault := numberFault(n.text); fault != "" {
		r.fault(n.pos(), "number", "the number %s is refused: %s; quote it if text is meant", strings.Trim(shown(n.text), `"`), fault)
		n.text = "0"
	}
}

// shown is a text of the file in quotes, cut to what a message has room for.
func shown(text string) string {
	if utf8.RuneCountInString(text) > 60 {
		text = string([]rune(text)[:57]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
