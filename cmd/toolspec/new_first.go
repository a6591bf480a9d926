package main

import (
	"embed"
	"strings"
)

// first holds an example of each kind, of a tool called NAME.
//
//go:embed first/*.yaml
var first embed.FS

// firstKinds are the kinds of which there is an example; shell is command with a text for sh.
func firstKinds() []string { return []string{"http", "command", "shell", "expr", "func", "pipeline"} }

// firstFile is the example of a kind under another name.
func firstFile(name, kind string) *newFile {
	text, err := first.ReadFile("first/" + kind + ".yaml")
	if err != nil {
		panic("toolspec: there is no example of the kind " + kind) // each of firstKinds has one
	}
	f := &newFile{text: strings.Replace(string(text), "NAME", name, 1)}
	if kind == "func" {
		f.notes = []string{"calculator is a Go function of this program; a program of yours registers its own"}
	}
	return f
}
