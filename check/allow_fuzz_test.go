package check_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/check"
	"github.com/toolspec/toolspec/spec"
)

// FuzzAllow: whatever a file's comments say, no error is silenced, and what is said of a comment stands at one.
func FuzzAllow(f *testing.F) {
	f.Add([]byte("# toolspec:allow tokens why\nname: a # toolspec:allow file-name why\ndescription: |\n  b # toolspec:allow when-to-use no\nexecutor: {expr: input.x}\n"))
	f.Add([]byte("{name: a, description: b, # toolspec:allow\n executor: {expr: '1'}} # toolspec:allow allow x"))
	for seed := range uint64(10) {
		f.Add(generated(rand.New(rand.NewPCG(seed, 3))))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		judged := file("a.yaml", source)
		isError := func(d spec.Diagnostic) bool { return d.Severity == spec.SeverityError }
		found := slices.Clone(judged.Found)
		ds := check.Lint([]*check.File{judged}, check.Options{Together: true})
		errors := 0
		lines := strings.Split(string(source), "\n")
		for _, d := range ds {
			if isError(d) {
				errors++
			}
			if d.Rule == "allow" && (d.Line > len(lines) || !strings.Contains(lines[d.Line-1], "toolspec:allow")) {
				t.Errorf("%s: no comment stands there", d.Error())
			}
		}
		found.Sort()
		found = slices.DeleteFunc(found, func(d spec.Diagnostic) bool { return !isError(d) })
		if errors < len(found) {
			t.Errorf("%d errors were found and %d told", len(found), errors)
		}
	})
}
