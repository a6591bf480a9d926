//go:build amd64 || arm64

package stage

import (
	"slices"
	"strings"
)

// hidden stands before every variable of the program while it is the stage's. What a tool's author names for the program,
// such as LD_PRELOAD, would else decide what the stage itself loads and does, which nothing confines yet.
const hidden = "_"

// Hide is the environment for a stage whose program is to have env.
func Hide(env []string) []string {
	list := make([]string, len(env))
	for i, pair := range env {
		list[i] = hidden + pair
	}
	return list
}

// environment is what the program gets of a stage's own. What was added after [Hide], as a mark by which to know the
// process, goes on as it is, and counts.
func environment(own []string) []string {
	var list, added []string
	for _, pair := range own {
		if shown, is := strings.CutPrefix(pair, hidden); is {
			list = append(list, shown)
		} else {
			added = append(added, pair)
		}
	}
	list = slices.DeleteFunc(list, func(pair string) bool {
		return slices.ContainsFunc(added, func(a string) bool { return nameOf(a) == nameOf(pair) })
	})
	return append(list, added...)
}

func nameOf(pair string) string {
	name, _, _ := strings.Cut(pair, "=")
	return name
}
