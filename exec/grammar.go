package exec

import "github.com/toolspec/toolspec/spec"

// Grammar is what a tool file may hold where it may use these kinds: a JSON Schema of draft-07 for editors.
func (k Kinds) Grammar() spec.Grammar {
	kinds, definitions := map[string]spec.Grammar{}, map[string]spec.Grammar{}
	for name, kind := range k {
		definitions["kind."+name] = kind.grammar()
		kinds[name] = spec.Definition("kind." + name).With(spec.Grammar{"description": kind.Doc})
	}
	definitions["step"] = stepGrammar(k.Names(), kinds)
	executor := spec.Grammar{"type": "object", "properties": kinds, "additionalProperties": false}
	return spec.FileGrammar(map[string]spec.Grammar{
		"executor": executor.With(spec.OneKey(k.Names())),
		"result":   spec.GrammarOf(resultConfig{}),
		"tests":    spec.GrammarOf([]testConfig{}),
	}, definitions)
}

// grammar is that of the kind's section; of a kind that declares nothing it is anything.
func (k Kind) grammar() spec.Grammar {
	if k.Config == nil {
		return spec.Grammar{}
	}
	return spec.GrammarOf(k.Config)
}

// stepGrammar is that of one step of a pipeline: its own keys, and a tool or any kind in place.
func stepGrammar(names []string, kinds map[string]spec.Grammar) spec.Grammar {
	step := spec.GrammarOf(stepConfig{})
	properties := step["properties"].(map[string]spec.Grammar)
	for name, kind := range kinds {
		properties[name] = kind
	}
	return step.With(spec.OneKey(append([]string{"tool"}, names...)))
}
