package exec

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// toolSet is tools by name, as a snapshot has them.
type toolSet map[string]*Tool

func (s toolSet) Tool(name string) (*Tool, bool) { t, ok := s[name]; return t, ok }

func (s toolSet) All() iter.Seq[*Tool] { return maps.Values(s) }

// set compiles several files, given by name without their name and description.
func set(t testing.TB, files map[string]string, funcs map[string]Executor) toolSet {
	t.Helper()
	tools := toolSet{}
	for name, file := range files {
		s, ds := spec.Parse(name+".yaml", []byte("name: "+name+"\ndescription: A tool.\n"+file))
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		tool, ds := StandardKinds().Compile(&Env{Funcs: funcs}, s)
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		tools[name] = tool
	}
	return tools
}

func (s toolSet) call(t testing.TB, name, input string) spec.ToolResult {
	t.Helper()
	call := use(input)
	call.Tools = s
	return s[name].Call(t.Context(), call)
}

const numbers = "inputSchema: {type: object, properties: {n: {type: integer, default: 1}, list: {type: array}}}\n"

func TestPipeline(t *testing.T) {
	add := ExecutorFunc(func(_ context.Context, call *Call) (any, error) { return map[string]any{"args": call.Args}, nil })
	fail := ExecutorFunc(func(context.Context, *Call) (any, error) { return nil, spec.NewError(spec.CodeUnavailable, "closed") })
	files := map[string]string{
		"double":  numbers + "executor: {expr: input.n * 2}",
		"down":    "executor: {func: fail}",
		"chain":   numbers + "executor: {pipeline: [{id: a, tool: double, input: {n: '${input.n}'}}, {id: b, tool: double, input: {n: '${steps.a}'}}]}",
		"skip":    numbers + "executor: {pipeline: [{id: a, expr: input.n}, {id: b, when: input.n > 5, expr: '\"big\"'}]}",
		"seen":    numbers + "executor: {pipeline: [{id: a, when: 'false', expr: '1'}, {id: b, expr: 'steps.a == nil'}]}",
		"none":    numbers + "executor: {pipeline: [{id: a, when: 'false', expr: '1'}]}",
		"each":    numbers + "executor: {pipeline: [{id: a, each: input.list, expr: item * 10}, {id: b, each: '${steps.a}', tool: double, input: {n: '${item}'}}]}",
		"broken":  numbers + "executor: {pipeline: [{id: a, expr: '1'}, {id: oops, tool: down}, {id: c, expr: '2'}]}",
		"bad":     numbers + "executor: {pipeline: [{id: a, tool: double, input: {n: many}}]}",
		"lost":    "executor: {pipeline: [{id: a, tool: doubel}]}",
		"item":    numbers + "executor: {pipeline: [{id: a, each: input.list, tool: double, input: {n: '${item}'}}]}",
		"ping":    "executor: {pipeline: [{id: a, tool: pong}]}",
		"pong":    "executor: {pipeline: [{id: a, tool: ping}]}",
		"func":    "executor: {pipeline: [{id: a, func: args, input: {x: 12345678901234567890}}]}",
		"nested":  numbers + "executor: {pipeline: [{id: a, expr: '5'}, {id: b, pipeline: [{id: c, expr: input.n + 1}, {id: d, expr: steps.c * 3}]}, {id: e, expr: steps.a + steps.b}]}",
		"shaped":  numbers + "executor: {pipeline: [{id: a, expr: '5'}, {id: b, expr: '6'}]}\nresult: {content: [{text: '${steps.a} and ${output}'}]}",
		"notlist": numbers + "executor: {pipeline: [{id: a, each: input.n, expr: item}]}",
	}
	tools := set(t, files, map[string]Executor{"args": add, "fail": fail})
	for _, c := range []struct{ tool, input, want string }{
		{"chain", `{"n": 3}`, "12"},
		{"skip", `{"n": 1}`, "1"},
		{"skip", `{"n": 9}`, "big"},
		{"seen", `{}`, "true"},
		{"none", `{}`, "null"},
		{"each", `{"list": [1, 2]}`, `{"json":[20,40]}`},
		{"each", `{}`, `{"json":[]}`},
		{"broken", `{}`, "Error: step oops: closed"},
		{"bad", `{}`, "Error: step a: Field `n`"},
		{"lost", `{}`, "Error: step a: there is no tool doubel; did its author mean double?"},
		{"item", `{"list": [1, "x"]}`, "Error: step a, item 2 of 2: Field `n`"},
		{"ping", `{}`, "Error: step a: step a: tools call each other in a circle: ping → pong → ping"},
		{"func", `{}`, `{"json":{"args":{"x":12345678901234567890}}}`},
		{"nested", `{"n": 1}`, "11"},
		{"shaped", `{}`, "5 and 6"},
		{"notlist", `{}`, "Error: step a, each: want a list, have 1"},
	} {
		t.Run(c.tool+c.input, func(t *testing.T) {
			if have := text(tools.call(t, c.tool, c.input)); !strings.HasPrefix(have, c.want) {
				t.Errorf("have %s, want %s", have, c.want)
			}
		})
	}
	if r := tools.call(t, "broken", `{}`); r.Metadata.Error.Code != spec.CodeUnavailable {
		t.Errorf("the code of the step is lost: %+v", r.Metadata)
	}
}

