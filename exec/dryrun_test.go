package exec

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// dryRun plans a call of a tool whose executor would tell if it did anything.
func dryRun(t *testing.T, file, input string, set ...func(*Env)) (*DryRun, spec.ToolResult) {
	t.Helper()
	f := ExecutorFunc(func(context.Context, *Call) (any, error) { t.Error("a function was called"); return nil, nil })
	parts := strings.Split(file, "\n---\n")
	tools := toolSet{}
	for i, part := range parts {
		name := "t"
		if i > 0 {
			name, part, _ = strings.Cut(part, "\n")
		}
		tools[name] = compile(t, part+"\n", f, append(set, func(e *Env) { e.Transport = nobody{t} })...)
	}
	return tools["t"].Plan(t.Context(), Call{Use: spec.ToolUse{ID: "1", Input: []byte(input)}, Tools: tools})
}

const dryHead = `inputSchema:
  type: object
  properties:
    city: {type: string}
    days: {type: integer, default: 3}
    at: {type: object, properties: {lat: {type: number, default: 1}, lon: {type: number}}}
    none: {type: string}
`

func TestDryRunTells(t *testing.T) {
	work := t.TempDir()
	t.Setenv("USER", "ada")
	t.Setenv("TOOLSPEC_SECRET_THERE", "never shown")
	for _, c := range []struct{ name, file, input, want string }{
		{
			"request", "executor: {http: {method: PUT, url: 'https://a.example/${input.city}', query: {n: '${input.days}', u: '${env.USER}', x: '${input.none}', lat: '${input.at.lat}', lon: '${input.at.lon}'}, auth: {bearer: '${secret.THERE}'}, body: {json: {k: '${secret.GONE}'}}}}",
			`{"city": "New York", "days": "5", "at": {"lon": 2}}`,
			`[{"request":{"method":"PUT","url":"https://a.example/New%20York?n=5&u=ada&lat=1&lon=2","headers":{"Accept":["application/json, */*;q=0.8"],"Accept-Encoding":["gzip"],"Authorization":["Bearer secret:THERE"],"Content-Type":["application/json"],"User-Agent":["toolspec (+https://github.com/toolspec/toolspec)"]},"body":"{\"k\":\"secret:GONE\"}"},` +
				`"from":[{"name":"env.USER","from":"environment"},{"name":"input.at.lat","from":"default"},{"name":"input.at.lon","from":"argument"},{"name":"input.city","from":"argument"},{"name":"input.days","from":"repair"},{"name":"input.none","from":"nothing"},{"name":"secret.GONE","from":"secret, which is not there"},{"name":"secret.THERE","from":"secret"}]}]`,
		},
		{
			"command", "executor: {command: {argv: [./no-such, '${toJSON(input.at)}', '${dir.work}', '${call.id}', '${state.x}'], env: {K: '${secret.THERE}', HOME: /h}}}",
			`{"at": {"lat": 2}, "none": "x"}`,
			`[{"command":{"program":"./no-such","argv":["./no-such","{\"lat\":2}","WORK","1"],"cwd":"WORK","env":{"HOME":"/h","K":"secret:THERE","TOOLSPEC_INPUT":"{\"at\":{\"lat\":2},\"days\":3,\"none\":\"x\"}"},"inherited":["PATH"]},` +
				`"from":[{"name":"call.id","from":"call"},{"name":"dir.work","from":"directory"},{"name":"input.at","from":"argument"},{"name":"input.days","from":"default"},{"name":"input.none","from":"argument"},{"name":"secret.THERE","from":"secret"},{"name":"state.x","from":"state"}]}]`,
		},
		{"expression", "executor: {expr: 'input.days + 1'}", `{}`, `[{"expr":"input.days + 1","value":4,"from":[{"name":"input.days","from":"default"}]}]`},
		{"function", "executor: {func: f}", `{"city": "x"}`, `[{"func":{"name":"f","input":{"at":{"lat":1},"city":"x","days":3}},"from":[{"name":"input.at","from":"default"},{"name":"input.city","from":"argument"},{"name":"input.days","from":"default"}]}]`},
		{
			"pipeline", `executor:
  pipeline:
    - {id: off, when: input.days > 5, func: f}
    - {id: n, expr: 'input.days * 2'}
    - {id: far, each: '1..2', http: {url: 'https://a.example/${item}/${steps.n}'}}
    - {id: near, when: 'steps.far[0].ok', command: {argv: [echo, '${steps.n}', '${steps.far[0].id}']}}
    - {id: made, func: f, input: {a: '${steps.n}'}}
    - {id: other, tool: other, input: {city: '${input.city}'}}
    - {id: last, expr: '[steps.off, steps.n]'}
---
other
inputSchema: {type: object, properties: {city: {type: string, default: Oslo}}}
executor: {http: {url: 'https://b.example/${input.city}'}}`, `{}`,
			`[{"step":"off","skipped":true,"from":[{"name":"input.days","from":"default"}]},{"step":"n","expr":"input.days * 2","value":6,"from":[{"name":"input.days","from":"default"}]},` +
				`{"step":"far[0]","request":"https://a.example/1/6","from":[{"name":"item","from":"item"},{"name":"steps.n","from":"step"}]},{"step":"far[1]","request":"https://a.example/2/6","from":[{"name":"item","from":"item"},{"name":"steps.n","from":"step"}]},` +
				`{"step":"near","waits":["steps.far"],"template":{"command":{"argv":["echo","${steps.n}","${steps.far[0].id}"]},"id":"near","when":"steps.far[0].ok"},"from":[{"name":"steps.far[0].id","from":"step"},{"name":"steps.far[0].ok","from":"step"},{"name":"steps.n","from":"step"}]},` +
				`{"step":"made","func":{"name":"f","input":{"a":6}},"from":[{"name":"steps.n","from":"step"}]},` +
				`{"step":"other","tool":{"name":"other","input":{}},"from":[{"name":"input.city","from":"nothing"}]},{"step":"other","request":"https://b.example/Oslo","from":[{"name":"input.city","from":"default"}]},` +
				`{"step":"last","expr":"[steps.off, steps.n]","value":[null,6],"from":[{"name":"steps.n","from":"step"},{"name":"steps.off","from":"step"}]}]`,
		},
		{
			"steps within a step see each other alone", `executor:
  pipeline:
    - {id: a, func: f, input: {}}
    - id: b
      pipeline: [{id: c, expr: '1'}, {id: a, expr: 'steps.c + 1'}]
    - {id: d, expr: 'steps.b'}`, `{}`,
			`[{"step":"a","func":{"name":"f","input":{}}},{"step":"b/c","expr":"1","value":1},{"step":"b/a","expr":"steps.c + 1","value":2,"from":[{"name":"steps.c","from":"step"}]},{"step":"d","expr":"steps.b","value":2,"from":[{"name":"steps.b","from":"step"}]}]`,
		},
		{
			"a file that would be sent", "executor: {http: {url: 'https://a.example/', body: {file: '${dir.work}/${input.city}'}}}", `{"city": "here.txt"}`,
			`[{"request":"https://a.example/ file:WORK/here.txt","from":[{"name":"dir.work","from":"directory"},{"name":"input.city","from":"argument"}]}]`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(work, "here.txt"), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"LANG", "TZ", "TMPDIR", "TERM", "HOME", "LC_ALL"} {
				t.Setenv(name, "")
				os.Unsetenv(name)
			}
			dry, r := dryRun(t, dryHead+c.file, c.input, func(e *Env) { e.WorkDir = work })
			if dry == nil {
				t.Fatal(text(r))
			}
			for i, p := range dry.Plans {
				if p.Request != nil && c.name != "request" { // the rest has been seen
					dry.Plans[i].Template, dry.Plans[i].Request = strings.TrimSpace(p.Request.URL+" "+string(p.Request.Body)), nil
				}
			}
			have := strings.ReplaceAll(renderJSON(dry.Plans), work, "WORK")
			have = strings.ReplaceAll(have, `"template":"https`, `"request":"https`)
			if have != c.want {
				t.Errorf("have %s\nwant %s", have, c.want)
			}
		})
	}
}

