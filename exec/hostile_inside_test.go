package exec_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// insidePlace is a place that no process and no request comes of.
type insidePlace struct {
	name    string
	file    string // executor and result
	text    bool   // only for texts
	refuses func(v hostileValue) bool
	want    func(v hostileValue) string // nil: whatever it is, it is no refusal of another kind
}

// executorPlaces are those of expr, func and pipeline.
func executorPlaces() []insidePlace {
	x := func(v hostileValue) any {
		if v.number {
			return json.Number(v.text)
		}
		return v.text
	}
	l := func(v hostileValue) any {
		if v.number {
			return []any{json.Number("0"), json.Number(v.text)}
		}
		return v.list()
	}
	return []insidePlace{
		{name: "expr", file: "executor: {expr: input.x}", want: func(v hostileValue) string { return v.text }},
		{name: "expr, list", file: "executor: {expr: input.l}", want: func(v hostileValue) string { return asJSON(l(v)) }},
		{name: "expr, map", file: "executor: {expr: input.m}", want: func(v hostileValue) string { return asJSON(v.fields()) }},
		{name: "expr, keys", file: "executor: {expr: keys(input.m)}", want: func(v hostileValue) string { return asJSON(v.keys()) }},
		{name: "expr, joined", file: "executor: {expr: 'input.x + input.x'}", text: true, want: func(v hostileValue) string { return v.text + v.text }},
		{name: "expr, key of the state", file: "executor: {expr: 'state[input.x] ?? self[input.x] ?? \"none\"'}", text: true, want: func(hostileValue) string { return "none" }},
		{name: "expr, key of the input", file: "executor: {expr: 'input.m[input.x]'}", text: true, want: func(v hostileValue) string { return fmt.Sprint(v.fields()[v.text]) }},
		{name: "expr, JSON", file: "executor: {expr: 'fromJSON(toJSON(input.m)).value'}", text: true, want: func(v hostileValue) string { return v.text }},
		{name: "expr, regular expression", file: "executor: {expr: '(match(\"x\", input.x) ?? []) == [] ? 1 : 2'}", text: true},
		{name: "func", file: "executor: {func: echo}", want: func(v hostileValue) string { return asJSON(map[string]any{"x": x(v), "l": l(v), "m": v.fields()}) }},
		{name: "pipeline, input of a step", file: "executor: {pipeline: [{id: a, func: echo, input: {k: '${input.x}', l: '${input.l}', m: '${input.m}'}}]}", want: func(v hostileValue) string {
			return asJSON(map[string]any{"k": x(v), "l": l(v), "m": v.fields()})
		}},
		{name: "pipeline, within text", file: "executor: {pipeline: [{id: a, func: echo, input: {k: 'a${input.x}b'}}]}", want: func(v hostileValue) string { return asJSON(map[string]any{"k": "a" + v.text + "b"}) }},
		{name: "pipeline, when", text: true, file: "executor: {pipeline: [{id: a, expr: '1'}, {id: b, when: 'input.x == \"never\"', expr: '2'}]}", want: func(hostileValue) string { return "1" }},
		{name: "pipeline, each", file: "executor: {pipeline: [{id: a, each: input.l, expr: item}]}", want: func(v hostileValue) string { return asJSON(l(v)) }},
		{name: "pipeline, of a step before", file: "executor: {pipeline: [{id: a, expr: input.x}, {id: b, func: echo, input: {k: '${steps.a}'}}]}", want: func(v hostileValue) string { return asJSON(map[string]any{"k": x(v)}) }},
		{name: "pipeline, input of a tool", file: "executor: {pipeline: [{id: a, tool: inner, input: {v: '${input.x}'}}]}", text: true, want: func(v hostileValue) string { return v.text }},
	}
}

