package export

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/toolspec/toolspec/spec"
)

// gemini writes what stands under tools of a request to Gemini: one tool that declares every function, its parameters in
// the part of OpenAPI's schemas that Gemini knows.
func gemini() format {
	return format{
		name: "gemini",
		rules: &rules{
			who: "Gemini", tools: 128, longest: 64,
			name: regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.-]*$`), nameWords: "letters, digits, _ . and -, a letter or _ first",
			field: regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`), fieldWords: "at most 64 letters, digits and _, no digit first,",
			takes: geminiTakes, refs: refsWritten, plain: true, shape: (*fitter).shapeGemini, finish: (*fitter).finishGemini,
		},
		tool: geminiTool,
		join: geminiDocument,
	}
}

func geminiTakes(keyword string, root bool) bool {
	switch keyword {
	case "anyOf", "enum", "nullable":
		return !root
	case "type", "properties", "required", "items", "description", "title", "format", "pattern", "minimum", "maximum", "minLength", "maxLength",
		"minItems", "maxItems", "minProperties", "maxProperties":
		return true
	}
	return false
}

func geminiTool(x *export, s *spec.Spec) []byte {
	x.leave("title", "tags", "annotations", "outputSchema")
	schema, notes := x.fitted(s)
	var o object
	o.put("name", text(x.name))
	o.put("description", text(sentences(s.Description, notes)))
	if len(schema.fields()) > 0 {
		o.put("parameters", schema.json())
	} else {
		x.rewrite(schema.at, "no-parameters", "left out: Gemini takes no object without fields")
	}
	return o.bytes()
}

func geminiDocument(functions [][]byte) []byte {
	if len(functions) == 0 {
		return array(nil)
	}
	var o object
	o.put("functionDeclarations", array(functions))
	return array([][]byte{o.bytes()})
}

func (f *fitter) shapeGemini(s *schema, root bool) {
	f.anything(s)
	f.dropNever(s)
	if k := s.get("nullable"); k != nil {
		f.rewrite(k.at, "keyword", "left out: it says nothing in JSON Schema")
		s.drop("nullable")
	}
	f.typed(s)
	if f.nullForms(s); s.has("anyOf") {
		return
	}
	f.typed(s) // of the one form that is left
	types := nonNull(s.types())
	switch {
	case len(types) == 0:
		at := s.under("type")
		for _, word := range []string{"const", "enum"} {
			if k := s.get(word); k != nil {
				at = k.at
			}
		}
		f.lose(at, "null", "told in the description: Gemini knows no value that is always null")
		s.setTypes([]string{"string", "null"})
		s.drop("enum", "const")
		s.remark("Always null.")
		return
	case len(types) > 1:
		nullable := len(types) < len(s.types())
		if f.split(s, types); nullable {
			s.get("anyOf").list[0].orNull()
		}
		return
	case types[0] == "array":
		f.tuple(s)
		f.entries(s)
	case s.emptyObject() && !root:
		f.asText(s, "object", "Gemini takes no object without fields")
	}
	f.declared(s)
	f.geminiValues(s)
	f.geminiNumbers(s)
	f.geminiFormat(s)
}

// nullForms takes null out of the forms of a value.
func (f *fitter) nullForms(s *schema) {
	k := s.get("anyOf")
	if k == nil {
		return
	}
	forms := slices.DeleteFunc(slices.Clone(k.list), func(form *schema) bool {
		values := form.values()
		return slices.Equal(form.types(), []string{"null"}) || len(values) == 1 && string(values[0]) == "null"
	})
	if len(forms) == len(k.list) || len(forms) == 0 {
		return
	}
	f.rewrite(k.at, "null", "null is written as nullable")
	k.list = forms
	if len(forms) == 1 {
		s.drop("anyOf")
		f.mergeFlat(s, forms[0])
		f.typed(s)
	} else {
		f.typed(forms[0])
		s = forms[0]
	}
	s.orNull()
}

// orNull allows null beside the types there are.
func (s *schema) orNull() {
	if types := s.types(); len(types) > 0 {
		s.setTypes(union(types, []string{"null"}))
	}
}

// geminiValues makes of the values listed an enum of texts, if texts they are; and the description tells others.
func (f *fitter) geminiValues(s *schema) {
	values := s.values()
	if values == nil {
		return
	}
	k := s.get("const")
	if k == nil {
		k = s.get("enum")
	}
	texts := []string{}
	for _, v := range values {
		text, ok := valueOf(v).(string)
		switch null := string(v) == "null"; {
		case ok && text != "" && slices.Contains(s.types(), "string"):
			texts = append(texts, text)
		case null && slices.Contains(s.types(), "null"):
			f.rewrite(k.at, "null", "null is written as nullable")
		default:
			s.remark(phrase(k))
			f.lose(k.at, "enum", "told in the description: Gemini lists no values but texts, and none that is empty")
			s.drop("const", "enum")
			return
		}
	}
	if s.drop("const", "enum"); len(texts) > 0 {
		s.keywords = append(s.keywords, &keyword{name: "enum", at: k.at, said: encoded(texts)})
	}
	if k.name == "const" {
		f.rewrite(k.at, "enum", "written as an enum of one value")
	}
}

