package registry

import (
	"reflect"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

func TestChangesMerge(t *testing.T) {
	names := func(s ...string) []string { return s }
	wrong := func(file, message string) spec.Diagnostic {
		return spec.Errorf(spec.Pos{File: file, Line: 1, Column: 1}, "syntax", "%s", message)
	}
	for _, c := range []struct {
		about              string
		first, second, sum Change
	}{
		{"two names",
			Change{Generation: 1, Added: names("b"), Contract: true, Files: names("b")},
			Change{Generation: 2, Added: names("a"), Contract: true, Files: names("a")},
			Change{Generation: 2, Added: names("a", "b"), Contract: true, Files: names("a", "b")}},
		{"added, then updated, is added",
			Change{Generation: 1, Added: names("a"), Contract: true, Files: names("a")},
			Change{Generation: 2, Updated: names("a"), Files: names("a")},
			Change{Generation: 2, Added: names("a"), Contract: true, Files: names("a")}},
		{"added, then removed, is nothing",
			Change{Generation: 1, Added: names("a"), Contract: true, Files: names("a")},
			Change{Generation: 2, Removed: names("a"), Contract: true, Files: names("a")},
			Change{Generation: 2, Files: names("a")}},
		{"removed, then added, is updated",
			Change{Generation: 1, Removed: names("a"), Contract: true, Files: names("a")},
			Change{Generation: 2, Added: names("a"), Contract: true, Files: names("b")},
			Change{Generation: 2, Updated: names("a"), Contract: true, Files: names("a", "b")}},
		{"updated twice is updated",
			Change{Generation: 1, Updated: names("a"), Contract: true, Files: names("a")},
			Change{Generation: 2, Updated: names("a"), Files: names("a")},
			Change{Generation: 2, Updated: names("a"), Contract: true, Files: names("a")}},
		{"updated, then removed, is removed",
			Change{Generation: 1, Updated: names("a"), Files: names("a")},
			Change{Generation: 2, Removed: names("a"), Contract: true, Files: names("a")},
			Change{Generation: 2, Removed: names("a"), Contract: true, Files: names("a")}},
		{"what was wrong with a file is said by the later change alone",
			Change{Generation: 1, Files: names("a", "b"), Diagnostics: spec.Diagnostics{wrong("a", "old"), wrong("b", "b")}},
			Change{Generation: 2, Files: names("a"), Diagnostics: spec.Diagnostics{wrong("a", "new")}},
			Change{Generation: 2, Files: names("a", "b"), Diagnostics: spec.Diagnostics{wrong("a", "new"), wrong("b", "b")}}},
		{"a mended file has nothing wrong",
			Change{Generation: 1, Files: names("a"), Diagnostics: spec.Diagnostics{wrong("a", "old")}},
			Change{Generation: 2, Files: names("a")},
			Change{Generation: 2, Files: names("a")}},
	} {
		if sum := c.first.then(c.second); !reflect.DeepEqual(sum, c.sum) {
			t.Errorf("%s:\nhave %+v\nwant %+v", c.about, sum, c.sum)
		}
	}
}