// resultPlaces are those of results.
func resultPlaces() []insidePlace {
	const one = "executor: {expr: '1'}\nresult: "
	blank := func(v hostileValue) bool { return strings.TrimSpace(v.text) == "" }
	return []insidePlace{
		{name: "result, text", file: one + "{content: [{text: 'a${input.x}b'}]}", want: func(v hostileValue) string { return "a" + v.text + "b" }},
		{name: "result, json", file: one + "{content: [{json: {v: '${input.x}', m: '${input.m}', w: 'a${input.x}', k: '${ {(input.x): 1} }'}}]}", text: true, want: func(v hostileValue) string {
			return asJSON(map[string]any{"v": v.text, "m": v.fields(), "w": "a" + v.text, "k": map[string]any{v.text: 1}})
		}},
		{name: "result, error", file: one + "{error: '${input.x}'}", text: true, want: func(v hostileValue) string {
			if blank(v) {
				return "1"
			}
			return "failed: Error: " + v.text
		}},
		{name: "result, error of a map", file: one + "{error: {text: 'a${input.x}b', code: denied}}", want: func(v hostileValue) string { return "denied: Error: a" + v.text + "b" }},
		{name: "result, code of an error", file: one + "{error: '${ {\"text\": \"no\", \"code\": input.x} }'}", text: true},
		{name: "result, suggestion", file: one + "{error: no, suggestion: 'a${input.x}b'}", want: func(v hostileValue) string { return "failed: Error: no\na" + v.text + "b" }},
		{name: "result, message", file: one + "{message: 'a${input.x}b', instruction: 'i${input.x}'}", want: func(v hostileValue) string {
			return asJSON(map[string]any{"status": "success", "data": 1, "message": "a" + v.text + "b", "instruction": "i" + v.text})
		}},
		{name: "result, name of a document", file: one + "{content: [{document: {format: txt, name: '${input.x}', text: t}}]}", want: func(v hostileValue) string { return spec.DocumentName(v.text) + "|t" }},
		{name: "result, text of a document", file: one + "{content: [{document: {format: txt, name: n, text: 'a${input.x}b'}}]}", want: func(v hostileValue) string { return "n|a" + v.text + "b" }},
		{name: "result, format of an image", file: one + "{content: [{image: {format: '${input.x}', text: t}}]}", refuses: func(hostileValue) bool { return true }},
		{name: "result, resource", file: one + "{content: [{resource: {uri: 'a:${input.x}', mimeType: 'a/${input.x}', text: '${input.x}'}}]}", want: func(v hostileValue) string {
			return "a:" + v.text + "|a/" + v.text + "|" + v.text
		}},
		{name: "result, file of dir.scratch", text: true, refuses: func(v hostileValue) bool { return !isFileName(v.text) || v.text == "link" },
			file: "executor: {pipeline: [{id: a, func: put, input: {dir: '${dir.scratch}', name: '${input.x}'}}]}\nresult: {content: [{document: {format: txt, name: n, file: '${input.x}'}}]}",
			want: func(v hostileValue) string { return "n|this is " + v.text }},
	}
}

// put is a Go function that writes a file into a directory, and a link out of it.
func put(_ context.Context, call *exec.Call) (any, error) {
	dir, name := call.Args["dir"].(string), call.Args["name"].(string)
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		return nil, err
	}
	if !isFileName(name) || name == "link" {
		return nil, nil
	}
	return nil, os.WriteFile(filepath.Join(dir, name), []byte("this is "+name), 0o600)
}

// resultText is what a result says.
func resultText(r spec.ToolResult) string {
	if len(r.Content) != 1 {
		return fmt.Sprintf("%d blocks", len(r.Content))
	}
	switch c := r.Content[0]; {
	case c.JSON != nil:
		return string(c.JSON)
	case c.Document != nil:
		return c.Document.Name + "|" + string(c.Document.Source.Bytes)
	case c.Resource != nil:
		return c.Resource.URI + "|" + c.Resource.MIMEType + "|" + c.Resource.Text
	}
	return textOf(r)
}

// TestHostileValuesWithin: expressions, functions, pipelines and results take values for values.
func TestHostileValuesWithin(t *testing.T) {
	g := newGround(t)
	values := hostileValues(t, g.port, g.dir)
	g.env.Funcs = testFuncs()
	g.env.Funcs["put"] = exec.ExecutorFunc(put)
	g.fence()
	inner, ds := spec.Parse("inner.yaml", []byte("name: inner\ndescription: d\ninputSchema: {properties: {v: {type: string}}}\nexecutor: {expr: input.v}\n"))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	called, ds := exec.StandardKinds().Compile(g.env, inner)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	var y tally
	for _, p := range append(executorPlaces(), resultPlaces()...) {
		texts := hostileTool(t, g.env, "string", p.file+"\n")
		numbers := texts
		if !p.text {
			numbers = hostileTool(t, g.env, "number", p.file+"\n")
		}
		for _, v := range values {
			tool, refused := texts, v.broken || v.number && p.text || p.refuses != nil && p.refuses(v)
			if v.number {
				tool = numbers
			}
			r := tool.Call(t.Context(), exec.Call{Use: spec.ToolUse{ID: "1", Input: v.input()}, Session: v.text, Tools: toolMap{"inner": called}})
			y.add(p.name, !refused)
			switch fault := refusalFault(r); {
			case refused && fault != "":
				t.Errorf("%s, %s, %.100q: want a refusal; %.300s", p.name, v.name, v.text, fault)
			case refused, p.want == nil && (fault == "" || r.Status == spec.StatusSuccess):
			case p.want == nil || resultText(r) != p.want(v):
				t.Errorf("%s, %s, %.100q: arrived as %.300q", p.name, v.name, v.text, resultText(r))
			}
		}
	}
	g.check()
	y.report(t, len(values))
}

