package spec_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/toolspec/toolspec/spec"
)

func read(t *testing.T, file, src string) spec.Section {
	t.Helper()
	s, ds := spec.ReadDocument(file, []byte(src))
	if len(ds) > 0 {
		t.Fatalf("%s: %v", src, ds)
	}
	return s
}

// TestTextAt finds the X of each value, whose place in the source is that of its X: exact, or the start of the scalar.
func TestTextAt(t *testing.T) {
	for _, c := range []struct{ name, file, src string }{
		{"plain", "f.yaml", "a: abXc"},
		{"plain after characters", "f.yaml", "é天😀: é天😀Xc"},
		{"single quoted", "f.yaml", "a: 'ab Xc'"},
		{"single quoted with quotes", "f.yaml", "a: '''it''s'' éXc'"},
		{"double quoted", "f.yaml", `a: "ab Xc"`},
		{"double quoted with escapes", "f.yaml", `a: "\"\\\t\x41\u00e9\U0001F600\N\_\L\P\e\ é Xc"`},
		{"in a list", "f.yaml", "a: [1, 'é', abXc]"},
		{"block list", "f.yaml", "b: 1\na:\n  -   \"abXc\"\n"},
		{"anchor", "f.yaml", "a: &anchor abXc"},
		{"tag", "f.yaml", "a: !!str   'abXc'"},
		{"anchor and tag", "f.yaml", "a: &a !!str \"a\\tbXc\""},
		{"literal", "f.yaml", "a: |\n  one\n  abXc\n"},
		{"literal, later line, deeper", "f.yaml", "b:\n  a: |-\n     one\n\n       é Xc"},
		{"literal with indicator", "f.yaml", "a: |1\n   one\n two X\n"},
		{"literal with indicator and chomping", "f.yaml", "a: |+2 # comment\n     one X\n\n\n"},
		{"literal after empty lines", "f.yaml", "a: |\n\n\n  one X\n"},
		{"literal with tabs", "f.yaml", "a: |2\n  \tone\tX\n"},
		{"literal with CRLF", "f.yaml", "a: |\r\n  one\r\n  twoX\r\n"},
		{"literal with CR", "f.yaml", "a: |\r  one\r  twoX\r"},
		{"literal with anchor", "f.yaml", "a: &a |\n  one\n  two X"},
		{"byte order mark", "f.yaml", "\uFEFFa: abXc"},
		{"flow map", "f.yaml", "{b: 'x', a: \"é\\nX\"}"},
		{"JSON", "f.json", `{"b": "é", "a": "é X"}`},
		{"JSON with escapes", "f.json", "{\n\t\"a\":\t" + `"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 X"}`},
		{"JSON in YAML", "f.yaml", `{"a": "\/X"}`},
	} {
		src := strings.TrimPrefix(c.src, "\uFEFF")
		before := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(src[:strings.IndexByte(src, 'X')])
		line := before[strings.LastIndexByte(before, '\n')+1:]
		want := spec.Pos{File: c.file, Line: 1 + strings.Count(before, "\n"), Column: 1 + len([]rune(line))}
		text, ok := find(read(t, c.file, c.src))
		if have := text.At(strings.IndexByte(text.Value, 'X')); !ok || have != want {
			t.Errorf("%s: %q: have %s, want %s", c.name, text.Value, have, want)
		}
	}
}

// find is the text of the section, or in it, that has an X.
func find(s spec.Section) (spec.Text, bool) {
	if text, ok := s.Text(); ok && strings.Contains(text.Value, "X") {
		return text, true
	}
	for _, item := range s.Items() {
		if text, ok := find(item); ok {
			return text, true
		}
	}
	for _, f := range s.Fields() {
		if text, ok := find(f.Value); ok {
			return text, true
		}
	}
	return spec.Text{}, false
}

// TestTextAtStart has values that do not stand in the file character for character.
func TestTextAtStart(t *testing.T) {
	for _, src := range []string{"a: >\n  one\n  twoX\n", "a: one\n  twoX\n", "a: 'one\n  twoX'", "a: \"one \\\n  twoX\""} {
		text, _ := find(read(t, "f.yaml", src))
		if have := text.At(strings.IndexByte(text.Value, 'X')); have != text.Pos || have.Column != 4 {
			t.Errorf("%q: have %s, want %s", src, have, text.Pos)
		}
	}
	text := spec.Text{Value: "x"}
	if text.At(0).IsValid() || text.At(-1).IsValid() || text.At(9).IsValid() {
		t.Error("a text of no file has a place")
	}
}

func TestTextAtEnd(t *testing.T) {
	text, _ := read(t, "f.yaml", "a: |\n  one\n  two\n\n").Get("a").Text()
	if have := text.At(len(text.Value)); have.Line != 3 || have.Column != 6 {
		t.Errorf("have %s, want f.yaml:3:6", have)
	}
}

