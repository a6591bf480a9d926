package exec

import (
	"context"
	"net/http"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/expr-lang/expr/builtin"

	"github.com/toolspec/toolspec/spec"
)

// exprPlace is a place where an expression may stand.
type exprPlace struct {
	name  string
	file  string // % is the expression
	slot  bool   // it is wanted within ${ }
	scope string // what is in scope beside input, env, call, dir, state and self
	text  bool   // whatever it gives is taken; else only true or false
}

// exprPlaces are all places where an expression may stand.
func exprPlaces(server string) []exprPlace {
	const executor = "secret"
	command := func(name, rest string) exprPlace {
		return exprPlace{name: "command, " + name, file: "executor: {command: {" + rest + "}}", slot: true, scope: executor, text: true}
	}
	request := func(name, rest string) exprPlace {
		return exprPlace{name: "http, " + name, file: "executor: {http: {" + strings.ReplaceAll(rest, "SERVER", server) + "}}", slot: true, scope: executor, text: true}
	}
	result := func(name, rest string) exprPlace {
		return exprPlace{name: "result, " + name, file: "executor: {command: {argv: [echo, one]}}\nresult: {" + rest + "}", slot: true, scope: "output process", text: true}
	}
	return []exprPlace{
		command("argv", "argv: [echo, --, '%']"), command("inner list", "argv: [echo, --, [-a, '%']]"), command("stdin", "argv: [cat], stdin: '%'"), command("env", "argv: ['true'], env: {X_A: '%'}"),
		command("cwd", "argv: ['true'], cwd: '%'"), command("env of a shell", "shell: 'true', env: {X_A: '%'}"),
		request("path", "url: 'SERVER/a/%'"), request("whole url", "url: '%'"), request("query of the url", "url: 'SERVER/a?q=%'"), request("query", "url: SERVER, query: {q: '%'}"), request("header", "url: SERVER, headers: {X-A: '%'}"),
		request("bearer", "url: SERVER, auth: {bearer: '%'}"), request("user", "url: SERVER, auth: {basic: {username: '%'}}"), request("password", "url: SERVER, auth: {basic: {username: u, password: '%'}}"), request("key", "url: SERVER, auth: {apiKey: {name: X-K, value: '%'}}"),
		request("json", "url: SERVER, body: {json: {a: ['%']}}"), request("form", "url: SERVER, body: {form: {a: '%'}}"), request("text", "url: SERVER, body: {text: '%'}"), request("bytes", "url: SERVER, body: {bytes: '%'}"), request("file", "url: SERVER, body: {file: '%'}"),
		request("part", "url: SERVER, body: {multipart: {a: '%'}}"), request("part's file", "url: SERVER, body: {multipart: {a: {file: '%'}}}"), request("part's name", "url: SERVER, body: {multipart: {a: {text: a, name: '%'}}}"), request("part's type", "url: SERVER, body: {multipart: {a: {text: a, type: '%'}}}"),
		{name: "expr", file: "executor: {expr: '%'}", text: true},
		{name: "pipeline, when", file: "executor: {pipeline: [{id: a, expr: '1'}, {id: b, when: '%', expr: '1'}]}", scope: "steps"},
		{name: "pipeline, each", file: "executor: {pipeline: [{id: a, expr: '1'}, {id: b, each: '%', expr: item}]}", scope: "steps", text: true},
		{name: "pipeline, expr", file: "executor: {pipeline: [{id: a, expr: '1'}, {id: b, expr: '%'}]}", scope: "steps", text: true},
		{name: "pipeline, expr of each", file: "executor: {pipeline: [{id: a, expr: '1'}, {id: b, each: '[1]', expr: '%'}]}", scope: "steps item", text: true},
		{name: "pipeline, input", file: "executor: {pipeline: [{id: a, expr: '1'}, {id: b, func: f, input: {a: '%'}}]}", slot: true, scope: "secret steps", text: true},
		result("text", "content: [{text: '%'}]"), result("json", "content: [{json: {a: ['%']}}]"), result("error", "error: '%'"), result("error's text", "error: {text: '%', code: failed}"), result("error's code", "error: {text: a, code: '%'}"),
		result("suggestion", "error: a, suggestion: '%'"), result("message", "message: '%'"), result("instruction", "instruction: '%'"), result("name", "content: [{document: {format: txt, name: '%', text: a}}]"),
		result("file", "content: [{document: {format: txt, name: a, file: '%'}}]"), result("bytes", "content: [{document: {format: txt, name: a, bytes: '%'}}]"), result("format", "content: [{image: {format: '%', text: a}}]"),
		result("uri", "content: [{resource: {uri: '%', text: a}}]"), result("type", "content: [{resource: {uri: 'a:b', mimeType: '%', text: a}}]"),
	}
}

