package spec_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/toolspec/toolspec/spec"
)

// seeds adds the files of all archives.
func seeds(f *testing.F, extensions ...string) {
	archives, _ := filepath.Glob("../testdata/diagnostics/*.txtar")
	for _, path := range archives {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(src).Files {
			for _, extension := range extensions {
				if filepath.Ext(file.Name) == extension {
					f.Add(file.Data)
				}
			}
		}
	}
}

// FuzzParse reads anything as YAML: it never panics, it gives a spec or says why not, each fault has a place that the
// file has, and a text's places are in it too.
func FuzzParse(f *testing.F) {
	seeds(f, ".yaml", ".json")
	f.Add([]byte("a: |2-\n   x\r\n  y\rz: '''é'''\nb: &a !!str \"\\u00e9\\\n  x\""))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, ds := spec.Parse("f.yaml", src)
		if finished := s != nil && !s.Draft(); finished == ds.HasErrors() {
			t.Fatalf("a spec and errors, or neither: %v", ds)
		}
		inside(t, src, ds)
		root, ds := spec.ReadDocument("f.yaml", src)
		if root.IsZero() && !ds.HasErrors() {
			t.Fatal("no document and no reason")
		}
		textsInside(t, src, root)
		if !json.Valid(root.JSON()) {
			t.Fatalf("%s is not JSON", root.JSON())
		}
	})
}

// FuzzJSONReader reads anything as JSON: what is taken equals what encoding/json makes of it, and what encoding/json
// takes is taken, but for what this package refuses.
func FuzzJSONReader(f *testing.F) {
	seeds(f, ".json")
	f.Add([]byte(`{"a": [1.50, -0, 1e5, "\u00e9\ud83d\ude00\/", {}, [], null, true], "": " "}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		root, ds := spec.ReadDocument("f.json", src)
		inside(t, src, ds)
		textsInside(t, src, root)
		d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(src, []byte("\uFEFF"))))
		d.UseNumber()
		var want any
		valid := json.Valid(bytes.TrimPrefix(src, []byte("\uFEFF"))) && d.Decode(&want) == nil
		if !ds.HasErrors() && (!valid || !reflect.DeepEqual(root.Value(), want)) {
			t.Fatalf("have %#v, want %#v", root.Value(), want)
		}
		for _, fault := range ds {
			if valid && fault.Rule == "syntax" {
				t.Fatalf("%v in what encoding/json takes", fault)
			}
		}
	})
}

// inside wants every place to be in the file.
func inside(t *testing.T, src []byte, ds spec.Diagnostics) {
	for _, d := range ds {
		placeInside(t, src, d.Pos)
		spec.Snippet(src, d)
	}
}

func placeInside(t *testing.T, src []byte, pos spec.Pos) {
	text := strings.TrimPrefix(string(src), "\uFEFF")
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	if pos.File == "" || pos.Line < 1 || pos.Line > len(lines) {
		t.Fatalf("%s: the file has %d lines", pos, len(lines))
	}
	if count := utf8.RuneCountInString(lines[pos.Line-1]); pos.Column < 1 || pos.Column > count+1 {
		t.Fatalf("%s: the line has %d characters", pos, count)
	}
}

func textsInside(t *testing.T, src []byte, s spec.Section) {
	if text, ok := s.Text(); ok {
		for _, offset := range []int{0, len(text.Value) / 2, len(text.Value)} {
			placeInside(t, src, text.At(offset))
		}
	}
	for _, item := range s.Items() {
		textsInside(t, src, item)
	}
	for _, field := range s.Fields() {
		textsInside(t, src, field.Value)
	}
}