// geminiNumbers writes bounds as Gemini reads them: an exclusive bound of integers as the next one, counts as integers.
func (f *fitter) geminiNumbers(s *schema) {
	for name, next := range map[string]int64{"exclusiveMinimum": 1, "exclusiveMaximum": -1} {
		k, inclusive := s.get(name), strings.ToLower(strings.TrimPrefix(name, "exclusive"))
		if k == nil || !slices.Contains(s.types(), "integer") || s.has(inclusive) {
			continue
		}
		if bound, ok := new(big.Int).SetString(string(k.said), 10); ok {
			f.rewrite(k.at, "bound", "written as the %s next to it", inclusive)
			k.name, k.said = inclusive, []byte(bound.Add(bound, big.NewInt(next)).String())
		}
	}
	for _, k := range slices.Clone(s.keywords) {
		number, isNumber := valueOfNumber(k)
		switch k.name {
		case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
			if isNumber && number.IsInt() && number.Num().IsInt64() {
				if plain := number.Num().String(); plain != string(k.said) {
					f.rewrite(k.at, "number", "written as %s", plain)
					k.said = []byte(plain)
				}
				continue
			}
		case "minimum", "maximum":
			if f, err := strconv.ParseFloat(string(k.said), 64); err == nil && isNumber {
				if near, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64)); ok && near.Cmp(number) == 0 {
					continue
				}
			}
		default:
			continue
		}
		s.remark(phrase(k))
		f.lose(k.at, "keyword", "told in the description: the number has more digits than Gemini takes")
		s.drop(k.name)
	}
}

func valueOfNumber(k *keyword) (*big.Rat, bool) {
	if len(k.said) == 0 || k.inner() != nil {
		return new(big.Rat), false
	}
	n, ok := valueOf(k.said).(json.Number)
	number, read := new(big.Rat).SetString(string(n))
	if !ok || !read {
		return new(big.Rat), false
	}
	return number, true
}

func (f *fitter) geminiFormat(s *schema) {
	known := map[string][]string{"string": {"date-time"}, "integer": {"int32", "int64"}, "number": {"float", "double"}}
	k := s.get("format")
	if k == nil {
		return
	}
	for _, t := range s.types() {
		if slices.Contains(known[t], textsOf(k)[0]) {
			return
		}
	}
	s.remark(phrase(k))
	f.lose(k.at, "format", "told in the description: Gemini does not know it")
	s.drop("format")
}

func (f *fitter) finishGemini(s *schema, _ bool) {
	if s.has("anyOf") {
		f.formsAlone(s)
		return
	}
	types := s.types()
	if k := s.get("type"); len(types) > len(nonNull(types)) {
		f.rewrite(k.at, "null", "null is written as nullable")
		i := s.index("type") + 1
		s.keywords = slices.Insert(s.keywords, i, &keyword{name: "nullable", at: k.at, said: []byte("true")})
	}
	if k := s.get("type"); len(types) == 1 && k.said[0] == '[' {
		f.rewrite(k.at, "type", "written as the one type it lists")
	}
	s.setTypes([]string{strings.ToUpper(nonNull(types)[0])})
}

// formsAlone leaves nothing beside the forms of a value: the first of them says what describes all.
func (f *fitter) formsAlone(s *schema) {
	forms := s.get("anyOf")
	first := forms.list[0]
	for first.has("anyOf") {
		first = first.get("anyOf").list[0]
	}
	about := &schema{at: s.at, notes: s.notes}
	for _, k := range s.keywords {
		if k != forms {
			about.keywords = append(about.keywords, k)
		}
	}
	s.keywords, s.notes = []*keyword{forms}, nil
	f.fold(about, false)
	if about.describe(); len(about.keywords) == 0 {
		return
	}
	f.rewrite(s.under("description"), "union", "told in the first form: Gemini takes nothing beside anyOf")
	if own := first.description(); own != "" && about.has("description") {
		about.remark(own)
		about.describe()
		first.drop("description")
	}
	for _, k := range about.keywords {
		if first.has(k.name) {
			f.lose(k.at, "union", "left out: the first form says %s, too", k.name)
			continue
		}
		f.rewrite(k.at, "union", "told in the first form")
		first.keywords = append(first.keywords, k)
	}
}
