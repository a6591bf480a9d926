package exec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	osexec "os/exec"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"gopkg.in/yaml.v3"

	"github.com/toolspec/toolspec/exec"
	"github.com/toolspec/toolspec/exec/sandbox"
	"github.com/toolspec/toolspec/spec"
	"github.com/toolspec/toolspec/testdata/versus"
)

// The benchmarks of this file are the promises: what a tool file costs more than the same work written by hand with the
// libraries alone.

const threeProperties = `{"type": "object", "required": ["city"], "properties": {
	"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 16}, "metric": {"type": "boolean"}}}`

const httpFile = `name: city_days
title: Forecast for a city
description: >-
  Daily forecast for one city. Use this tool when the user asks about the weather to come. Do not use it for past weather.
inputSchema:
  type: object
  required: [city]
  properties:
    city: {type: string, description: 'Name of the city, such as Oslo'}
    days: {type: integer, minimum: 1, maximum: 16, default: 3, description: How many days}
    units: {enum: [c, f], default: c, description: Degrees}
    hours:
      type: array
      items: {type: integer, minimum: 0, maximum: 23}
      description: Hours of the day to report
executor:
  http:
    url: https://api.example.com/v1/cities/${input.city}/days
    query:
      count: ${input.days}
      units: ${input.units}
      hours: ${input.hours}
    headers:
      Accept: application/json
result:
  error: '${ response.status == 404 ? "No city named " + input.city : null }'
  suggestion: Check the spelling, or call search_city first.
  content:
    - text: '${input.city}: ${output.today.text}'
    - json: ${output.days}
`

const commandFile = `name: find_text
description: Find text in files. Use this tool when the user asks where something is written.
inputSchema:
  type: object
  required: [text]
  properties:
    text: {type: string, description: What to look for}
    path: {type: string, default: ., description: Where to look}
    ignore_case: {type: boolean, description: Whether upper and lower case are the same}
executor:
  command:
    argv: ['true', --, '${input.text}', '${input.path}']
`

const exprFile = `name: add
description: Add two numbers. Use this tool for sums that must be right.
inputSchema:
  type: object
  required: [a, b]
  properties: {a: {type: number}, b: {type: number}}
executor: {expr: 'input.a + input.b'}
`

// BenchmarkFile is a tool file made a tool, against decoding the same YAML and compiling the same schema.
func BenchmarkFile(b *testing.B) {
	kinds, env := exec.StandardKinds(), &exec.Env{Policy: exec.DefaultPolicy()}
	for name, file := range map[string]string{"http": httpFile, "command": commandFile, "expr": exprFile} {
		b.Run(name, func(b *testing.B) {
			versus.Floor(b, func() error {
				s, ds := spec.Parse("t.yaml", []byte(file))
				if ds.HasErrors() {
					return ds.Err()
				}
				_, ds = kinds.Compile(env, s)
				return ds.Err()
			}, func() error { return compileAlone(file) })
		})
	}
}

// compileAlone is what yaml.v3 and jsonschema/v5 make of a tool file.
func compileAlone(file string) error {
	var doc map[string]any
	if err := yaml.Unmarshal([]byte(file), &doc); err != nil {
		return err
	}
	schema, err := json.Marshal(doc["inputSchema"])
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("tool.json", bytes.NewReader(schema)); err != nil {
		return err
	}
	_, err = c.Compile("tool.json")
	return err
}

func readTool(b *testing.B, file string, funcs map[string]exec.Executor) *exec.Tool {
	b.Helper()
	return readToolIn(b, file, &exec.Env{Policy: exec.DefaultPolicy(), Funcs: funcs})
}

func readToolIn(b *testing.B, file string, env *exec.Env) *exec.Tool {
	b.Helper()
	s, ds := spec.Parse("t.yaml", []byte(file))
	if ds.HasErrors() {
		b.Fatal(ds)
	}
	tool, ds := exec.StandardKinds().Compile(env, s)
	if ds.HasErrors() {
		b.Fatal(ds)
	}
	return tool
}

func called(b *testing.B, tool *exec.Tool, input string) func() error {
	call := exec.Call{Use: spec.ToolUse{ID: "1", Input: json.RawMessage(input)}}
	return func() error {
		if r := tool.Call(b.Context(), call); r.Status != spec.StatusSuccess {
			return fmt.Errorf("%s", *r.Content[0].Text)
		}
		return nil
	}
}

