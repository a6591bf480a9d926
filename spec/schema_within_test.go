package spec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

func TestSubschemas(t *testing.T) {
	s := read(t, "f.yaml", `{properties: {a: {type: string}, b: true}, type: object, items: [{}, {}], allOf: [{}], dependencies: {x: [y], z: {}},
additionalProperties: false, not: {}, unknown: {type: string}, $defs: [{}]}`)
	var have []string
	for _, inner := range spec.Subschemas(s) {
		have = append(have, fmt.Sprint(inner.Keyword, " ", inner.Name.Value, " ", inner.InPlace))
	}
	want := []string{"properties a false", "items  false", "items  false", "allOf  true", "dependencies z true", "not  true"}
	if !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
	if all := spec.Subschemas(spec.Section{}); all != nil {
		t.Errorf("an absent schema has %v", all)
	}
}

func TestFollow(t *testing.T) {
	root := read(t, "f.yaml", "{$defs: {a/b: {list: [x, here]}}}")
	for reference, want := range map[string]string{"#/$defs/a~1b/list/1": "here", "#/$defs/c": "", "other#/x": "", "": "", "#anchor": ""} {
		text, _ := spec.Follow(root, reference).Text()
		if text.Value != want {
			t.Errorf("%s: have %q, want %q", reference, text.Value, want)
		}
	}
}

func TestFileKeysAreInTheOrderOfTheFormat(t *testing.T) {
	keys := spec.FileKeys()
	if order := strings.Join(keys, " "); !strings.HasPrefix(order, "name title description ") || slices.Index(keys, "executor") > slices.Index(keys, "result") {
		t.Errorf("have %s", order)
	}
}