// What a call would refuse, a dry run refuses with the same words.
func TestDryRunRefuses(t *testing.T) {
	for _, file := range []string{
		"executor: {http: {url: 'https://a.example/${input.none}'}}", "executor: {http: {url: '${input.city}'}}", "executor: {expr: '1 % (input.days - 3)'}",
		"executor: {command: {argv: [echo, '${input.city}']}}\nresult: {suggestion: 'Not ${input.city}.'}", "executor: {http: {url: 'https://a.example', body: {file: nowhere}}}",
		"executor: {pipeline: [{id: a, tool: nobody}]}", "executor: {pipeline: [{id: a, each: input.city, expr: item}]}",
		"executor: {pipeline: [{id: a, tool: o, input: {n: x}}]}\n---\no\ninputSchema: {type: object, properties: {n: {type: integer}}}\nexecutor: {expr: input.n}",
	} {
		for _, input := range []string{`{"city": "-x"}`, `{"city": 7}`, `{"days": "many", "cty": 1}`, `[`} {
			dry, r := dryRun(t, dryHead+file, input)
			if dry != nil {
				t.Errorf("%s with %s: have a plan: %s", file, input, renderJSON(dry))
				continue
			}
			parts := strings.Split(dryHead+file, "\n---\no\n")
			tools := toolSet{}
			for i, part := range parts {
				tools[[]string{"t", "o"}[i]] = compile(t, part+"\n", nil)
			}
			call := use(input)
			call.Tools = tools
			real := tools["t"].Call(t.Context(), call)
			if have, want := renderJSON(r.Content)+string(codeOf(r)), renderJSON(real.Content)+string(codeOf(real)); have != want || r.Metadata.Digest == "" {
				t.Errorf("%s with %s: have %s\nwant %s", file, input, have, want)
			}
		}
	}
}

