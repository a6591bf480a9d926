package check

import (
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// work is one thing that a tool does: its executor, or a step of it.
type work struct {
	kind   string
	config spec.Section
}

// works are all that a tool does, a pipeline's steps one by one.
func works(f *File) []work {
	var all []work
	for _, field := range f.Spec.Root().Get("executor").Fields() {
		all = append(all, worksOf(field.Key.Value, field.Value)...)
	}
	return all
}

func worksOf(kind string, config spec.Section) []work {
	if kind != "pipeline" {
		return []work{{kind, config}}
	}
	var all []work
	for _, step := range config.Items() {
		for _, field := range step.Fields() {
			switch field.Key.Value {
			case "id", "when", "each", "input", "tool":
			default:
				all = append(all, worksOf(field.Key.Value, field.Value)...)
			}
		}
	}
	return all
}

// text is the characters of a section that is a scalar; empty for another.
func textOf(s spec.Section) string {
	text, _ := s.Text()
	return text.Value
}

// method is that of an http request, in upper case.
func (w work) method() string {
	switch method := strings.ToUpper(textOf(w.config.Get("method"))); {
	case w.kind != "http":
		return ""
	case method != "":
		return method
	case !w.config.Get("body").IsZero():
		return "POST"
	}
	return "GET"
}

// argv are the literal texts of a command's arguments, lists taken apart; an argument with a slot is an empty text.
func (w work) argv() []string {
	var all []string
	for _, item := range w.config.Get("argv").Items() {
		texts := []spec.Section{item}
		if item.Form() == spec.FormList {
			texts = item.Items()
		}
		for _, s := range texts {
			text := textOf(s)
			if strings.Contains(text, "${") {
				text = ""
			}
			all = append(all, text)
		}
	}
	return all
}

// hostFromInput tells whether a call's input chooses where an http request goes: it stands in the slot that the url starts with.
func (w work) hostFromInput() bool {
	url := strings.TrimSpace(textOf(w.config.Get("url")))
	first, _, _ := strings.Cut(url, "}")
	return w.kind == "http" && strings.HasPrefix(url, "${") && strings.Contains(first, "input")
}

// eachText visits every text of a section, keys too, with the name of the key it stands under.
func eachText(s spec.Section, visit func(text spec.Text, path string, isKey bool)) {
	for _, f := range s.Fields() {
		visit(f.Key, f.Value.Path(), true)
		eachText(f.Value, visit)
	}
	for _, item := range s.Items() {
		eachText(item, visit)
	}
	if text, ok := s.Text(); ok {
		visit(text, s.Path(), false)
	}
}
