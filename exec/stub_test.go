package exec_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/spec"
)

// stubbed calls a tool, given by its executor and what stands beside it, with a stub, and gives what it planned.
func stubbed(t *testing.T, file string, input string, stub *exec.Stub) (spec.ToolResult, []exec.Plan) {
	t.Helper()
	tools := toolMap{}
	env := &exec.Env{Policy: exec.DefaultPolicy(), WorkDir: t.TempDir(), Funcs: testFuncs(), Transport: noNetwork{t}}
	env.Policy.EnvNames = append(env.Policy.EnvNames, "API")
	var first *exec.Tool
	for i, text := range strings.Split(file, "\n---\n") {
		s, ds := spec.Parse("t.yaml", []byte(text))
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		tool, ds := exec.StandardKinds().Compile(env, s)
		if tool == nil {
			t.Fatal(ds)
		}
		if tools[s.Name] = tool; i == 0 {
			first = tool
		}
	}
	var plans []exec.Plan
	call := exec.Call{Use: spec.ToolUse{ID: "1", Input: json.RawMessage(input)}, Tools: tools, Stub: stub, Planned: func(p exec.Plan) { plans = append(plans, p) }}
	return first.Call(t.Context(), call), plans
}

// noNetwork fails the test that reaches for it.
type noNetwork struct{ t *testing.T }

func (n noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("a request left: %s", r.URL)
	return nil, errors.New("no network")
}

const stubHead = "name: t\ndescription: x\ninputSchema: {type: object, additionalProperties: true, properties: {a: {type: string}, list: {type: array}}}\n"

func shownOf(t *testing.T, r spec.ToolResult) string {
	t.Helper()
	raw, err := json.Marshal(r.Content)
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Status) + " " + string(raw)
}