// BenchmarkFunc is a call of a Go function, against decoding its input, validating it, and calling the function.
func BenchmarkFunc(b *testing.B) {
	f := exec.ExecutorFunc(func(context.Context, *exec.Call) (any, error) { return "fine", nil })
	tool := readTool(b, "name: t\ndescription: A tool.\ninputSchema: "+threeProperties+"\nexecutor: {func: f}\n", map[string]exec.Executor{"f": f})
	schema := jsonschema.MustCompileString("tool.json", threeProperties)
	const input = `{"city": "Oslo", "days": 3, "metric": true}`
	versus.Floor(b, called(b, tool, input), func() error {
		var args any
		if err := json.Unmarshal([]byte(input), &args); err != nil {
			return err
		}
		if err := schema.Validate(args); err != nil {
			return err
		}
		_, err := f(b.Context(), nil)
		return err
	})
}

// BenchmarkCommand is a call of a program, against starting it with os/exec: with the same variables, both outputs taken, and a deadline.
// What the call has started is held together as toolspec serve does it, and as a Go program does that asks for nothing.
func BenchmarkCommand(b *testing.B) {
	path, err := osexec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	var variables []string
	for _, name := range []string{"PATH", "HOME", "LANG", "TZ", "TMPDIR", "TERM"} {
		if value, ok := os.LookupEnv(name); ok {
			variables = append(variables, name+"="+value)
		}
	}
	alone := func() error {
		ctx, cancel := context.WithTimeout(b.Context(), 30*time.Second)
		defer cancel()
		var stdout, stderr bytes.Buffer
		cmd := osexec.CommandContext(ctx, path, "--", "value", ".")
		cmd.Env, cmd.Stdout, cmd.Stderr = variables, &stdout, &stderr
		return cmd.Run()
	}
	for name, way := range map[string]exec.HoldWay{"serve": exec.HoldCgroup, "group": exec.HoldGroup} {
		b.Run(name, func(b *testing.B) {
			env := &exec.Env{Policy: exec.DefaultPolicy(), Hold: way}
			defer env.Close()
			tool := readToolIn(b, commandFile, env)
			versus.Floor(b, called(b, tool, `{"text": "value"}`), alone)
			b.Log(env.Holding())
		})
	}
}

// BenchmarkSandbox is a call of a confined program, against the same call of one that is not.
func BenchmarkSandbox(b *testing.B) {
	for _, level := range exec.Levels()[1:] {
		b.Run(string(level), func(b *testing.B) {
			policy := exec.DefaultPolicy()
			policy.Sandbox.Level = level
			var calls [2]func() error
			for i, env := range []*exec.Env{
				{Policy: policy, Hold: exec.HoldCgroup, Sandbox: sandbox.New()}, {Policy: exec.DefaultPolicy(), Hold: exec.HoldCgroup},
			} {
				if err := env.HasSandbox(env.Policy.Sandbox.Level); err != nil {
					b.Skip(err)
				}
				defer env.Close()
				calls[i] = called(b, readToolIn(b, commandFile, env), `{"text": "value"}`)
			}
			versus.Floor(b, calls[0], calls[1])
		})
	}
}

// answer is JSON of a usual size.
const answer = `{"city": "Oslo", "days": [{"date": "2026-01-01", "max": 3, "min": -4}, {"date": "2026-01-02", "max": 2, "min": -5}], "ok": true}`

// BenchmarkHTTP is a request to a server on this machine whose answer is JSON, against the same request with net/http,
// its answer decoded; and against the request alone, its answer read and thrown away.
func BenchmarkHTTP(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	}))
	defer server.Close()
	tool := readTool(b, "name: t\ndescription: A tool.\ninputSchema: {type: object, required: [city], properties: {city: {type: string}, days: {type: integer, default: 3}}}\n"+
		"executor: {http: {url: '"+server.URL+"/v1/${input.city}', query: {days: '${input.days}'}, headers: {X-Trace: '${call.id}'}}}\n", nil)
	client := &http.Client{Transport: &http.Transport{}}
	for name, read := range map[string]func([]byte) error{
		"decoded": func(body []byte) error { var v any; return json.Unmarshal(body, &v) },
		"read":    func([]byte) error { return nil },
	} {
		b.Run(name, func(b *testing.B) {
			versus.Floor(b, called(b, tool, `{"city": "Oslo"}`), func() error { return get(b, client, server.URL+"/v1/Oslo?days=3", read) })
		})
	}
}

// get is a request as programs write it by hand.
func get(b *testing.B, client *http.Client, url string, read func([]byte) error) error {
	ctx, cancel := context.WithTimeout(b.Context(), 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	r.Header.Set("X-Trace", "1")
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	return read(body)
}
