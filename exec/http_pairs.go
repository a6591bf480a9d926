package exec

import (
	"context"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// pair is one entry of a map whose values are templates: a query, headers, a form. A list of templates is several.
type pair struct {
	name   string
	at     spec.Section
	values []*Template
}

// compilePairs reads such a map, in the order of the file.
func compilePairs(site *Site, sec spec.Section) ([]pair, spec.Diagnostics) {
	var ds spec.Diagnostics
	switch sec.Form() {
	case spec.FormAbsent:
		return nil, nil
	case spec.FormMap:
	default:
		return nil, spec.Diagnostics{sec.Errorf("type", "want a map of names and values, have %s", sec.Form())}
	}
	pairs := make([]pair, 0, len(sec.Fields()))
	for _, f := range sec.Fields() {
		if d, ok := literalKey(f); !ok {
			ds = append(ds, d)
			continue
		}
		values, faults := compileTexts(site, f.Value)
		ds = append(ds, faults...)
		pairs = append(pairs, pair{f.Key.Value, f.Value, values})
	}
	return pairs, ds
}

// pairsGrammar is that of such a map.
func pairsGrammar() spec.Grammar {
	text := spec.GrammarOf(spec.Text{})
	return spec.Grammar{
		"type": "object", "propertyNames": spec.Grammar{"not": spec.Grammar{"pattern": `\$\{`}},
		"additionalProperties": spec.Grammar{"anyOf": []spec.Grammar{text, {"type": "array", "items": text}}},
	}
}

// literalKey refuses a name that wants to be a template.
func literalKey(f spec.Field) (spec.Diagnostic, bool) {
	for i := 0; i+1 < len(f.Key.Value); i++ {
		if f.Key.Value[i:i+2] == "${" {
			return spec.Errorf(f.Key.At(i), ruleTemplate, "%s: a name is literal, not a template", f.Value.Path()), false
		}
	}
	return spec.Diagnostic{}, true
}

// compileTexts compiles one template, or a list of them.
func compileTexts(site *Site, sec spec.Section) ([]*Template, spec.Diagnostics) {
	var ds spec.Diagnostics
	items := []spec.Section{sec}
	if sec.Form() == spec.FormList {
		items = sec.Items()
	}
	templates := make([]*Template, 0, len(items))
	for _, item := range items {
		template, faults := compileText(site, item)
		ds = append(ds, faults...)
		templates = append(templates, template)
	}
	return templates, ds
}

// compileText compiles a template; it is never nil, so that what is wrong elsewhere is found too.
func compileText(site *Site, sec spec.Section) (*Template, spec.Diagnostics) {
	var text spec.Text
	if ds := sec.Decode(&text); ds.HasErrors() {
		return &Template{}, ds
	}
	template, ds := site.Template(text)
	if template == nil {
		template = &Template{}
	}
	return template, ds
}

// texts are the values of a pair in this call: none where a slot is null, several where one is a list.
func (p pair) texts(ctx context.Context, v *Vars) ([]string, error) {
	if len(p.values) == 1 {
		return repeated(ctx, v, p.values[0], nil)
	}
	var all []string
	for _, template := range p.values {
		texts, err := repeated(ctx, v, template, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, texts...)
	}
	return all, nil
}

// repeated is a template's text once for every entry of the list that one of its slots holds; once where none does,
// and not at all for a null.
func repeated(ctx context.Context, v *Vars, t *Template, escape func(string) string) ([]string, error) {
	if text, ok := t.literal(); ok {
		return []string{text}, nil
	}
	values, err := t.eval(ctx, v)
	if err != nil {
		return nil, err
	}
	at, list := -1, []any(nil)
	for i, value := range values {
		if value == nil {
			return nil, nil
		}
		if entries, ok := value.([]any); ok {
			if at >= 0 {
				return nil, spec.NewError(spec.CodeFailed, "%s: two lists meet in one value, of which one could be repeated", slotNames(t))
			}
			at, list = i, entries
		}
	}
	if at < 0 {
		return []string{t.fill(values, escape)}, nil
	}
	var texts []string
	for _, entry := range list {
		if entry != nil {
			values[at] = entry
			texts = append(texts, t.fill(values, escape))
		}
	}
	return texts, nil
}

// slotNames name what a template's slots are made of, for a model: the fields of the input, where that is all.
func slotNames(t *Template) string {
	var names []string
	for _, p := range t.parts {
		if p.expr == nil {
			continue
		}
		name := "${ " + shorten(p.expr.source, 100) + " }"
		if field, ok := strings.CutPrefix(p.expr.source, "input."); ok && p.expr.path != nil {
			name = "Field `" + field + "`"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
