package spec

// node is one value of a tool file: what both readers, YAML's and JSON's, make of it. Nodes are never changed once
// the document is read. What an alias or a merge key brings in has the place of its anchor.
type node struct {
	form  Form
	plain bool // a scalar without quotes, whose form follows from its characters
	at    place
	text  string // a scalar's characters, as written
	exact layout
	keys  []*node // of a map, in the order of the file; each one a scalar
	items []*node // of a list; of a map: the values
}

// place is a [Pos] in less room: a file has hundreds of nodes, and they live as long as its tool.
type place struct {
	file         *string // the same for all of a file
	line, column int32
}

func (p place) Pos() Pos { return Pos{*p.file, int(p.line), int(p.column)} }

func placeIn(file *string, p Pos) place {
	return place{file, int32(p.Line), int32(p.Column)} // #nosec G115 -- a file has at most MaxFileBytes
}

// pos is where the node starts.
func (n *node) pos() Pos { return n.at.Pos() }

// Form is what a value of a tool file is, by YAML 1.2's core schema: dates, yes, no, on and off are text.
type Form uint8

// The forms.
const (
	FormAbsent Form = iota
	FormNull
	FormBool
	FormNumber
	FormText
	FormList
	FormMap
)

var formNames = [...]string{"nothing", "null", "a boolean", "a number", "text", "a list", "a map"}

// String is the form in words, with its article.
func (f Form) String() string { return formNames[f] }

// Scalar tells whether the form is a boolean, a number or a text: what can stand where a text is wanted.
func (f Form) Scalar() bool { return f == FormBool || f == FormNumber || f == FormText }