// No process, no connection, no directory, no secret that somebody would have to be asked for.
func TestDryRunDoesNothing(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	ran := filepath.Join(t.TempDir(), "ran")
	asked := func(e *Env) {
		e.Policy = Policy{Secrets: Secrets{Lookup: func(context.Context, string) (string, bool, error) {
			t.Error("a secret was looked up")
			return "", false, nil
		}}}
	}
	dry, r := dryRun(t, "executor:\n  pipeline:\n    - {id: a, command: {argv: [touch, "+ran+", '${dir.scratch}'], env: {K: '${secret.K}'}}}\n    - {id: b, http: {url: 'https://a.example/${secret.K}'}}\n    - {id: c, func: f}", `{}`, asked)
	if dry == nil {
		t.Fatal(text(r))
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the command ran")
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if have := dry.Plans[0].Command.Argv; have[2] != filepath.Join(tmp, "toolspec-XXXXXX") || dry.Plans[0].Command.Env["K"] != "secret:K" {
		t.Errorf("have %q", have)
	}
}

func TestDryRunOfWhatIsNotHere(t *testing.T) {
	dry, _ := dryRun(t, "executor: {command: {argv: [no-such-program-here]}}", `{}`)
	if dry == nil || !strings.Contains(dry.Unavailable, "no-such-program-here") || len(dry.Plans) != 1 {
		t.Errorf("have %s", renderJSON(dry))
	}
}

// nobody fails the test that sends a request.
type nobody struct{ t *testing.T }

func (n nobody) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("a request left: %s", r.URL)
	return nil, http.ErrServerClosed
}