// TestScalars reads by YAML 1.2's core schema, and keeps the characters.
func TestScalars(t *testing.T) {
	for _, c := range []struct {
		src  string
		form spec.Form
		json string
	}{
		{"2022-11-28", spec.FormText, `"2022-11-28"`},
		{"yes", spec.FormText, `"yes"`}, {"NO", spec.FormText, `"NO"`}, {"off", spec.FormText, `"off"`}, {"y", spec.FormText, `"y"`},
		{"true", spec.FormBool, "true"}, {"TRUE", spec.FormBool, "true"}, {"False", spec.FormBool, "false"}, {"tRUE", spec.FormText, `"tRUE"`},
		{"null", spec.FormNull, "null"}, {"~", spec.FormNull, "null"}, {"", spec.FormNull, "null"}, {"NULL", spec.FormNull, "null"},
		{"1712345678.000100", spec.FormNumber, "1712345678.000100"},
		{"18446744073709551617", spec.FormNumber, "18446744073709551617"},
		{"0640", spec.FormNumber, "640"}, {"0008", spec.FormNumber, "8"}, {"-00", spec.FormNumber, "-0"}, {"+12", spec.FormNumber, "12"},
		{".5", spec.FormNumber, "0.5"}, {"5.", spec.FormNumber, "5.0"}, {"1.e3", spec.FormNumber, "1.0e3"}, {"1E+3", spec.FormNumber, "1E+3"},
		{"0o17", spec.FormNumber, "15"}, {"0xFF", spec.FormNumber, "255"}, {"0b11", spec.FormText, `"0b11"`}, {"1_000", spec.FormText, `"1_000"`},
		{"1:30", spec.FormText, `"1:30"`}, {"-", spec.FormText, ""}, {"1.2.3", spec.FormText, `"1.2.3"`}, {"5s", spec.FormText, `"5s"`},
		{"'1'", spec.FormText, `"1"`}, {`"true"`, spec.FormText, `"true"`}, {"!!str 1", spec.FormText, `"1"`}, {"!!int 1", spec.FormNumber, "1"},
		{"<<", spec.FormText, `"<<"`}, {"=", spec.FormText, `"="`},
	} {
		s, ds := spec.ReadDocument("f.yaml", []byte("a: "+c.src))
		if c.json == "" {
			continue
		}
		if a := s.Get("a"); len(ds) > 0 || a.Form() != c.form || string(a.JSON()) != c.json {
			t.Errorf("%s: have %s %s %v, want %s %s", c.src, a.Form(), a.JSON(), ds, c.form, c.json)
		}
		if text, ok := s.Get("a").Text(); ok && text.Value != strings.Trim(c.src[strings.LastIndexByte(c.src, ' ')+1:], `'"`) {
			t.Errorf("%s: the text is %q", c.src, text.Value)
		}
	}
}