const exprPlaceInput = "inputSchema: {properties: {x: {type: string}, l: {type: array}, o: {type: object}}}\n"

// compileAt compiles a file with an expression at a place.
func compileAt(p exprPlace, expression, head string, env *Env) (*Tool, spec.Diagnostics) {
	if expression = strings.ReplaceAll(expression, "'", "''"); p.slot {
		expression = "${ " + expression + " }"
	}
	s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: d\n"+head+exprPlaceInput+strings.ReplaceAll(p.file, "%", expression)+"\n"))
	if s == nil || ds.HasErrors() {
		return nil, ds
	}
	return StandardKinds().Compile(env, s)
}

// TestScopeOfEveryPlace: each place sees the names that the format gives it, and no others.
func TestScopeOfEveryPlace(t *testing.T) {
	everywhere := []string{"input", "env", "call", "dir", "state", "self"}
	sometimes := []string{"secret", "output", "process", "response", "steps", "item"}
	never := []string{"$env", "this", "global", "os", "vars", "meter", "ctx", "x", "args", "session", "user", "tool", "self.x.y.z()", "__proto__", "constructor", "#", "#index", "$x", "_"}
	env := &Env{Policy: DefaultPolicy(), Funcs: map[string]Executor{"f": give(nil)}}
	for _, p := range exprPlaces("http://127.0.0.1:1") {
		for _, name := range slices.Concat(everywhere, sometimes, never) {
			expression := name
			switch {
			case name == "secret":
				expression = "secret.A"
			case name == "#index":
				expression = "#index + 1"
			}
			if !p.text {
				expression += " != null"
			}
			_, ds := compileAt(p, expression, "", env)
			want := slices.Contains(everywhere, name) || slices.Contains(strings.Fields(p.scope), name)
			if ds.HasErrors() == want {
				t.Errorf("%s: %s: want it in scope: %v, have %v", p.name, name, want, ds)
			}
		}
	}
}

// TestNothingOfTheLibraryIsLeft: a function of the library is one of ours, which is metered, or not there; and values have
// no methods but those of dates that are listed.
func TestNothingOfTheLibraryIsLeft(t *testing.T) {
	site := testSite(t, spec.Section{})
	for _, f := range builtin.Builtins {
		_, ours := functions[f.Name]
		if ours || slices.Contains(predicates, f.Name) {
			continue
		}
		for _, arguments := range []string{"", "1", "1, 2", `"a"`, `"a", "b"`, "[1]", "[1], #", "{}"} {
			if _, ds := site.Expr(spec.Text{Value: f.Name + "(" + arguments + ")"}); !ds.HasErrors() {
				t.Errorf("%s(%s) is there, and not ours", f.Name, arguments)
			}
		}
	}
	for _, expression := range []string{
		`now().Location()`, `now().GobEncode()`, `now().MarshalJSON()`, `now().Local()`, `now().AppendFormat([], "x")`, `now().wall`, `now().GoString()`, `"a".Len()`, `input.Keys()`, `[1].Append(2)`,
		`env.Getenv("X")`, `input["Foo"]()`, `(1).Add(2)`, `now()["UTC"]()`, `call.Vars()`, `dir.Open("x")`,
	} {
		if _, ds := site.Expr(spec.Text{Value: expression}); !ds.HasErrors() {
			t.Errorf("%s is there", expression)
		}
	}
}

