package check

import (
	"strings"
	"unicode"

	"github.com/toolspec/toolspec/spec"
)

// alikeRules are about names that are taken for one another.
func alikeRules() []Rule {
	return []Rule{{
		Name: "look-alike", Severity: spec.SeverityWarning,
		Doc: "Two names that a model, or a person, takes for one: tools of a directory, or parameters of an object, that differ only where 0 stands for O, 1 or I " +
			"for l, rn for m, or a letter of another script for the Latin one that it looks like; parameters that differ only in case or in - and _ (for tools that is " +
			"name-alike); and a name that mixes letters of Latin with Cyrillic or Greek ones.",
		Bad:   "properties: {user_id: {type: string}, userId: {type: string}}",
		Good:  "properties: {user_id: {type: string}, owner_id: {type: string}}",
		Check: alikeParameters, CheckAll: alikeTools,
	}}
}

// twins are letters of other scripts that look like a Latin one, in pairs.
const twins = "аaеeоoрpсcуyхxіiјjѕsԁdһhӏlԛqԝwАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSαaοoνvρpυuιiκkτtχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXɡgıi"

var latin = func() map[rune]rune {
	m := map[rune]rune{}
	letters := []rune(twins)
	for i := 0; i+1 < len(letters); i += 2 {
		m[letters[i]] = letters[i+1]
	}
	return m
}()

// sight is a name as it looks at a glance.
func sight(name string) string {
	seen := strings.Map(func(c rune) rune {
		if c >= 0xFF01 && c <= 0xFF5E { // full width
			c -= 0xFEE0
		}
		if l, ok := latin[c]; ok {
			c = l
		}
		switch c {
		case 'I', '1', '|':
			return 'l'
		case '0', 'O':
			return 'o'
		case '_', '-', '.', ' ':
			return -1
		}
		return unicode.ToLower(c)
	}, name)
	return strings.ReplaceAll(strings.ReplaceAll(seen, "rn", "m"), "vv", "w")
}

// sameWord makes names alike that differ in case and separators only.
func sameWord(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(strings.ToLower(name))
}

func alikeTools(files []*File, report Report) {
	bySight := map[string]*File{}
	for _, f := range files {
		name := f.Spec.Name
		if f.Tool == nil {
			continue
		}
		key := sight(name)
		first := bySight[key]
		switch {
		case first == nil:
			bySight[key] = f
		case foldName(first.Spec.Name) != foldName(name):
			report(f.Spec.Pos, "name: %s looks like %s in %s", name, first.Spec.Name, first.Path)
		}
	}
}

func alikeParameters(f *File, report Report) {
	alikeIn(f.Spec.InputSchema(), report)
}

func alikeIn(s spec.Section, report Report) {
	bySight, byWord := map[string]string{}, map[string]string{}
	for _, field := range s.Get("properties").Fields() {
		name := field.Key.Value
		other, alike := bySight[sight(name)]
		if !alike {
			other, alike = byWord[sameWord(name)]
		}
		if script := mixed(name); alike {
			report(field.Key.Pos, "%s: looks like the field %s beside it", field.Value.Path(), other)
		} else if script != "" {
			report(field.Key.Pos, "%s: the name mixes Latin letters with %s ones that may look the same", field.Value.Path(), script)
		}
		bySight[sight(name)], byWord[sameWord(name)] = name, name
	}
	for _, inner := range spec.Subschemas(s) {
		alikeIn(inner.Schema, report)
	}
}

// mixed is the script whose letters stand in a name beside Latin ones; empty if none does.
func mixed(name string) string {
	has := func(table *unicode.RangeTable) bool {
		return strings.ContainsFunc(name, func(c rune) bool { return unicode.Is(table, c) })
	}
	switch {
	case !has(unicode.Latin):
		return ""
	case has(unicode.Cyrillic):
		return "Cyrillic"
	case has(unicode.Greek):
		return "Greek"
	}
	return ""
}
