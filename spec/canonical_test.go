package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCanonicalHasTheDigest reads what was written again, for every tool file of the house.
func TestCanonicalHasTheDigest(t *testing.T) {
	seen := 0
	for _, pattern := range []string{"../toolspecs/*/*.yaml", "../testdata/authors/*.yaml", "../testdata/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if s, ds := Parse(file, src); !ds.HasErrors() {
				seen++
				checkCanonical(t, file, s)
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d files were looked at", seen)
	}
}

func checkCanonical(t *testing.T, file string, s *Spec) {
	t.Helper()
	text := s.Canonical()
	if have := CanonicalDigest(text); have != s.Digest {
		t.Errorf("%s: read again the digest is %q, want %s\n%s", file, have, s.Digest, text)
	}
	again, ds := Parse("again.yaml", []byte(text))
	if ds.HasErrors() || again.Canonical() != text {
		t.Errorf("%s: written again it is another:\n%s\n%v", file, text, ds)
	}
}

func TestCanonical(t *testing.T) {
	const head = "name: a\ndescription: One.\n"
	for _, c := range []struct{ name, file, want string }{
		{"order, comments and tests do not count", "executor: {expr: '1'} # so\ndescription: One.\ntests: [{name: x, expect: {text: '1'}}]\nname: 'a'\n",
			head + "executor: {expr: '1'}\n"},
		{"digits stay", head + "tags: [0640, \"0640\", 1.0, True]\nexecutor: {expr: '1'}\n", head + "tags: [0640, '0640', 1.0, True]\nexecutor: {expr: '1'}\n"},
		{"what nobody sees is seen", "name: a\ndescription: \"One\\u200b.\\u202e\"\nexecutor: {expr: '1'}\n", "name: a\ndescription: \"One\\u200b.\\u202e\"\nexecutor: {expr: '1'}\n"},
		{"json", `{"executor": {"expr": "1"}, "name": "a", "description": "One."}`, head + "executor: {expr: '1'}\n"},
		{"anchors", "name: a\ndescription: &d One.\ntitle: *d\nexecutor: {expr: '1'}\n", "name: a\ntitle: One.\ndescription: One.\nexecutor: {expr: '1'}\n"},
	} {
		s, ds := Parse("a.yaml", []byte(c.file))
		if ds.HasErrors() {
			t.Fatal(c.name, ds)
		}
		if have := s.Canonical(); have != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, have, c.want)
		}
		checkCanonical(t, c.name, s)
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add("name: a\ndescription: One.\nexecutor: {command: {shell: \"a\\n\\tb \\n\"}}\ntags: [1e3, on, ~, '', ' x', \"\\x00\"]\n")
	f.Add("name: a\ndescription: |2\n   x\n  y\nexecutor: {expr: '#'}\n")
	f.Fuzz(func(t *testing.T, src string) {
		s, ds := Parse("a.yaml", []byte(src))
		if ds.HasErrors() || len(src) > MaxFileBytes/16 || strings.Count(src, "*") > 0 {
			return
		}
		checkCanonical(t, src, s)
	})
}
