package exec

import "github.com/toolspec/toolspec/spec"

// OptionLike are the arguments of the tool's commands whose first character the text of a call decides, with no literal
// -- before them: a call whose text starts with - is refused there.
func (t *Tool) OptionLike() []spec.Text { return optionLike(t.executor) }

func optionLike(x Executor) []spec.Text {
	var found []spec.Text
	switch x := x.(type) {
	case *commandExecutor:
		for _, a := range allArguments(x.entries) {
			if a.guarded && a.startsOpen() {
				text, _ := a.at.Text()
				found = append(found, text)
			}
		}
	case *pipeline:
		for _, st := range x.steps {
			found = append(found, optionLike(st.executor)...)
		}
	}
	return found
}

// startsOpen tells whether a value may decide the argument's first character, or what follows a dash there.
func (a argument) startsOpen() bool {
	for _, p := range a.text.parts {
		switch {
		case p.expr != nil:
			return !p.expr.fromFile() && !p.expr.readsOnly("dir", "env")
		case p.literal != "-":
			return false
		}
	}
	return false
}