func TestPipelineGoesNoDeeperThan16(t *testing.T) {
	tools := set(t, map[string]string{"a": "executor: {pipeline: [{id: x, tool: b}]}", "b": "executor: {expr: '1'}"}, nil)
	call := use(`{}`)
	call.Tools, call.Depth = tools, 16
	if r := tools["a"].Call(t.Context(), call); !strings.Contains(text(r), "more than 16 deep") {
		t.Errorf("have %s", text(r))
	}
}

func TestPipelineIsCheckedWhenRead(t *testing.T) {
	for name, c := range map[string]struct{ steps, want string }{
		"empty":      {"[]", "3:22: executor.pipeline: want a list of steps"},
		"unknown":    {"[{id: a, expr: steps.b}, {id: b, expr: '1'}]", "b"},
		"twice":      {"[{id: a, expr: '1'}, {id: a, expr: '1'}]", "3:48: executor.pipeline[1].id: there is a step a already"},
		"reserved":   {"[{id: in, expr: '1'}]", "in is a word of the expression language"},
		"dash":       {"[{id: a-b, expr: '1'}]", "want a name of letters, digits and _"},
		"no id":      {"[{expr: '1'}]", "id is missing"},
		"no kind":    {"[{id: a}]", "want exactly one of tool, command, "},
		"two kinds":  {"[{id: a, expr: '1', tool: b}]", "have 2"},
		"wrong key":  {"[{id: a, exrp: '1'}]", "unknown key executor.pipeline[0].exrp: did you mean expr?"},
		"word":       {"[{id: a, if: 'true', expr: '1'}]", "write when"},
		"self":       {"[{id: a, tool: t}]", "the tool t calls itself"},
		"input":      {"[{id: a, expr: '1', input: {}}]", "takes no other"},
		"item":       {"[{id: a, expr: item}]", "item"},
		"later kind": {"[{id: a, mcp: {}}]", "unknown key"},
	} {
		t.Run(name, func(t *testing.T) {
			s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\nexecutor: {pipeline: "+c.steps+"}\n"))
			if ds.HasErrors() {
				t.Fatal(ds)
			}
			tool, ds := StandardKinds().Compile(&Env{}, s)
			if tool != nil || !strings.Contains(ds.Error(), c.want) {
				t.Errorf("have %v, want %s", ds, c.want)
			}
		})
	}
}

func TestUsesNamesTheToolsOfAllSteps(t *testing.T) {
	tools := set(t, map[string]string{"a": "executor: {pipeline: [{id: x, tool: b}, {id: y, pipeline: [{id: z, tool: c}]}, {id: w, expr: '1'}]}"}, nil)
	var names []string
	for _, name := range tools["a"].Uses() {
		names = append(names, name.Value)
	}
	if !slices.Equal(names, []string{"b", "c"}) {
		t.Errorf("have %v", names)
	}
}