// exprBombs would take all memory, or all time, if they were let.
var exprBombs = []string{
	`repeat("x", 2000000000)`, `repeat(repeat("x", 30000), 30000)`, `1..2000000000`, `map(1..3000000, repeat("x", 1000))`, `join(map(1..100000, repeat("x", 1000)), ",")`,
	`len(map(1..100000, map(1..100000, 1)))`, `sum(map(1..100000, sum(map(1..100000, sum(1..100)))))`, `any(1..20000000, any(1..20000000, any(1..20000000, false)))`, `len(filter(1..5000, any(1..5000, any(1..5000, # < 0))))`,
	`reduce(1..10000000, #acc + string(#), "")`, `reduce(1..64, #acc + #acc, "x")`, `reduce(1..64, concat(#acc, #acc), [1])`, `reduce(1..64, [#acc, #acc], [1])`, `toJSON(reduce(1..64, ({"a": #acc, "b": #acc}), {}))`,
	`let a = repeat("ab", 100000); replace(a, "a", repeat("y", 10000))`, `split(repeat("a,", 16000000), ",")`, `groupBy(1..5000000, string(#))`, `sortBy(1..5000000, -#)`, `sort(map(1..2000000, string(5000000 - #)))`, `toJSON(map(1..1000000, map(1..100, #)))`,
	`match(repeat("a", 10000000), "(a|a)*(a|a)*(a|a)*b")`, `repeat("a", 10000000) matches "(((a{0,10}){0,10}){0,9})*b"`, `find(1..20000000, find(1..20000000, # < 0) != null)`, `all(1..50000000, true) && all(1..50000000, true) && all(1..50000000, true)`,
	`fromJSON(repeat("[", 1000000))`, `fromJSON("[" + repeat("1,", 20000000) + "1]")`, `upper(repeat("x", 60000000)) + upper(repeat("x", 60000000))`, `uniq(map(1..3000000, string(#)))`, `flatten(map(1..10000, 1..10000))`, `reverse(1..60000000)`, `9 ** 9 ** 9 ** 9`,
	`toBase64(repeat("x", 60000000))`, `indexOf(repeat("a", 30000000), repeat("a", 1000000) + "b")`, `repeat("a", 30000000) contains (repeat("a", 1000000) + "b")`, `keys(groupBy(1..3000000, #))`, `count(1..20000000, count(1..20000000, true) > 0)`,
}

// TestBombsInEveryPlace: no place outlasts its tool's deadline, nor takes more memory than an expression may.
func TestBombsInEveryPlace(t *testing.T) {
	server := record(t, func(http.ResponseWriter, *http.Request) {})
	env := &Env{Policy: DefaultPolicy(), WorkDir: t.TempDir(), Funcs: map[string]Executor{"f": ExecutorFunc(func(context.Context, *Call) (any, error) { return nil, nil })}}
	const (
		deadline = 100 * time.Millisecond
		patience = 5 * time.Second // on a machine that does other things
		most     = 512 << 20
	)
	for i, p := range exprPlaces(server.URL) {
		for j, bomb := range exprBombs {
			if p.name != "expr" && (i+j)%12 != 0 { // all in one place, each a few times in the others
				continue
			}
			if !p.text {
				bomb = "string(" + bomb + ") != null"
			}
			tool, ds := compileAt(p, bomb, "timeout: "+deadline.String()+"\n", env)
			if tool == nil {
				if p.name == "expr" {
					t.Errorf("%s: %v", bomb, ds)
				}
				continue // it has no place here
			}
			peak, begun := heapPeak(), time.Now()
			r := tool.Call(t.Context(), use(`{}`))
			took, used := time.Since(begun), peak()
			server.seen()
			if took > patience || used > most {
				t.Errorf("%s: %s: %s, %d MiB: %.100s", p.name, bomb, took, used>>20, text(r))
			}
		}
	}
}

// heapPeak begins to watch the heap; peak ends that, and gives by how many bytes it grew at most.
func heapPeak() (peak func() uint64) {
	runtime.GC()
	heap := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	before, most := heap(), uint64(0)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			most = max(most, heap())
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	}()
	return func() uint64 {
		close(stop)
		<-done
		return max(most, before) - before
	}
}

// TestThatSeesInputAndResult: what a test asks with that is bounded, too, and sees nothing of the call.
func TestThatSeesInputAndResult(t *testing.T) {
	that := exprPlace{name: "that", file: "executor: {expr: '1'}\ntests: [{expect: {that: '%'}}]"}
	env := &Env{Policy: DefaultPolicy()}
	for _, name := range []string{"input", "result", "env", "call", "dir", "state", "self", "secret.A", "output", "process", "response", "steps", "item", "$env", "this", "os", "x"} {
		_, ds := compileAt(that, name+" != null", "", env)
		if want := name == "input" || name == "result"; ds.HasErrors() == want {
			t.Errorf("%s: want it in scope: %v, have %v", name, want, ds)
		}
	}
	for i, bomb := range exprBombs {
		tool, ds := compileAt(that, "string("+bomb+") != null", "", env)
		if tool == nil || i%3 != 0 {
			if ds.HasErrors() {
				t.Errorf("%s: %v", bomb, ds)
			}
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		begun := time.Now()
		_, err := tool.tests[0].Holds(ctx, nil, spec.ToolResult{})
		cancel()
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%s: %s, %v", bomb, took, err)
		}
	}
}
