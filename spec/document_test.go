package spec_test

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/toolspec/toolspec/spec"
)

const tail = "\ndescription: d\nexecutor: {expr: '1'}\n"

func utf16Text(order binary.ByteOrder, text string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = append(b, 0, 0)
		order.PutUint16(b[len(b)-2:], unit)
	}
	return string(b)
}

// TestEncodings reads files as editors of every age write them.
func TestEncodings(t *testing.T) {
	for _, c := range []struct{ name, file, src, want string }{
		{"byte order mark", "f.yaml", "\uFEFFname: x" + tail, ""},
		{"byte order mark in JSON", "f.json", "\uFEFF" + `{"name": "x", "description": "d", "executor": {"expr": "1"}}`, ""},
		{"CRLF", "f.yaml", strings.ReplaceAll("name: x\ntitle: |\n  two\n  lines"+tail, "\n", "\r\n"), ""},
		{"CR", "f.yaml", strings.ReplaceAll("name: x"+tail, "\n", "\r"), ""},
		{"CRLF places", "f.yaml", "name: x\r\nbogus: 1\r\n" + tail, "f.yaml:2:1: unknown key bogus"},
		{"CR places", "f.yaml", strings.ReplaceAll("name: x\nbogus: 1\n"+tail, "\n", "\r"), "f.yaml:2:1: unknown key bogus"},
		{"CR places in JSON", "f.json", "{\"name\": \"x\",\r\r\n\"bogus\": 1, \"description\": \"d\", \"executor\": {\"expr\": \"1\"}}", "f.json:3:1: unknown key bogus"},
		{"byte order mark places", "f.yaml", "\uFEFFnamed: x", "f.yaml:1:1: unknown key named"},
		{"UTF-16 little", "f.yaml", "\xFF\xFE" + utf16Text(binary.LittleEndian, "name: x"), "f.yaml:1:1: the file is UTF-16"},
		{"UTF-16 big", "f.json", "\xFE\xFF" + utf16Text(binary.BigEndian, "{}"), "f.json:1:1: the file is UTF-16"},
		{"UTF-16 unmarked", "f.yaml", utf16Text(binary.LittleEndian, "name: x"), "f.yaml:1:1: the file is UTF-16"},
		{"UTF-32", "f.yaml", "\xFF\xFE\x00\x00n\x00\x00\x00", "f.yaml:1:1: the file is UTF-32"},
		{"not UTF-8", "f.yaml", "name: x\ntitle: é \xE9t\xE9\n", "f.yaml:2:10: byte 0xE9 is not UTF-8"},
		{"not UTF-8 in JSON", "f.json", `{"name": "` + "\xC3" + `("}`, "f.json:1:11: byte 0xC3 is not UTF-8"},
		{"replacement character", "f.yaml", "name: x\ntitle: \uFFFD" + tail, ""},
		{"JSON in YAML", "f.yaml", `{"name": "x", "description": "a\/b \ud83d\ude00", "title": "` + "\u2028" + `", "executor": {"expr": "1"}}`, ""},
		{"long key in JSON in YAML", "f.yaml", `{"` + strings.Repeat("k", 2000) + `": 1, "name": "x"}`, "f.yaml:1:2: unknown key kkk"},
		{"no tool", "f.yaml", "root:*:20228: x\npassword: sesame\n", "f.yaml:1:1: this is no tool file: not one of its keys is a tool's, which has name, description, executor"},
		{"no tool and no map", "f.yaml", "password=sesame\n", "f.yaml:1:1: want a map with name, title, description, tags, inputSchema, outputSchema, annotations, timeout, limits, requires, executor, result, tests, have text"},
		{"no tool, but meant as one", "f.yaml", "endpoint: x\nwhatever: y\n", "f.yaml:2:1: unknown key whatever"},
	} {
		_, ds := spec.Parse(c.file, []byte(c.src))
		wantFirst(t, c.name, ds, c.want)
	}
}

// wantFirst wants no diagnostics, or one that starts as given.
func wantFirst(t *testing.T, name string, ds spec.Diagnostics, want string) {
	t.Helper()
	for _, d := range ds {
		if want != "" && strings.HasPrefix(d.Error(), want) {
			return
		}
	}
	if want != "" || len(ds) > 0 {
		t.Errorf("%s: have %.300q, want %q", name, ds.Error(), want)
	}
}

