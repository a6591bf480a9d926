package loader

import (
	"github.com/toolspec/toolspec/exec"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a.yaml": true, "a.yml": true, "a.json": true, "a.b.yaml": true, "ü.yaml": true,
		"a.YAML": false, "a.yaml~": false, "a.yaml.bak": false, "a.yaml-old": false, ".a.yaml": false, "_a.yaml": false,
		"#a.yaml": false, "#a.yaml#": false, "a": false, "yaml": false, ".yaml": false, "": false, "a.toml": false,
	} {
		if IsToolFile(name) != want {
			t.Errorf("%q: have %v", name, !want)
		}
	}
}

func TestWalk(t *testing.T) {
	fsys := fstest.MapFS{
		"b.yaml": {}, "a/b.yml": {}, "a.json": {}, "a/c/d.yaml": {}, "_a/x.yaml": {}, ".git/x.yaml": {}, "a/README": {}, "x~/x.yaml": {},
	}
	var entered []string
	tree, err := walkTree(fsys, func(dir string, _ bool) { entered = append(entered, dir) })
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range tree.files {
		paths = append(paths, f.path)
	}
	if have, want := strings.Join(paths, " "), "a.json a/b.yml a/c/d.yaml b.yaml"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	if want := []string{".", "a", "a/c"}; !slices.Equal(entered, want) || !slices.Equal(tree.dirs, want) {
		t.Errorf("entered %v, dirs %v", entered, tree.dirs)
	}
}

func TestResolve(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
	for _, dir := range []string{"real/deep", "other"} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"to": "real", "other/far": "../to/deep", "abs": at("to"), "round": "round", "nowhere": "real/gone/x",
	} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct{ path, real, hops string }{
		{"real/deep", "real/deep", "real/deep"},
		{"to", "real", "to real"},
		{"to/deep", "real/deep", "to real/deep"},
		{"other/far", "real/deep", "other/far to real/deep"},
		{"abs/./deep/..", "real", "abs to real"},
		{"gone/x/y", "", "gone"},
		{"nowhere", "", "nowhere real/gone"},
	} {
		real, hops := exec.FollowLinks(at(c.path))
		for i, hop := range hops {
			hops[i], _ = filepath.Rel(base, hop)
			hops[i] = filepath.ToSlash(hops[i])
		}
		if real != "" {
			real, _ = filepath.Rel(base, real)
		}
		if filepath.ToSlash(real) != c.real || strings.Join(hops, " ") != c.hops {
			t.Errorf("%s: have %q by %q, want %q by %q", c.path, real, hops, c.real, c.hops)
		}
	}
	if real, _ := exec.FollowLinks(at("round")); real != "" {
		t.Errorf("a link to itself leads to %s", real)
	}
}
