package loader

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestLoad(t *testing.T) {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	tools, ds := Load(fstest.MapFS{
		"text/words.yaml": text(toolText("words", "count")),
		"bad.yaml":        text("name: [\n"),
		"more/empty.yaml": text(""),
		"more/large.json": text(strings.Repeat(" ", 256<<10+1)),
		"notes.txt":       text("no tool"),
	}, testKinds(), nil)
	if len(tools) != 1 || tools[0].Spec.Name != "words" || tools[0].Spec.Pos.File != "text/words.yaml" {
		t.Errorf("have %+v", tools)
	}
	var files []string
	for _, d := range ds {
		files = append(files, d.Pos.File)
	}
	if !slices.Equal(slices.Compact(files), []string{"bad.yaml", "more/empty.yaml", "more/large.json"}) {
		t.Errorf("have %v", ds)
	}
	if _, ds = Load(fstest.MapFS{"x": text("")}, testKinds(), nil); len(ds) > 0 {
		t.Errorf("no tools: have %v", ds)
	}
}
