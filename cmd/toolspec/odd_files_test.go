package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/toolspec/toolspec/spec"
)

// TestOddFiles has a directory of files that no text archive can hold: each is read, or refused by what it is, and the
// tool beside them is there all the same.
func TestOddFiles(t *testing.T) {
	dir := t.TempDir()
	const tail = "description: d\nexecutor: {expr: '1'}\n"
	var wide strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&wide, "k%d: {}\n", i)
	}
	for name, text := range map[string]string{
		"plain.yaml":   "name: plain\n" + tail,
		"marked.yaml":  "\uFEFFname: marked_yaml\n" + tail,
		"marked.json":  "\uFEFF" + `{"name": "marked_json", "description": "d", "executor": {"expr": "1"}}`,
		"windows.yaml": strings.ReplaceAll("name: windows\ntitle: |\n  two\n  lines\n"+tail, "\n", "\r\n"),
		"utf16.yaml":   utf16Marked("name: wide\n" + tail),
		"wide.yaml":    wide.String(),
		"deep.yaml":    "name: deep\ninputSchema: " + strings.Repeat("[", 100_000),
		"deep.json":    `{"name": "deep", "inputSchema": ` + strings.Repeat(`{"a":`, 20_000) + "1",
		"big.yaml":     "name: big\ndescription: " + strings.Repeat("x", 20*spec.MaxFileBytes) + "\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	var out, said bytes.Buffer
	std := stdio{in: strings.NewReader(""), out: &out, err: &said}
	if code := run(t.Context(), []string{"list", "-d", dir}, std); code != exitFine {
		t.Errorf("list: exit code %d", code)
	}
	for _, name := range []string{"plain", "marked_yaml", "marked_json", "windows"} {
		if !strings.Contains(out.String(), name+" ") {
			t.Errorf("%s is not listed:\n%s", name, out.String())
		}
	}
	if strings.Count(out.String(), "\n") != 4 {
		t.Errorf("more is listed than can be read:\n%s", out.String())
	}
	said.Reset()
	if code := run(t.Context(), []string{"check", dir}, std); code != exitFailed {
		t.Errorf("check: exit code %d", code)
	}
	for _, want := range []string{
		"utf16.yaml:1:1: error: the file is UTF-16", "wide.yaml:2001:1: error: a map holds at most 2,000 keys",
		"deep.yaml:2:10014: error: nested more than 100 deep", "deep.json:1:", "big.yaml:1:1: error: a tool file holds at most 256 KiB",
	} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("check does not say %q:\n%.3000s", want, said.String())
		}
	}
}

func utf16Marked(text string) string {
	b := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return string(b)
}
