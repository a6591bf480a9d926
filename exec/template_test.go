package exec

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

func varsOf(input map[string]any) *Vars {
	var v *Vars
	return v.With("input", input)
}

// TestTemplateText fills templates: one pass, values as they are written.
func TestTemplateText(t *testing.T) {
	site := testSite(t, spec.Section{})
	v := varsOf(map[string]any{
		"city": "Oslo", "n": json.Number("12345678901234567890"), "e": json.Number("1.50"), "slot": "${input.city}", "none": nil, "yes": true,
		"list": []any{json.Number("1"), "<&>", nil}, "o": map[string]any{"b": "ü", "a": json.Number("1e2")}, "when": time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), "bytes": []byte("raw"),
	})
	for text, want := range map[string]string{
		"":                                  "",
		"plain $ and $$ and { }":            "plain $ and $$ and { }",
		"$${input.city}":                    "${input.city}",
		"$$${input.city}":                   "$${input.city}",
		"a ${input.city}!":                  "a Oslo!",
		"${input.city}${input.city}":        "OsloOslo",
		"${input.slot} stays":               "${input.city} stays",
		"${input.n} ${input.e}":             "12345678901234567890 1.50",
		"-${input.none}-${input.no.way}-":   "---",
		"${input.list} ${input.o}":          `[1,"<&>",null] {"a":1e2,"b":"ü"}`,
		"${input.yes} ${1/4} ${2.0}":        "true 0.25 2",
		"${input.when} ${input.bytes}":      "2026-03-01T12:00:00Z raw",
		`${ {"a": "}"}.a } ${'}'} ${"\"}"}`: `} } "}`,
		"${ `}` }":                          "}",
		"x${ 1 // one }\n }y":               "x1y",
		"x${ 1 /* } */ }y":                  "x1y",
		"  ${input.city}\n":                 "Oslo", // whole: the white space goes
	} {
		template, ds := site.Template(spec.Text{Value: text})
		if ds.HasErrors() {
			t.Errorf("%q: %v", text, ds)
			continue
		}
		have, _, err := template.text(context.Background(), v)
		if err != nil || have != want {
			t.Errorf("%q: have %q, %v; want %q", text, have, err, want)
		}
	}
}

func TestTemplateForms(t *testing.T) {
	site := testSite(t, spec.Section{})
	v := varsOf(map[string]any{"n": json.Number("1e1"), "none": nil, "list": []any{"a"}})
	for _, c := range []struct {
		text    string
		literal bool
		whole   bool
		value   any
		null    bool
	}{
		{"x", true, false, "x", false},
		{"", true, false, "", false},
		{" ${input.n} ", false, true, json.Number("1e1"), false},
		{"${input.list}", false, true, []any{"a"}, false},
		{"${input.none}", false, true, nil, true},
		{"x${input.none}", false, false, "x", true},
		{"${input.n}${input.n}", false, false, "1e11e1", false},
		{"$${x}", true, false, "${x}", false},
	} {
		template, ds := site.Template(spec.Text{Value: c.text})
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		if _, literal := template.literal(); literal != c.literal || template.whole() != c.whole {
			t.Errorf("%q: literal %v, whole %v", c.text, literal, template.whole())
		}
		value, err := template.value(context.Background(), v)
		if err != nil || fmt.Sprint(value) != fmt.Sprint(c.value) {
			t.Errorf("%q: have %#v, %v", c.text, value, err)
		}
		if _, null, _ := template.text(context.Background(), v); null != c.null {
			t.Errorf("%q: null %v", c.text, null)
		}
	}
}

func TestTemplateFillEscapes(t *testing.T) {
	template, _ := testSite(t, spec.Section{}).Template(spec.Text{Value: "<${input.a}>${input.b}"})
	values, err := template.eval(context.Background(), varsOf(map[string]any{"a": "x", "b": json.Number("2")}))
	if err != nil {
		t.Fatal(err)
	}
	if have := template.fill(values, strings.ToUpper); have != "<X>2" {
		t.Errorf("have %s", have)
	}
}

