package export_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// account holds a schema against its export: what was in and did not come out, or came out and was not in, must be named by
// a loss, itself or something around it.
type account struct {
	losses map[string]bool // the places named
	moved  []string        // places around which something else stands now: references, alternatives, what is joined
	gaps   []string
}

func accountFor(losses spec.Diagnostics) *account {
	a := &account{losses: map[string]bool{}}
	for _, l := range losses {
		at, _, _ := strings.Cut(l.Message, ": ")
		if l.Rule == "optional" { // null is allowed, and nothing else is another
			for _, keyword := range []string{"type", "enum", "const", "anyOf", "$ref"} {
				a.losses[at+"."+keyword] = true
			}
			continue
		}
		a.losses[at] = true
		if slices.Contains([]string{"reference", "recursion", "union", "all-of", "tuple", "draft", "null", "bound", "enum"}, l.Rule) && !strings.HasSuffix(at, ".$defs") {
			a.moved = append(a.moved, at)
		}
	}
	return a
}

// told tells whether a place, or one around it, is named.
func (a *account) told(path string) bool {
	for at := path; ; {
		if a.losses[at] {
			return true
		}
		i := strings.LastIndexAny(at, ".[")
		if i < 0 {
			return false
		}
		at = at[:i]
	}
}

// in checks that all that was in is there still, or told.
func (a *account) in(path string, in, out any) {
	if a.told(path) {
		return
	}
	switch in := in.(type) {
	case object:
		out, ok := out.(object)
		if !ok {
			a.gap("lost", path)
			return
		}
		for key, v := range in {
			if key == "description" && extended(v, out[key]) {
				continue
			}
			now, there := out[key]
			if !there {
				now = struct{}{} // null is another thing
			}
			a.in(path+"."+key, v, now)
		}
	case []any:
		out, ok := out.([]any)
		if !ok || len(out) != len(in) {
			a.gap("lost", path)
			return
		}
		for i := range in {
			a.in(fmt.Sprintf("%s[%d]", path, i), in[i], out[i])
		}
	default:
		if !reflect.DeepEqual(in, out) && !sameType(path, in, out) {
			a.gap("lost", path)
		}
	}
}

// sameType: Gemini writes types in capitals.
func sameType(path string, in, out any) bool {
	a, _ := in.(string)
	b, _ := out.(string)
	return strings.HasSuffix(path, ".type") && strings.EqualFold(a, b)
}

func extended(in, out any) bool {
	a, inText := in.(string)
	b, outText := out.(string)
	return inText && outText && strings.HasPrefix(b, strings.TrimRight(a, " \n"))
}

// out checks that all that came out was in, or is told.
func (a *account) out(path string, in, out any) {
	if a.told(path) || a.isMoved(path) {
		return
	}
	switch out := out.(type) {
	case object:
		in, ok := in.(object)
		if !ok {
			a.gap("made up", path)
			return
		}
		for key, v := range out {
			if key == "description" && a.within(path) {
				continue
			}
			a.out(path+"."+key, in[key], v)
		}
	case []any:
		in, ok := in.([]any)
		if !ok || len(in) != len(out) {
			a.gap("made up", path)
			return
		}
		for i := range out {
			a.out(fmt.Sprintf("%s[%d]", path, i), in[i], out[i])
		}
	default:
		if !reflect.DeepEqual(in, out) && !sameType(path, in, out) {
			a.gap("made up", path)
		}
	}
}

// isMoved tells whether the place is below one where something was joined.
func (a *account) isMoved(path string) bool {
	return slices.ContainsFunc(a.moved, func(at string) bool {
		i := strings.LastIndexAny(at, ".[")
		return i >= 0 && strings.HasPrefix(path+".", at[:i]+".")
	})
}

// within tells whether a loss is named in the schema, which its description then may tell.
func (a *account) within(path string) bool {
	for at := range a.losses {
		if strings.HasPrefix(at, path+".") || at == path {
			return true
		}
	}
	return false
}

func (a *account) gap(what, path string) { a.gaps = append(a.gaps, what+" "+path) }
