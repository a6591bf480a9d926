package spec_test

import (
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

func TestSnippet(t *testing.T) {
	long := strings.Repeat("a", 300) + "X" + strings.Repeat("b", 300)
	for _, c := range []struct {
		name, src    string
		line, column int
		want         string
	}{
		{"first line", "name: x\n", 1, 7, "   1 | name: x\n     |       ^\n"},
		{"crlf", "a: 1\r\nb: 2\r\n", 2, 4, "   2 | b: 2\n     |    ^\n"},
		{"tab", "a:\n\tb: 1", 2, 2, "   2 | →   b: 1\n     |     ^\n"},
		{"tab itself", "a:\n\tb: 1", 2, 1, "   2 | →   b: 1\n     | ^\n"},
		{"wide", "天気: x", 1, 5, "   1 | 天気: x\n     |       ^\n"},
		{"combining", "e\u0301t: x", 1, 6, "   1 | e\u0301t: x\n     |     ^\n"},
		{"byte order mark", "\uFEFFname: x", 1, 1, "   1 | name: x\n     | ^\n"},
		{"end of line", "name:\n", 1, 6, "   1 | name:\n     |      ^\n"},
		{"end of file", "name:\n", 2, 1, "   2 | \n     | ^\n"},
		{"past the end", "ab\n", 1, 99, "   1 | ab\n     |   ^\n"},
		{"escape sequence", "a: \x1b[2J", 1, 4, "   1 | a: \uFFFD[2J\n     |    ^\n"},
		{"not UTF-8", "a: \xff\xfe", 1, 4, "   1 | a: \uFFFD\uFFFD\n     |    ^\n"},
		{"long", long, 1, 301, "   1 | …" + strings.Repeat("a", 50) + "X" + strings.Repeat("b", 49) + "…\n     | " + strings.Repeat(" ", 51) + "^\n"},
		{"no such line", "a: 1\n", 3, 1, ""},
		{"no place", "a: 1\n", 0, 0, ""},
		{"UTF-16", "\xff\xfea\x00", 1, 1, ""},
	} {
		d := spec.Errorf(spec.Pos{File: "f.yaml", Line: c.line, Column: c.column}, "rule", "message")
		if have := spec.Snippet([]byte(c.src), d); have != c.want {
			t.Errorf("%s: have\n%s\nwant\n%s", c.name, have, c.want)
		}
	}
}