func TestStubAnswers(t *testing.T) {
	at := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name, file, want string
		stub             exec.Stub
	}{
		{
			"http", "executor: {http: {url: 'https://api.example.com/${input.a}'}}\nresult: {content: [text: '${response.status} ${output.x}']}",
			`success [{"text":"201 7"}]`,
			exec.Stub{HTTP: &exec.StubResponse{Status: 201, Header: http.Header{"content-type": {"application/json"}}, Body: []byte(`{"x": 7}`)}},
		},
		{
			"http status", "executor: {http: {url: 'https://api.example.com/'}}\nresult: {error: '${response.status == 404 ? output.why : null}'}",
			`error [{"text":"Error: gone"}]`,
			exec.Stub{HTTP: &exec.StubResponse{Status: 404, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"why": "gone"}`)}},
		},
		{
			"http none", "executor: {http: {url: 'https://api.example.com/'}}",
			`error [{"text":"Error: the test has no stub.http for this request"}]`, exec.Stub{},
		},
		{
			"http refused as it would be", "executor: {http: {url: 'http://${env.API}/'}}",
			`error [{"text":"Error: no request may go to 169.254.169.254: it is a cloud's metadata service"}]`,
			exec.Stub{Env: map[string]string{"API": "169.254.169.254"}, HTTP: &exec.StubResponse{}},
		},
		{
			"command", "executor: {command: {argv: [no-such-program, '${input.a}'], output: json}}",
			`success [{"json":{"n":1}}]`, exec.Stub{Command: &exec.StubProcess{Stdout: []byte(`{"n": 1}`)}},
		},
		{
			"command fails", "executor: {command: {argv: [no-such-program]}}",
			`error [{"text":"Error: no-such-program exited with code 3\nstderr: bad"}]`,
			exec.Stub{Command: &exec.StubProcess{Stderr: []byte("bad"), ExitCode: 3}},
		},
		{
			"command none", "executor: {command: {argv: [no-such-program]}}",
			`error [{"text":"Error: the test has no stub.command for this command"}]`, exec.Stub{},
		},
		{
			"files", "executor: {command: {argv: [draw, '${dir.scratch}/sub/a.html']}}\nresult: {content: [document: {format: html, file: '${dir.scratch}/sub/a.html'}]}",
			`success [{"document":{"format":"html","name":"document","source":{"bytes":"aGk="}}}]`,
			exec.Stub{Command: &exec.StubProcess{Files: map[string][]byte{"sub/a.html": []byte("hi")}}},
		},
		{
			"files without a mention", "executor: {command: {argv: [draw]}}", `success [{"text":"ok"}]`,
			exec.Stub{Command: &exec.StubProcess{Stdout: []byte("ok\n"), Files: map[string][]byte{"a": nil}}},
		},
		{
			"files outside", "executor: {command: {argv: [draw]}}",
			`error [{"text":"Error: stub.command.files: \"../a\" cannot be written in dir.scratch"}]`,
			exec.Stub{Command: &exec.StubProcess{Files: map[string][]byte{"../a": nil}}},
		},
		{
			"env", "executor: {expr: '[env.HOME, env.LANG, env.USER, env.API]'}", `success [{"json":["/home/user","C",null,"x"]}]`,
			exec.Stub{Env: map[string]string{"API": "x", "LANG": "C"}},
		},
		{
			"now", "executor: {expr: 'string(now() + days(1))'}", `success [{"text":"2024-03-01T12:00:00Z"}]`, exec.Stub{Now: at},
		},
		{
			"state and self", "executor: {expr: '[state.city, state[\"user:units\"], self.n, self.none]'}", `success [{"json":["Oslo","mm",2,null]}]`,
			exec.Stub{State: map[string]any{"city": "Oslo", "user:units": "mm"}, Self: map[string]any{"n": json.Number("2")}},
		},
		{"dir", "executor: {expr: '[dir.tool, dir.work]'}", `success [{"json":["/dir/tool","/dir/work"]}]`, exec.Stub{}},
		{
			"steps", "executor:\n  pipeline:\n    - {id: one, command: {argv: [no-such-program]}}\n    - {id: two, expr: 'steps.one.n + 1'}",
			`success [{"text":"42"}]`, exec.Stub{Steps: map[string]any{"one": map[string]any{"n": 41}}},
		},
		{
			"a step that does not run is null", "executor:\n  pipeline:\n    - {id: one, when: 'false', expr: '1'}\n    - {id: two, expr: 'steps.one'}",
			`success [{"text":"null"}]`, exec.Stub{Steps: map[string]any{"one": 1}},
		},
		{
			"tools", "executor:\n  pipeline:\n    - {id: one, tool: geocode, input: {name: '${input.a}'}}\n    - {id: two, expr: 'steps.one.lat'}",
			`success [{"text":"59.9"}]`, exec.Stub{Tools: map[string]any{"geocode": map[string]any{"lat": 59.9}}},
		},
		{
			"requires", "requires: {os: [plan9], commands: [no-such-program], env: [NO_SUCH_VARIABLE]}\nexecutor: {expr: '1'}", `success [{"text":"1"}]`, exec.Stub{},
		},
		{
			"tools of the set", "executor:\n  pipeline:\n    - {id: one, tool: other, input: {name: '${input.a}'}}\n---\n" +
				"name: other\ndescription: x\ninputSchema: {type: object, properties: {name: {type: string}}}\nexecutor: {command: {argv: [say, '${input.name}']}}",
			`success [{"text":"said"}]`, exec.Stub{Command: &exec.StubProcess{Stdout: []byte("said")}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := stubbed(t, stubHead+tt.file, `{"a": "v"}`, &tt.stub)
			if have := shownOf(t, r); have != tt.want {
				t.Errorf("have %s\nwant %s", have, tt.want)
			}
		})
	}
}

func TestStubPlans(t *testing.T) {
	t.Setenv("LC_ALL", "xx")
	r, plans := stubbed(t, stubHead+`executor:
  pipeline:
    - {id: run, command: {argv: [./x.sh, '${input.a}', '${dir.scratch}/out'], env: {K: '${input.a}', HOME: /h}, stdin: hi, cwd: sub}}
    - {id: sh, command: {shell: 'echo "$INPUT_A"'}}
    - {id: ask, each: '[1, 2]', http: {method: PUT, url: 'https://api.example.com/${item}?q=${input.a}', headers: {X-A: '${input.a}'}, body: {json: {a: '${input.a}'}}}}
    - {id: go, func: echo, input: {a: 1}}
    - {id: up, expr: upper(input.a)}
    - {id: other, tool: other, input: {n: 1}}
`+"---\nname: other\ndescription: x\ninputSchema: {type: object, properties: {n: {type: integer}}}\nexecutor: {command: {argv: [say, '${input.n}']}}",
		`{"a": "v w"}`, &exec.Stub{
			HTTP: &exec.StubResponse{}, Command: &exec.StubProcess{}, Env: map[string]string{"LC_ALL": "C", "NOT": "inherited"},
		})
	if r.Status != spec.StatusSuccess {
		t.Fatal(shownOf(t, r))
	}
	inherited := []string{"HOME", "LANG", "LC_ALL", "PATH", "TZ"}
	header := http.Header{
		"User-Agent": {"toolspec (+https://github.com/toolspec/toolspec)"}, "Accept": {"application/json, */*;q=0.8"},
		"Accept-Encoding": {"gzip"}, "X-A": {"v w"}, "Content-Type": {"application/json"},
	}
	all := `{"a":"v w"}`
	want := []exec.Plan{
		{Step: "run", Command: &exec.PlannedCommand{
			Program: "./x.sh", Argv: []string{"./x.sh", "v w", "/dir/scratch/out"}, Dir: "/dir/work/sub", Stdin: "hi",
			Env: map[string]string{"K": "v w", "HOME": "/h", "TOOLSPEC_INPUT": all}, Inherited: []string{"LANG", "LC_ALL", "PATH", "TZ"},
		}},
		{Step: "sh", Command: &exec.PlannedCommand{
			Program: "sh", Argv: []string{"sh", "-c", `echo "$INPUT_A"`}, Dir: "/dir/work",
			Env: map[string]string{"INPUT_A": "v w", "TOOLSPEC_INPUT": all}, Inherited: inherited,
		}},
		{Step: "ask[0]", Request: &exec.PlannedRequest{Method: "PUT", URL: "https://api.example.com/1?q=v%20w", Header: header, Body: []byte(`{"a":"v w"}`)}},
		{Step: "ask[1]", Request: &exec.PlannedRequest{Method: "PUT", URL: "https://api.example.com/2?q=v%20w", Header: header, Body: []byte(`{"a":"v w"}`)}},
		{Step: "go", Func: &exec.PlannedFunc{Name: "echo", Input: map[string]any{"a": json.Number("1")}}},
		{Step: "up", Expr: "upper(input.a)"},
		{Step: "other", Tool: &exec.PlannedFunc{Name: "other", Input: json.RawMessage(`{"n":1}`)}},
		{Step: "other", Command: &exec.PlannedCommand{
			Program: "say", Argv: []string{"say", "1"}, Dir: "/dir/work", Env: map[string]string{"TOOLSPEC_INPUT": `{"n":1}`}, Inherited: inherited,
		}},
	}
	if !reflect.DeepEqual(plans, want) {
		t.Errorf("have %s\nwant %s", jsonLines(plans), jsonLines(want))
	}
}

func jsonLines(plans []exec.Plan) string {
	var b strings.Builder
	for _, p := range plans {
		line, _ := json.Marshal(p)
		b.WriteString("\n" + string(line))
	}
	return b.String()
}

// What a request would send of files is not read, and parts are not divided at random.
func TestStubFiles(t *testing.T) {
	_, plans := stubbed(t, stubHead+"executor: {http: {url: 'https://x.example/', body: {multipart: {f: {file: 'files/${input.a}'}}}}}", `{"a": "no/such.png"}`,
		&exec.Stub{HTTP: &exec.StubResponse{}})
	want := "--toolspec\r\nContent-Disposition: form-data; name=\"f\"; filename=\"such.png\"\r\nContent-Type: image/png\r\n\r\nfile:files/no/such.png\r\n--toolspec--\r\n"
	if have := string(plans[0].Request.Body); have != want {
		t.Errorf("have %q\nwant %q", have, want)
	}
}

// A call for real tells what it does, too, with the directories that it has.
func TestPlannedForReal(t *testing.T) {
	work := t.TempDir()
	s, _ := spec.Parse("t.yaml", []byte("name: t\ndescription: x\nexecutor: {command: {argv: [sh, -c, 'echo $X'], env: {X: '${state.city}'}}}"))
	tool, ds := exec.StandardKinds().Compile(&exec.Env{WorkDir: work}, s)
	if tool == nil {
		t.Fatal(ds)
	}
	var plans []exec.Plan
	r := tool.Call(t.Context(), exec.Call{State: map[string]any{"city": "Oslo"}, Planned: func(p exec.Plan) { plans = append(plans, p) }})
	if have := shownOf(t, r); have != `success [{"text":"Oslo"}]` {
		t.Error(have)
	}
	if len(plans) != 1 || plans[0].Command.Dir != work || plans[0].Command.Env["X"] != "Oslo" || !filepath.IsAbs(plans[0].Command.Program) {
		t.Errorf("have %s", jsonLines(plans))
	}
	if _, err := os.Stat(plans[0].Command.Program); err != nil {
		t.Error(err)
	}
}
