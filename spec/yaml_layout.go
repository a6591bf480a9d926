package spec

import (
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// layoutOf finds where a scalar starts once its anchor and tag are passed, and how its value stands there.
func (y *yamlReader) layoutOf(n *yaml.Node) (Pos, layout) {
	pos := y.place(n)
	rest := y.lines.from(n.Line, n.Column)
	for range 2 { // an anchor and a tag, in either order
		if rest == "" || rest[0] != '&' && rest[0] != '!' {
			break
		}
		i := strings.IndexAny(rest, " \t,[]{}")
		if i < 0 || rest[i] != ' ' && rest[i] != '\t' {
			break
		}
		after := strings.TrimLeft(rest[i:], " \t")
		pos.Column += utf8.RuneCountInString(rest[:len(rest)-len(after)])
		rest = after
	}
	switch style := n.Style &^ yaml.TaggedStyle; {
	case style == yaml.LiteralStyle:
		return pos, y.blockLayout(n)
	case style == yaml.SingleQuotedStyle:
		return pos, quotedLayout(rest, n.Value, layoutSingle)
	case style == yaml.DoubleQuotedStyle:
		return pos, quotedLayout(rest, n.Value, layoutDouble)
	case style == 0 && strings.HasPrefix(rest, n.Value):
		return pos, layout{kind: layoutLine}
	}
	return pos, layout{}
}

// quotedLayout is the layout of a quoted scalar if it ends on its line, which rest is from the opening quote on.
func quotedLayout(rest, value string, kind layoutKind) layout {
	if rest == "" {
		return layout{}
	}
	for i := 1; i < len(rest); i++ {
		switch {
		case kind == layoutDouble && rest[i] == '\\':
			i++
		case kind == layoutSingle && strings.HasPrefix(rest[i:], "''"):
			i++
		case rest[i] == rest[0]:
			if raw := rest[1:i]; raw != value {
				return layout{kind: kind, raw: strings.Clone(raw)}
			}
			return layout{kind: layoutLine, indent: 1}
		}
	}
	return layout{}
}

// blockLayout finds how far a literal block is indented: its first line that is not empty tells.
func (y *yamlReader) blockLayout(n *yaml.Node) layout {
	content := strings.TrimLeft(n.Value, "\n")
	first, _, _ := strings.Cut(content, "\n")
	line := y.lines.text(n.Line + 1 + len(n.Value) - len(content))
	if first == "" || !strings.HasSuffix(line, first) {
		return layout{}
	}
	indent := utf8.RuneCountInString(line) - utf8.RuneCountInString(first)
	return layout{kind: layoutBlock, indent: int32(indent)} // #nosec G115 -- a file has at most MaxFileBytes
}