// TestTree builds JSON from templates: what is null goes with its entry or pair, what was given as null stays.
func TestTree(t *testing.T) {
	site := testSite(t, spec.Section{})
	v := varsOf(map[string]any{"a": json.Number("1.0"), "given": nil, "o": map[string]any{"x": nil}, "list": []any{}, "s": "t"})
	for source, want := range map[string]string{
		`{"a": "${input.a}", "b": "x${input.s}"}`:                        `{"a":1.0,"b":"xt"}`,
		`{"a": "${input.missing}", "b": 1}`:                              `{"b":1}`,
		`{"a": "${input.given}", "b": "${input.o.x}"}`:                   `{"a":null,"b":null}`,
		`{"a": "${input.o.y}", "b": "${input.given ?? null}"}`:           `{}`,
		`{"a": "x${input.given}"}`:                                       `{}`,
		`["${input.a}", "${input.given}", "x${input.missing}", null, 1]`: `[1.0,null,1]`,
		`{"a": null, "b": true, "c": 12345678901234567890}`:              `{"a":null,"b":true,"c":12345678901234567890}`,
		`{"a": {"b": ["${input.missing}"]}, "c": {"d": "${null}"}}`:      `{"a":{"b":[]},"c":{}}`,
		`"${input.list}"`:    `[]`,
		`"${input.missing}"`: `null`,
		`{"a$${": "$${x}"}`:  ``,
		`{"a": "$${x}"}`:     `{"a":"${x}"}`,
		`[]`:                 `[]`,
		`{}`:                 `{}`,
	} {
		tree, ds := site.Tree(jsonSection(t, source))
		if ds.HasErrors() {
			if want != "" {
				t.Errorf("%s: %v", source, ds)
			}
			continue
		}
		value, err := tree.eval(context.Background(), v)
		if have := renderJSON(value); err != nil || have != want {
			t.Errorf("%s: have %s, %v; want %s", source, have, err, want)
		}
	}
}

func TestTreeOfYAML(t *testing.T) {
	root, ds := spec.ReadDocument("x.yaml", []byte("date: 2026-01-01\nno: no\nyes: true\nhex: 0x10\nquoted: '1'\nslot: ${input.n}\n"))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	tree, ds := testSite(t, spec.Section{}).Tree(root)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	value, err := tree.eval(context.Background(), varsOf(map[string]any{"n": json.Number("1")}))
	want := `{"date":"2026-01-01","hex":16,"no":"no","quoted":"1","slot":1,"yes":true}`
	if have := renderJSON(value); err != nil || have != want {
		t.Errorf("have %s, %v", have, err)
	}
}

// FuzzTemplate reads any text: it never panics, and says every fault at a place within the text.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"${input.city}", "a $${ b ${ {\"}\": 1} } '", "${`", "${ /* ", "${map(input.xs, {\"a\": .b})}", "${\n  input.x ??\n y }", "é${ü.ö}", "${ 'a\\'' }", "${((((", "${!!!!1}"} {
		f.Add(seed)
	}
	site := testSite(f, spec.Section{})
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 4000 {
			return
		}
		file := renderJSON(map[string]any{"t": text})
		root, ds := spec.ReadDocument("x.json", []byte(file))
		if ds.HasErrors() {
			t.Skip()
		}
		at, _ := root.Get("t").Text()
		template, ds := site.Template(at)
		for _, d := range ds {
			if d.Pos.Line != at.Pos.Line || d.Pos.Column < at.Pos.Column || d.Pos.Column > utf8.RuneCountInString(file) {
				t.Errorf("%q: placed outside: %v", text, d)
			}
		}
		if literal, ok := template.literal(); ok && !ds.HasErrors() && !strings.Contains(text, "$${") && literal != text {
			t.Errorf("%q: literal %q", text, literal)
		}
	})
}

// FuzzExpr runs any expression: it ends, within its bounds, and fails in no other way than with an error.
func FuzzExpr(f *testing.F) {
	for _, seed := range []string{
		`1 + input.n`, `reduce(1..26, #acc + #acc, "x")`, `map(input.tags, # + "x")`, `repeat("x", 99)`, `[1,2,3][1:]`, `let x = 1; x`, `sortBy(input.places, .max)`, `groupBy(input.tags, #)`,
		`match("a", "(a)")`, `date("2026-01-01") + days(1)`, `{"a": [input.big]} == {"a": [input.big]}`, `fromJSON(toJSON(input))`, `-input.f ** 2`, `input.city[1:2]`, `sum(input.nums) / 0`, `input.none?.x ?? [1]`,
	} {
		f.Add(seed)
	}
	for _, bomb := range exprBombs {
		f.Add(bomb)
	}
	site := testSite(f, spec.Section{})
	v := exprVars(f)
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 2000 {
			return
		}
		e, ds := site.Expr(spec.Text{Value: source})
		if ds.HasErrors() {
			return
		}
		m := newMeter(context.Background(), v)
		m.bytes, m.steps, m.look = 1<<20, 1<<18, 1<<18
		if value, err := e.run(m); err == nil {
			_ = renderText(value)
			_ = e.fromFile()
		} else if strings.Contains(err.Error(), "interface conversion") || strings.Contains(err.Error(), "runtime error") || strings.Contains(err.Error(), "reflect") && !strings.Contains(source, "reflect") {
			t.Errorf("%q: a panic came through: %v", source, err)
		}
	})
}