func TestKeysAreTheirCharacters(t *testing.T) {
	s := read(t, "f.yaml", "1: a\n0640: b\non: c\ntrue: d\nnull: e\n2022-11-28: f\n'<<': g\n'': h\n")
	const want = `{"1":"a","0640":"b","on":"c","true":"d","null":"e","2022-11-28":"f","<<":"g","":"h"}`
	if have := string(s.JSON()); have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

func TestMergeKeys(t *testing.T) {
	s := read(t, "f.yaml", "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {z: 3, <<: [*a, *b], w: 3}\n")
	if have := string(s.Get("c").JSON()); have != `{"z":3,"w":3,"x":1,"y":1}` {
		t.Errorf("have %s", have)
	}
}

func TestSectionAt(t *testing.T) {
	s := read(t, "f.yaml", "a:\n  - x\n  - b/c: {'~': 1}\n'': 2\n")
	for pointer, want := range map[string]string{
		"": "f.yaml:1:1", "/": "f.yaml:4:5", "/a": "f.yaml:2:3", "/a/0": "f.yaml:2:5", "/a/1/b~1c/~0": "f.yaml:3:16",
		"/a/2": "f.yaml:2:3", "/a/1/x/y": "f.yaml:3:5", "/nowhere": "f.yaml:1:1", "/a/-1": "f.yaml:2:3", "/a/00": "f.yaml:2:5",
	} {
		if have := s.At(pointer).String(); have != want {
			t.Errorf("%q: have %s, want %s", pointer, have, want)
		}
	}
	if path := s.Get("a").Items()[1].Get("b/c").Path(); path != "a[1].b/c" {
		t.Errorf("path %s", path)
	}
}

func TestAbsent(t *testing.T) {
	var s spec.Section
	if _, ok := s.Text(); ok || s.Form() != spec.FormAbsent || s.Pos().IsValid() || s.Items() != nil || s.Fields() != nil ||
		!s.Get("a").IsZero() || s.Value() != nil || string(s.JSON()) != "null" || s.At("/a").IsValid() {
		t.Error("an absent section is something")
	}
}

type shape struct {
	Text     spec.Text            `spec:"text,required"`
	String   string               `spec:"string"`
	Bool     bool                 `spec:"bool"`
	Int      int                  `spec:"int"`
	Pointer  *int                 `spec:"pointer"`
	Duration time.Duration        `spec:"duration"`
	Bytes    spec.Bytes           `spec:"bytes"`
	Section  spec.Section         `spec:"section"`
	List     []string             `spec:"list"`
	Lists    [][]int              `spec:"lists"`
	Map      map[string]spec.Text `spec:"map"`
	Struct   struct {
		A int `spec:"a,required"`
	} `spec:"struct"`
	untagged int
}

func (*shape) Words() map[string]string { return map[string]string{"texts": "write one text"} }

func TestDecode(t *testing.T) {
	var have shape
	s := read(t, "f.yaml", "{text: 0640, string: 1.0, bool: True, int: 5, pointer: -1, duration: 1h30m, bytes: 64KiB, section: [1], list: [a, 1, true], lists: [[1], []], map: {a: b}, struct: {a: 1}}")
	if ds := s.Decode(&have); len(ds) > 0 {
		t.Fatal(ds)
	}
	minus := -1
	want := shape{
		Text: have.Text, String: "1.0", Bool: true, Int: 5, Pointer: &minus, Duration: 90 * time.Minute, Bytes: 64 << 10, Section: have.Section,
		List: []string{"a", "1", "true"}, Lists: [][]int{{1}, {}}, Map: map[string]spec.Text{"a": have.Map["a"]}, untagged: 0,
	}
	want.Struct.A = 1
	if !reflect.DeepEqual(have, want) || have.Text.Value != "0640" || have.Map["a"].Value != "b" || string(have.Section.JSON()) != "[1]" {
		t.Errorf("have %+v", have)
	}
}

func TestDecodeFaults(t *testing.T) {
	var into shape
	ds := read(t, "f.yaml", `{string: null, bool: 'true', int: 1.5, pointer: x, duration: 0s, bytes: 1.5KiB, list: a, lists: [[x], 1], map: [],
struct: {b: 1}, texts: 1, untagged: 1, in: 2}`).Decode(&into)
	const want = `f.yaml:1:10: string: want a text, have null
f.yaml:1:22: bool: want true or false, have "true"
f.yaml:1:35: int: want a whole number, have 1.5
f.yaml:1:49: pointer: want a whole number, have "x"
f.yaml:1:62: duration: want a duration such as 5s or 2m, have "0s"
f.yaml:1:73: bytes: want a size such as 65536 or 64KiB, have "1.5KiB"
f.yaml:1:87: list: want a list, have "a"
f.yaml:1:99: lists[0][0]: want a whole number, have "x"
f.yaml:1:103: lists[1]: want a list, have 1
f.yaml:1:112: map: want a map, have a list
f.yaml:2:10: unknown key struct.b; known here: a
f.yaml:2:9: struct: a is missing
f.yaml:2:17: unknown key texts: write one text
f.yaml:2:27: unknown key untagged; known here: text, string, bool, int, pointer, duration, bytes, section, list, lists, map, struct
f.yaml:2:40: unknown key in; known here: text, string, bool, int, pointer, duration, bytes, section, list, lists, map, struct
f.yaml:1:1: text is missing`
	if have := ds.Error(); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

func TestBytes(t *testing.T) {
	for src, want := range map[string]spec.Bytes{
		"1": 1, "65536": 65536, "64KiB": 64 << 10, "1 MiB": 1 << 20, "'2GiB'": 2 << 30, "9223372036854775807": 1<<63 - 1,
		"0": 0, "-1": 0, "8796093022208MiB": 0, "64kb": 0, "1KiBKiB": 0, "[1]": 0, "null": 0, "1.0": 0, "KiB": 0,
	} {
		var have spec.Bytes
		ds := read(t, "f.yaml", "a: "+src).Get("a").Decode(&have)
		if have != want || ds.HasErrors() != (want == 0) {
			t.Errorf("%s: have %d %v, want %d", src, have, ds, want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"name", "description", "inputSchema", "input", "url", "q"}
	for name, want := range map[string]string{
		"nmae": "name", "Name": "name", "input_schema": "inputSchema", "descr": "description", "uri": "url", "x": "", "zebra": "", "in": "", "Q": "q",
		"namespace": "", "inputschem": "inputSchema",
	} {
		if have := spec.Nearest(name, known); have != want {
			t.Errorf("%s: have %q, want %q", name, have, want)
		}
	}
}

func TestJSONOfSections(t *testing.T) {
	s := read(t, "f.yaml", "b: [1.50, 0x10, <a&b>, null]\na: {z: 1, y: True}\n")
	const want = `{"b":[1.50,16,"<a&b>",null],"a":{"z":1,"y":true}}`
	if have := string(s.JSON()); have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	wantValue := map[string]any{"b": []any{json.Number("1.50"), json.Number("16"), "<a&b>", nil}, "a": map[string]any{"z": json.Number("1"), "y": true}}
	if have := s.Value(); !reflect.DeepEqual(have, wantValue) {
		t.Errorf("have %#v, want %#v", have, wantValue)
	}
}
