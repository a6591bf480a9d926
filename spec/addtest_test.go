package spec_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/toolspec/toolspec/spec"
)

var recorded = json.RawMessage(`{"name": "Oslo, it's: #1", "input": {"city": "Oslo", "id": 9007199254740993, "on": "on", "list": []},
	"stub": {"http": {"status": 200, "headers": {"Content-Type": "application/json; charset=utf-8"}, "text": "a\nb: c\n"}},
	"expect": {"request": {"method": "GET", "url": "https://api.example.com/v1/cities/Oslo/days?count=3"},
	"text": " tab\tand\u0000", "json": {"days": [{"max": -1.50, "what": "x"}, null, true]}}}`)

// TestAddTest adds a test to the file of each archive in testdata/addtest, and compares all of it.
func TestAddTest(t *testing.T) {
	paths, err := filepath.Glob("../testdata/addtest/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			src := a.Files[0].Data
			if strings.Contains(path, "no_break") {
				src = bytes.TrimRight(src, "\n")
			}
			out, err := spec.AddTest(a.Files[0].Name, src, recorded)
			if err != nil {
				out = []byte(err.Error() + "\n")
			} else if !isInsertion(src, out) {
				t.Errorf("more than one place differs in\n%s", out)
			}
			if *update {
				a.Files[1].Data = out
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if string(a.Files[1].Data) != string(out) && string(a.Files[1].Data) != string(out)+"\n" {
				t.Errorf("have\n%s\nwant\n%s", out, a.Files[1].Data)
			}
		})
	}
}

// TestAddTestKeepsBreaks adds to files with marks and breaks that no archive can hold.
func TestAddTestKeepsBreaks(t *testing.T) {
	for _, src := range []string{
		"\uFEFFname: x\r\ndescription: d\r\nexecutor: {expr: \"1\"}\r\n",
		"name: x\rdescription: d\rexecutor: {expr: \"1\"}",
		"\uFEFF{\r\n\t\"name\": \"x\",\r\n\t\"description\": \"d\",\r\n\t\"executor\": {\"expr\": \"1\"}\r\n}\r\n",
	} {
		out, err := spec.AddTest("x.yaml", []byte(src), recorded)
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if !strings.Contains(src, "\r\n") && bytes.Contains(out, []byte("\n")) || strings.Contains(src, "\r\n") && strings.Count(string(out), "\n") != strings.Count(string(out), "\r\n") {
			t.Errorf("%q: breaks of another kind in %q", src, out)
		}
	}
}

// FuzzAddTest adds a test to anything that can be read: it says why not, or what comes of it says the same but for the
// test, and every byte is where it was but for one place.
func FuzzAddTest(f *testing.F) {
	seeds(f, ".yaml", ".json")
	paths, _ := filepath.Glob("../testdata/addtest/*.txtar")
	for _, path := range paths {
		if a, err := txtar.ParseFile(path); err == nil {
			f.Add(a.Files[0].Data)
		}
	}
	f.Add([]byte("name: x\ntests:\n - {}\n\n - name: |+\n    x\n\n#\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		before, ds := spec.ReadDocument("f.yaml", src)
		out, err := spec.AddTest("f.yaml", src, recorded)
		if err != nil {
			return
		}
		after, faults := spec.ReadDocument("f.yaml", out)
		if len(ds) > 0 && ds.HasErrors() || len(faults) > 0 {
			t.Fatalf("%v, then %v in\n%s", ds, faults, out)
		}
		tests := after.Get("tests").Items()
		if len(tests) == 0 || !sameJSON(t, tests[len(tests)-1].JSON(), recorded) {
			t.Fatalf("the test is not there:\n%s", out)
		}
		for _, field := range before.Fields() {
			if key := field.Key.Value; key != "tests" && !bytes.Equal(after.Get(key).JSON(), field.Value.JSON()) {
				t.Fatalf("%s is another in\n%s", key, out)
			}
		}
		if !isInsertion(src, out) {
			t.Fatalf("more than one place differs:\n%q\n%q", src, out)
		}
	})
}

// isInsertion tells whether one text is the other with something put in; an empty list, and blanks at the place, may be gone.
func isInsertion(src, out []byte) bool {
	head := 0
	for head < len(src) && head < len(out) && src[head] == out[head] {
		head++
	}
	tail := 0
	for tail < len(src)-head && tail < len(out)-head && src[len(src)-1-tail] == out[len(out)-1-tail] {
		tail++
	}
	return strings.Trim(string(src[head:len(src)-tail]), " \t\r\n[]{}") == ""
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	x, err := spec.ReadValue(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := spec.ReadValue(b)
	if err != nil {
		t.Fatal(err)
	}
	one, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	two, err := json.Marshal(y)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(one, two)
}
