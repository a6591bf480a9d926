package check_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/spec"
)

// TestFix mends the file "before" of every archive, and compares with the file "after" and what is said of it.
func TestFix(t *testing.T) {
	archives, err := filepath.Glob("../testdata/fix/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		after, changes := check.Fix("a.yaml", archive.Files[0].Data)
		var told strings.Builder
		for _, c := range changes {
			fmt.Fprintf(&told, "%s: %s\n", c.Pos, c.What)
		}
		want := []txtar.File{archive.Files[0], {Name: "after", Data: after}, {Name: "told", Data: []byte(told.String())}}
		if *update {
			archive.Files = want
			if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, wanted := txtar.Format(archive), txtar.Format(&txtar.Archive{Comment: archive.Comment, Files: want}); !bytes.Equal(have, wanted) {
			t.Errorf("%s: have\n%s", name, wanted)
		}
		holdFix(t, name, archive.Files[0].Data)
	}
}

// holdFix holds what is promised of every fix: the same digest, the same characters but for quotes, white space and the marks of
// a folded block, the same comments, and nothing left to do.
func holdFix(t *testing.T, name string, source []byte) (changed bool) {
	t.Helper()
	after, changes := check.Fix("a.yaml", source)
	if len(changes) == 0 {
		if !bytes.Equal(after, source) {
			t.Errorf("%s: changed, and says nothing", name)
		}
		return false
	}
	before, _ := spec.Parse("a.yaml", source)
	now, ds := spec.Parse("a.yaml", after)
	if now == nil || now.Digest != before.Digest || now.Digest == "" {
		t.Fatalf("%s: says something else: %v\n%s", name, ds, after)
	}
	if have, want := inked(after), inked(source); have != want {
		t.Errorf("%s: characters came or went\n%s", name, after)
	}
	if again, more := check.Fix("a.yaml", after); len(more) > 0 || !bytes.Equal(again, after) {
		t.Errorf("%s: a second fix %v\n%s", name, more, again)
	}
	return true
}

// inked are the characters of a text in order of their code, but for those that a fix may add or take away.
func inked(text []byte) string {
	all := []rune(strings.Map(func(c rune) rune {
		if strings.ContainsRune(" \t\r\n'\"\\>-", c) {
			return -1
		}
		return c
	}, string(text)))
	slices.Sort(all)
	return string(all)
}

// TestFixOfEveryFile mends every YAML file that is shipped, or stands in an archive.
func TestFixOfEveryFile(t *testing.T) {
	files, changed := 0, 0
	one := func(name string, data []byte) {
		if strings.HasSuffix(name, ".yaml") {
			files++
			if holdFix(t, name, data) {
				changed++
			}
		}
	}
	for _, root := range []string{"../toolspecs", "../testdata"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if strings.HasSuffix(path, ".txtar") {
				for _, f := range txtar.Parse(data).Files {
					one(path+"/"+f.Name, f.Data)
				}
				return err
			}
			one(path, data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if t.Logf("%d files, %d changed", files, changed); files < 100 || changed < 5 {
		t.Error("too few to show anything")
	}
}

// TestFixOfGeneratedFiles mends files that are written as differently as people do.
func TestFixOfGeneratedFiles(t *testing.T) {
	changed := 0
	for seed := range uint64(800) {
		if holdFix(t, fmt.Sprint("seed ", seed), generated(rand.New(rand.NewPCG(seed, 1)))) {
			changed++
		}
	}
	if t.Logf("%d of 800 changed", changed); changed < 400 {
		t.Error("too few to show anything")
	}
}

// generated is a tool file: keys in any order, comments and empty lines anywhere, texts in any style.
func generated(r *rand.Rand) []byte {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	words := func() string {
		var b strings.Builder
		for range 1 + r.IntN(40) {
			b.WriteString(pick("weather", "of", "a", "city", "über", "no", "it's", "x: y", "#tag", "-", "two  spaces", `back\slash`, "天気", "end."))
			b.WriteString(" ")
		}
		return strings.TrimSpace(b.String())
	}
	text := func(indent string) string {
		w := words()
		switch r.IntN(5) {
		case 0:
			return "'" + strings.ReplaceAll(w, "'", "''") + "'"
		case 1:
			return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(w) + `"`
		case 2:
			return "|\n" + indent + "  " + w
		case 3:
			return ">-\n" + indent + "  " + w + "\n" + indent + "  # no comment"
		}
		return "plain " + strings.NewReplacer(":", "", "#", "").Replace(w)
	}
	aside := func() string { return pick("", "", "", " # why", "\t# toolspec:allow tokens why") }
	keys := []func() string{
		func() string { return "name: a_tool" + aside() },
		func() string { return "description: " + text("") },
		func() string { return "title: " + pick("no", "'no'", "on", "Yes", "\"off\"") + aside() },
		func() string { return "tags: [no, 'on', y]" + aside() },
		func() string { return "executor: {expr: '1'}" },
		func() string { return "timeout: 5s" + aside() },
		func() string {
			return "inputSchema:\n  properties:\n    place:\n      # said\n      description: " + text("      ") + "\n      enum: [no, off, &x on, *x]"
		},
		func() string {
			return "result:\n  content:\n  - text: no\n  - json:\n    - description: " + text("      ") + "\n    - off # really"
		},
	}
	r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	var b strings.Builder
	b.WriteString(pick("", "", "# a head\n\n", "---\n", "\uFEFF"))
	for _, key := range keys {
		b.WriteString(pick("", "", "", "\n", "# above\n", "\n# toolspec:allow secret none\n") + key() + "\n")
	}
	b.WriteString(pick("", "", "# the end", "\n\n", "...\n"))
	out := b.String()
	if r.IntN(5) == 0 {
		out = strings.ReplaceAll(out, "\n", "\r\n")
	}
	return []byte(strings.TrimRight(out, pick("", "", "\n")))
}

// FuzzFix: whatever a file holds, a fix says the same.
func FuzzFix(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(generated(rand.New(rand.NewPCG(seed, 2))))
	}
	f.Fuzz(func(t *testing.T, source []byte) { holdFix(t, "fuzzed", source) })
}