// TestHostileValuesOfOtherTypes: where no text is wanted, or not any, a value is what the schema says, or refused.
func TestHostileValuesOfOtherTypes(t *testing.T) {
	g := newGround(t)
	values := hostileValues(t, g.port, g.dir)
	g.fence()
	short := regexp.MustCompile(`^[a-z]{1,5}$`)
	var y tally
	for _, p := range []struct {
		name, schema string
		fits         func(v hostileValue, said string) bool
	}{
		{"a boolean", "{type: boolean}", func(v hostileValue, said string) bool {
			return !v.number && v.text == said && (said == "true" || said == "false")
		}},
		{"an integer", "{type: integer}", func(v hostileValue, said string) bool {
			given, ok := new(big.Rat).SetString(v.text)
			have, whole := new(big.Int).SetString(said, 10)
			return ok && whole && given.IsInt() && given.Num().Cmp(have) == 0
		}},
		{"one of an enum", "{enum: [a, b]}", func(v hostileValue, said string) bool { return v.text == said && (said == "a" || said == "b") }},
		{"a pattern", "{type: string, pattern: '^[a-z]{1,5}$'}", func(v hostileValue, said string) bool { return v.text == said && short.MatchString(said) }},
		{"a date", "{type: string, format: date}", func(v hostileValue, said string) bool { return said == "2031-01-30" }},
		{"a list", "{type: array, items: {type: integer}}", func(v hostileValue, said string) bool {
			return strings.ReplaceAll(v.text, " ", "") == said && strings.HasPrefix(said, "[")
		}},
	} {
		s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: d\ninputSchema: {properties: {v: "+p.schema+"}}\nexecutor: {expr: input.v}\n"))
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		tool, _ := exec.StandardKinds().Compile(g.env, s)
		for _, v := range values {
			r := tool.Call(t.Context(), exec.Call{Use: spec.ToolUse{Input: json.RawMessage(`{"v":` + v.raw + `}`)}})
			arrived := r.Status == spec.StatusSuccess
			y.add(p.name, arrived)
			if fault := refusalFault(r); arrived && !p.fits(v, resultText(r)) || !arrived && fault != "" {
				t.Errorf("%s, %s, %.100q: %.300q", p.name, v.name, v.text, resultText(r))
			}
		}
	}
	none := hostileTool(t, g.env, "string", "executor: {expr: '\"called\"'}\n")
	for _, v := range values {
		for place, input := range map[string]string{"the name of a field": `{` + v.raw + `:1}`, "the whole input": v.raw} {
			r := none.Call(t.Context(), exec.Call{Use: spec.ToolUse{Input: json.RawMessage(input)}})
			arrived := r.Status == spec.StatusSuccess
			y.add(place, arrived)
			if fault := refusalFault(r); arrived && !(place == "the whole input" && (v.text == "" || v.text == "{}")) || !arrived && fault != "" {
				t.Errorf("%s, %s, %.100q: %.300q", place, v.name, v.text, resultText(r))
			}
		}
	}
	g.check()
	y.report(t, len(values))
}

// TestPlacesWithoutTemplates: what is no value is literal, and a slot in it is an error of the file.
func TestPlacesWithoutTemplates(t *testing.T) {
	for _, executor := range []string{
		"command: {argv: ['${input.x}']}", "command: {argv: [sh, -c, 'echo ${input.x}']}", "command: {shell: 'echo ${input.x}'}", "command: {argv: [ls], env: {'${input.x}': a}}", "command: {argv: [env, '${input.x}']}",
		"http: {url: 'http://${input.x}/'}", "http: {url: 'http://a.example:${input.x}/'}", "http: {url: '${input.x}://a.example/'}", "http: {url: 'http://${input.x}@a.example/'}", "http: {url: 'http://a.example/#${input.x}'}",
		"http: {url: 'http://a.example/', method: '${input.x}'}", "http: {url: 'http://a.example/', headers: {'${input.x}': a}}", "http: {url: 'http://a.example/', query: {'${input.x}': a}}",
		"http: {url: 'http://a.example/', auth: {apiKey: {name: '${input.x}', value: a}}}", "http: {url: 'http://a.example/', body: {form: {'${input.x}': a}}}", "http: {url: 'http://a.example/', body: {multipart: {'${input.x}': a}}}",
		"http: {url: 'http://a.example/', body: {text: '{\"a\": \"${input.x}\"}'}, headers: {Content-Type: application/json}}", "http: {url: 'http://a.example/', redirects: '${input.x}'}",
		"func: '${input.x}'", "pipeline: [{id: a, tool: '${input.x}'}]", "pipeline: [{id: '${input.x}', expr: '1'}]",
	} {
		s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: d\ninputSchema: {properties: {x: {type: string}}}\nexecutor: {"+executor+"}\n"))
		if s != nil && !ds.HasErrors() {
			_, ds = exec.StandardKinds().Compile(&exec.Env{Policy: exec.DefaultPolicy()}, s)
		}
		if !ds.HasErrors() {
			t.Errorf("%s: it loads", executor)
		}
	}
}