// TestLimits holds each limit from both sides.
func TestLimits(t *testing.T) {
	fields := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  k%d: {}\n", i)
		}
		return b.String()
	}
	open := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	doc := func(result string) string { return "name: x" + tail + "result:\n" + result }
	for _, c := range []struct{ name, file, src, want string }{
		{"size", "f.yaml", doc("  a: " + strings.Repeat("x", spec.MaxFileBytes-len(doc("  a: ")))), ""},
		{"size+1", "f.yaml", doc("  a: " + strings.Repeat("x", spec.MaxFileBytes+1-len(doc("  a: ")))), "f.yaml:1:1: a tool file holds at most 256 KiB, this one has 262145 bytes"},
		{"size of what is not a text", "f.yaml", strings.Repeat("\xff", spec.MaxFileBytes+1), "f.yaml:1:1: a tool file holds at most 256 KiB"},
		{"keys", "f.yaml", doc(fields(spec.MaxKeys)), ""},
		{"keys+1", "f.yaml", doc(fields(spec.MaxKeys + 1)), "f.yaml:2005:3: a map holds at most 2,000 keys"},
		{"depth", "f.yaml", doc(" a: " + open(spec.MaxDepth-3) + "\n b: {}"), ""},
		{"depth+1", "f.yaml", doc(" a: " + open(spec.MaxDepth-1)), "f.yaml:5:103: nested more than 100 deep"},
		{"depth of JSON", "f.json", open(spec.MaxDepth), "f.json:1:1: want a map"},
		{"depth+1 of JSON", "f.json", open(spec.MaxDepth + 1), "f.json:1:101: nested more than 100 deep"},
		{"depth of alias", "f.yaml", doc(" a: &a " + open(60) + "\n b: " + strings.Repeat("[", 60) + "*a" + strings.Repeat("]", 60)), "f.yaml:5:46: nested more than 100 deep"},
		{"nodes", "f.yaml", doc(" a: [" + strings.Repeat("x,", spec.MaxNodes-7) + "]"), ""},
		{"nodes+1", "f.yaml", doc(" a: [" + strings.Repeat("x,", spec.MaxNodes-6) + "]"), "f.yaml:5:39992: a tool file holds at most 20,000 values"},
		{"nodes of JSON", "f.json", "[" + strings.Repeat("1,", spec.MaxNodes-1) + "1]", "f.json:1:40000: a tool file holds at most 20,000 values"},
		{"nodes of aliases", "f.yaml", "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]", "f.yaml:"},
		{"digits", "f.yaml", doc("  a: " + strings.Repeat("9", 1000)), ""},
		{"digits+1", "f.yaml", doc("  a: " + strings.Repeat("9", 1001)), "f.yaml:5:6: the number 99999"},
		{"digits of a fraction", "f.yaml", doc("  a: -0." + strings.Repeat("9", 999)), ""},
		{"digits+1 of JSON", "f.json", `{"a": 0.` + strings.Repeat("1", 1000) + "}", "f.json:1:7: the number 0.111"},
		{"faults", "f.yaml", strings.Repeat("a: 1\n", 200), "f.yaml:102:1: 100 faults were found before this one; the file is read no further"},
	} {
		_, ds := spec.Parse(c.file, []byte(c.src))
		wantFirst(t, c.name, ds, c.want)
		if len(ds) > 101 {
			t.Errorf("%s: %d diagnostics", c.name, len(ds))
		}
	}
}

// TestHostileFiles reads files that cost careless readers seconds and gigabytes.
func TestHostileFiles(t *testing.T) {
	const size = spec.MaxFileBytes - 10
	var flat strings.Builder
	for i := 0; flat.Len() < size-20; i++ {
		fmt.Fprintf(&flat, "k%d: {}\n", i)
	}
	files := map[string]string{"f.flat.yaml": flat.String()}
	for i, unit := range []string{"[", "{", "- ", "? ", "&a ", "!!str ", "'", "\"", "#\n", "---\n", "a\n", "a: ", "[{a: ", "[],", "&a,", "!!str,", "'',", "é: &a é\n", "*a", "a: b\n# c\n", "- # c\n", "?\n", ":\n", "[]:\n", "%TAG ! !\n", ">\n", "\n", " ", "\t", "\r", "<<: \n", "{a: 1}\n"} {
		files[fmt.Sprintf("f%d.yaml", i)] = strings.Repeat(unit, size/len(unit))
		files[fmt.Sprintf("g%d.yaml", i)] = "a: [" + strings.Repeat(unit, size/len(unit))
		files[fmt.Sprintf("f%d.json", i)] = strings.Repeat(unit, size/len(unit))
	}
	files["deep.json"] = strings.Repeat(`{"a":`, 20_000) + "1"
	files["closed.json"] = strings.Repeat(`{"a":`, 9_000) + "1" + strings.Repeat("}", 9_000)
	files["wide.json"] = "[" + strings.Repeat("\"é\",", size/5) + "1]"
	files["wide.yaml"] = "[" + strings.Repeat("é,", size/3) + "1]"
	var before, after runtime.MemStats
	for name, src := range files {
		runtime.ReadMemStats(&before)
		if s, ds := spec.Parse(name, []byte(src)); s != nil && !s.Draft() || !ds.HasErrors() {
			t.Errorf("%s (%.20q…) was taken", name, src)
		}
		runtime.ReadMemStats(&after)
		if spent := (after.TotalAlloc - before.TotalAlloc) >> 20; spent > 60 { // in all; what is held at one moment is less
			t.Errorf("%s (%.20q…) cost %d MiB", name, src, spent)
		}
	}
}
