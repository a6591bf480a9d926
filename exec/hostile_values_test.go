package exec_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// hostileValue is one value of the corpus.
type hostileValue struct {
	name   string // file and place in it
	raw    string // as the input has it, JSON
	text   string // what must arrive
	number bool
	broken bool // it is no text and no number: every place must refuse it
}

// input gives the value as a text, within a list, and within a map, as value and as key.
func (v hostileValue) input() json.RawMessage {
	key, first := v.raw, `"first"`
	if v.number {
		key, first = `"`+v.raw+`"`, "0"
	}
	return json.RawMessage(fmt.Sprintf(`{"x":%s,"l":[%s,%s],"m":{"value":%s,%s:%s}}`, v.raw, first, v.raw, v.raw, key, first))
}

// list and fields are l and m of the input.
func (v hostileValue) list() []string { return []string{v.first(), v.text} }

func (v hostileValue) first() string {
	if v.number {
		return "0"
	}
	return "first"
}

func (v hostileValue) fields() map[string]any {
	if v.number {
		return map[string]any{"value": json.Number(v.text), v.raw: json.Number("0")}
	}
	return map[string]any{"value": v.text, v.text: "first"}
}

func (v hostileValue) keys() []string { return slices.Sorted(maps.Keys(v.fields())) }

// asJSON is a value as compact JSON.
func asJSON(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// hostileValues are all values of testdata/hostile, and what cannot stand in a file of JSON. @PORT@ becomes a port that
// nobody may connect to, @DIR@ a directory that nobody may write in.
func hostileValues(t *testing.T, port, dir string) []hostileValue {
	t.Helper()
	files, err := filepath.Glob("../testdata/hostile/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	var all []hostileValue
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.ReplaceAll(bytes.ReplaceAll(content, []byte("@PORT@"), []byte(port)), []byte("@DIR@"), []byte(dir))
		var raws []json.RawMessage
		if err := json.Unmarshal(content, &raws); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		for i, raw := range raws {
			v := hostileValue{name: fmt.Sprintf("%s/%d", name, i+1), raw: string(raw), number: raw[0] != '"', broken: name == "surrogates"}
			switch {
			case v.number:
				v.text, v.broken = v.raw, outOfRange(v.raw)
			case !v.broken:
				if err := json.Unmarshal(raw, &v.text); err != nil {
					t.Fatalf("%s: %v", v.name, err)
				}
			}
			all = append(all, v)
		}
	}
	return append(all, madeValues()...)
}

// madeValues are those that are too long to be written down, and those that are no UTF-8.
func madeValues() []hostileValue {
	var all []hostileValue
	for _, n := range []int{100_000, 131_071, 131_072, 200_000} {
		text := strings.Repeat("x", n-1) + "$"
		all = append(all, hostileValue{name: fmt.Sprintf("long/%d", n), raw: asJSON(text), text: text})
	}
	all = append(all, hostileValue{name: "long/too", raw: asJSON(strings.Repeat("y", 300_000)), broken: true}) // four times are more than 1 MiB
	for i, bytes := range []string{"\xff", "a\x80b", "..\xc0\xaf..", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "caf\xe9", "\xfe\xff\x00a", "\xc2"} {
		all = append(all, hostileValue{name: fmt.Sprintf("bytes/%d", i+1), raw: `"` + bytes + `"`, broken: true})
	}
	return all
}

// outOfRange tells of a number that inputs may not hold: it has more than 1,000 digits, or an exponent beyond ±400.
func outOfRange(number string) bool {
	return slices.Contains([]string{"1e401", "1e-401", "1e999999999", "-1e999999999", "0e999", strings.Repeat("1", 1001)}, number)
}

// tally is how often values arrived in a place, and how often they were refused.
type tally struct {
	places           []string // in the order in which they were first asked
	arrived, refused map[string]int
}

func (y *tally) add(place string, arrived bool) {
	if y.arrived == nil {
		y.arrived, y.refused = map[string]int{}, map[string]int{}
	}
	if !slices.Contains(y.places, place) {
		y.places = append(y.places, place)
	}
	if arrived {
		y.arrived[place]++
	} else {
		y.refused[place]++
	}
}

// report prints what came of it. Every place must have been asked with every value.
func (y *tally) report(t *testing.T, values int) {
	t.Helper()
	const least = 300
	if values < least {
		t.Errorf("the corpus has %d values, want at least %d", values, least)
	}
	arrived, refused := 0, 0
	for _, p := range y.places {
		t.Logf("%-34s %4d arrived as themselves, %4d refused", p, y.arrived[p], y.refused[p])
		if asked := y.arrived[p] + y.refused[p]; asked < values {
			t.Errorf("%s: %d of %d values were tried", p, asked, values)
		}
		arrived, refused = arrived+y.arrived[p], refused+y.refused[p]
	}
	t.Logf("%d values in %d places: %d arrived, %d were refused", values, len(y.places), arrived, refused)
}

// refusalFault is what is wrong with a refusal: it has a code that says whose fault it is, and words.
func refusalFault(r spec.ToolResult) string {
	text := resultText(r)
	switch {
	case r.Status != spec.StatusError || r.Metadata.Error == nil:
		return "it is no error: " + text
	case !slices.Contains([]spec.Code{spec.CodeInvalidInput, spec.CodeDenied, spec.CodeUnavailable, spec.CodeFailed}, r.Metadata.Error.Code):
		return "it has the code of a fault of ours: " + text
	case len(text) < len("invalid_input: Error: ")+10:
		return "it does not say why: " + text
	}
	return ""
}

// hostileTool compiles a tool for values of a type, "string" or "number".
func hostileTool(t *testing.T, env *exec.Env, kind, file string) *exec.Tool {
	t.Helper()
	head := fmt.Sprintf(`name: t
description: A tool.
inputSchema:
  properties: {x: {type: %[1]s}, l: {type: array, items: {type: %[1]s}}, m: {type: object, additionalProperties: {type: %[1]s}}}
`, kind)
	s, ds := spec.Parse(filepath.Join(env.WorkDir, "t.yaml"), []byte(head+file))
	if ds.HasErrors() {
		t.Fatalf("%v\n%s", ds, file)
	}
	tool, ds := exec.StandardKinds().Compile(env, s)
	if ds.HasErrors() {
		t.Fatalf("%v\n%s", ds, file)
	}
	return tool
}

func callHostile(t *testing.T, tool *exec.Tool, v hostileValue) spec.ToolResult {
	return tool.Call(t.Context(), exec.Call{Use: spec.ToolUse{ID: "1", Input: v.input()}, Session: v.text})
}
