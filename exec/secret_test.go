package exec

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

// keys are secrets of several shapes: what is not a letter or a digit is written in many ways.
var keys = map[string]string{
	"PLAIN":  "tok_51HxyzABCDEF",
	"ODD":    "p@ss/w+rd \"q\\u\" <&> ö=",
	"DIGITS": "9876543210",
	"LINES":  "-----BEGIN KEY-----\nAAAA/BBBB+CC==\n-----END KEY-----",
}

// withKeys gives an env those secrets.
func withKeys(e *Env) {
	e.Policy = DefaultPolicy()
	e.Policy.Secrets.Lookup = func(_ context.Context, name string) (string, bool, error) {
		value, ok := keys[name]
		return value, ok, nil
	}
}

// repeatBack answers with all that reached it, in every way that services write.
func repeatBack(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	got := r.Header.Get("X-Key") + string(body)
	all := map[string]any{
		"plain": got, "within": "<" + got + ">", got: 1, "list": []any{got}, "query": url.QueryEscape(got), "path": url.PathEscape(got), "html": html.EscapeString(got),
		"quoted": strconv.Quote(got), "b64": base64.StdEncoding.EncodeToString([]byte(got)), "b64url": base64.RawURLEncoding.EncodeToString([]byte("x" + got + "yz")),
		"basic": base64.StdEncoding.EncodeToString([]byte("me:" + got)), "uri": r.RequestURI, "auth": r.Header.Get("Authorization"),
	}
	if n, err := strconv.Atoi(got); err == nil {
		all["number"] = n
	}
	inner, _ := json.Marshal(all)
	all["json"] = string(inner)
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodPut {
		w.WriteHeader(http.StatusForbidden)
	}
	_ = json.NewEncoder(w).Encode(all)
}

// shows are the ways in which a text may still be read out of another.
func shows(where, secret string) string {
	for name, form := range map[string]string{
		"plain": secret, "query": url.QueryEscape(secret), "path": url.PathEscape(secret), "html": html.EscapeString(secret),
		"base64": base64.RawStdEncoding.EncodeToString([]byte(secret)), "base64url": base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"json": strings.Trim(renderJSON(secret), `"`), "base64 after 1": base64.StdEncoding.EncodeToString([]byte("x" + secret + "yz"))[4:10],
		"base64 after 3": base64.StdEncoding.EncodeToString([]byte("me:" + secret))[4:12],
	} {
		if strings.Contains(where, form) {
			return name
		}
	}
	return ""
}

func TestSecretsReachTheServerAndNothingElse(t *testing.T) {
	server := record(t, repeatBack)
	results := []string{
		"", "result: {content: [text: '${toJSON(output)}', json: '${output}', resource: {uri: 'x:/${output.plain}', text: '${output.html}'}]}\n",
		"result: {error: '${output.plain}', suggestion: '${output.within}'}\n", "result: {message: '${output.plain}', instruction: '${output.b64}'}\n",
		"result: {limit: {bytes: 700}}\n", "result: {content: [document: {format: txt, name: '${output.plain}', text: '${output.plain}'}]}\n",
		"result: {error: '${ output.plain + 1 }'}\n", "result: {content: [text: '${int(output.within)}']}\n",
	}
	for name, secret := range keys {
		for i, result := range results {
			for _, method := range []string{"POST", "PUT"} {
				var log bytes.Buffer
				file := anyInput + "executor:\n  http:\n    method: " + method + "\n    url: '" + server.URL + "/${secret." + name + "}/x?k=${secret." + name + "}'\n" +
					"    auth: {basic: {username: me, password: '${secret." + name + "}'}}\n    body: {bytes: '${ toBase64(secret." + name + ") }'}\n" + result
				tool := compile(t, file, nil, withKeys, func(e *Env) {
					e.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
				})
				var plans []Plan
				r := tool.Call(t.Context(), Call{Planned: func(p Plan) { plans = append(plans, p) }})
				q := server.only(t)
				if _, password, _ := (&http.Request{Header: q.header}).BasicAuth(); q.body != secret || password != secret {
					t.Fatalf("the server got %q and %q", q.body, password)
				}
				out, _ := json.Marshal(r)
				text := string(out) + fmt.Sprint(r.Value) + log.String() + jsonOf(plans) + string(plans[0].Request.Body) + plainTexts(r)
				if form := shows(text, secret); form != "" {
					t.Errorf("%s, result %d, %s: there is %s (%s) in\n%s", name, i, method, secret, form, text)
				}
				if !strings.Contains(text, "secret:"+name) {
					t.Errorf("%s, result %d: no mask in\n%s", name, i, text)
				}
			}
		}
	}
}

func jsonOf(v any) string { return renderJSON(v) }

// plainTexts are the texts and bytes of a result as they are, not as JSON writes them.
func plainTexts(r spec.ToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if c.Text != nil {
			b.WriteString(*c.Text)
		}
		if c.Document != nil {
			b.Write(c.Document.Source.Bytes)
		}
		if c.Resource != nil {
			b.WriteString(c.Resource.URI + c.Resource.Text)
		}
	}
	return b.String()
}

func TestSecretsOfCommands(t *testing.T) {
	secret := keys["ODD"]
	for _, section := range []string{
		`{shell: 'printf %s "$K"', env: {K: '${secret.ODD}'}}`, `{shell: 'cat', stdin: '${secret.ODD}'}`,
		`{shell: 'echo "$K" >&2; exit 3', env: {K: '${secret.ODD}'}}`, `{argv: [echo, 'x${secret.ODD}']}`,
		`{shell: 'echo "$K" >&2; echo "{"', output: json, env: {K: '${secret.ODD}'}}`,
	} {
		s, _ := spec.Parse("t.yaml", []byte("name: t\ndescription: x\nexecutor: {command: "+section+"}\n"))
		env := &Env{}
		withKeys(env)
		tool, ds := StandardKinds().Compile(env, s)
		if tool == nil {
			t.Fatal(ds)
		}
		var said []string
		r := tool.Call(t.Context(), Call{Progress: func(m string) { said = append(said, m) }})
		all := text(r) + strings.Join(said, "\n")
		if form := shows(all, secret); form != "" {
			t.Errorf("%s: there is %s in %s", section, form, all)
		}
		if !strings.Contains(all, "secret:ODD") && !strings.Contains(section, "json") {
			t.Errorf("%s: have %s", section, all)
		}
	}
}

// The tool that is called reads a secret that the one that calls it does not name.
func TestSecretsOfToolsThatStepsCall(t *testing.T) {
	var log bytes.Buffer
	inner := compile(t, anyInput+"executor: {command: {shell: 'printf %s \"$K\"', env: {K: '${secret.PLAIN}'}}}\n", nil, withKeys)
	outer := compile(t, "executor:\n  pipeline:\n    - {id: one, tool: inner, input: {key: '${secret.DIGITS}'}}\n    - {id: two, expr: '{\"got\": steps.one}'}\n", nil, withKeys, func(e *Env) {
		e.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	var plans []Plan
	r := outer.Call(t.Context(), Call{Tools: toolSet{"inner": inner}, Planned: func(p Plan) { plans = append(plans, p) }})
	if have := renderJSON(r.Content); have != `[{"json":{"got":"secret:PLAIN"}}]` {
		t.Error(have)
	}
	if have := renderJSON(plans[0].Tool) + renderJSON(plans[1].Command.Env["K"]); have != `{"name":"inner","input":{"key":"secret:DIGITS"}}"secret:PLAIN"` {
		t.Error(have)
	}
	if renderJSON(outer.Secrets()) != `["DIGITS"]` || renderJSON(inner.Secrets()) != `["PLAIN"]` {
		t.Errorf("have %v and %v", outer.Secrets(), inner.Secrets())
	}
}

func TestSecretsInLogs(t *testing.T) {
	var log bytes.Buffer
	f := ExecutorFunc(func(_ context.Context, call *Call) (any, error) {
		key := call.Args["key"].(string)
		call.Log.With("with", key).WithGroup("g").Warn("said "+key, "plain", key, "error", errors.New("bad "+key), "any", []string{key}, slog.Group("in", "k", key), "n", 7)
		panic(key)
	})
	tool := compile(t, "executor:\n  pipeline:\n    - {id: one, func: f, input: {key: '${secret.PLAIN}'}}\n", f, withKeys)
	r := tool.Call(t.Context(), Call{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	if codeOf(r) != spec.CodeInternal || text(r) != "Error: the tool crashed: secret:PLAIN" {
		t.Errorf("have %s", text(r))
	}
	if lines := log.String(); strings.Contains(lines, keys["PLAIN"]) || strings.Count(lines, "secret:PLAIN") < 6 || !strings.Contains(lines, `"n":7`) {
		t.Error(lines)
	}
}

func TestSecretsThatAreNotThere(t *testing.T) {
	t.Setenv("TOOLSPEC_SECRET_HERE", "here-it-is")
	t.Setenv("TOOLSPEC_SECRET_EMPTY", "")
	t.Setenv("OTHER_HERE", "other-here")
	other := func(e *Env) { e.Policy = Policy{Secrets: Secrets{Prefix: "OTHER_"}} }
	broken := func(e *Env) {
		e.Policy = Policy{Secrets: Secrets{Lookup: func(context.Context, string) (string, bool, error) { return "", false, errors.New("pass: exit 1") }}}
	}
	never := func(*Env) {}
	for _, c := range []struct {
		slot, want string
		set        func(*Env)
	}{
		{"${secret.HERE}", "secret:HERE", never},
		{"${secret.HERE}", "secret:HERE", other},
		{`${"x" + secret["HERE"]}`, "xsecret:HERE", never},
		{"${len(secret.HERE)}", "10", never},
		{"${ input.a ? secret.GONE : secret.HERE }", "secret:HERE", never},
		{`${secret.GONE ?? "none"}`, "none", never},
		{`${secret.HERE ?? "none"}`, "secret:HERE", never},
		{"${secret.GONE ?? null}", "", never},
		{"${secret.GONE}", "needs_credential Error: the secret GONE is not there; the operator gives it to the server as the environment variable TOOLSPEC_SECRET_GONE", never},
		{"${secret.EMPTY}", "needs_credential Error: the secret EMPTY is not there; the operator gives it to the server as the environment variable TOOLSPEC_SECRET_EMPTY", never},
		{"${secret.GONE}", "needs_credential Error: the secret GONE is not there; the operator gives it to the server as the environment variable OTHER_GONE", other},
		{"${secret.GONE}", "needs_credential Error: the secret GONE is not there; the operator gives it to the server where that looks for secrets", withKeys},
		{"${secret.GONE}", "needs_credential Error: the secret GONE cannot be read just now; the server's log says why", broken},
	} {
		tool := compile(t, anyInput+"executor: {command: {shell: 'printf %s \"$K\"', env: {K: '"+c.slot+"'}}}\n", nil, c.set)
		r := tool.Call(t.Context(), use(`{"a": false}`))
		if have := strings.TrimSpace(string(codeOf(r)) + " " + text(r)); have != c.want {
			t.Errorf("%s: have %s\nwant %s", c.slot, have, c.want)
		}
	}
}

func TestWhereSecretsStand(t *testing.T) {
	const nowhere = "there are no secrets here, since what this makes can reach the model"
	for file, want := range map[string]string{
		"executor: {expr: secret.A}":                                                                                  nowhere,
		"executor: {expr: '1'}\nresult: {content: [text: '${secret.A}']}":                                             nowhere,
		"executor: {expr: '1'}\nresult: {error: '${secret.A}'}":                                                       nowhere,
		"executor: {expr: '1'}\nresult: {suggestion: '${secret.A}'}":                                                  nowhere,
		"executor: {pipeline: [{id: a, when: 'secret.A == \"x\"', expr: '1'}]}":                                       nowhere,
		"executor: {pipeline: [{id: a, each: '[secret.A]', expr: item}]}":                                             nowhere,
		"executor: {pipeline: [{id: a, expr: secret.A}]}":                                                             nowhere,
		"executor: {command: {argv: [echo], stdin: '${secret}'}}":                                                     "a secret is read as secret.NAME",
		"executor: {command: {argv: [echo], stdin: '${secret[input.a]}'}}":                                            "a secret is read as secret.NAME",
		"executor: {command: {argv: [echo], stdin: '${toJSON(secret)}'}}":                                             "a secret is read as secret.NAME",
		"executor: {command: {argv: [echo], stdin: '${secret[\"a-b\"]}'}}":                                            "want the name of a secret",
		"executor: {http: {url: 'https://${secret.A}/'}}":                                                             "where only env may",
		"executor: {command: {argv: [echo, '${secret.A}']}}":                                                          "other users of this machine can see the arguments of a program",
		"executor: {command: {shell: 'echo ${secret.A}'}}":                                                            `write "$SECRET_A" here and env: {SECRET_A: '${secret.A}'}`,
		"executor: {http: {url: 'https://a.example', auth: {bearer: a, basic: {username: b}}}}":                       "want exactly one of bearer, basic, apiKey, have bearer and basic",
		"executor: {http: {url: 'https://a.example', auth: {token: a}}}":                                              "unknown key executor.http.auth.token: write bearer",
		"executor: {http: {url: 'https://a.example', auth: {basic: {password: b}}}}":                                  "username is missing",
		"executor: {http: {url: 'https://a.example', auth: {apiKey: {in: cookie, name: a, value: b}}}}":               "want header or query",
		"executor: {http: {url: 'https://a.example', auth: {apiKey: {name: 'a b', value: b}}}}":                       `"a b" is not the name of a header`,
		"executor: {http: {url: 'https://a.example', auth: {apiKey: {name: host, value: b}}}}":                        "the header Host is not a file's to set",
		"executor: {http: {url: 'https://a.example', auth: {apiKey: {in: query, name: '${input.a}', value: b}}}}":     "a name is literal",
		"executor: {http: {url: 'https://a.example', auth: {bearer: a}, headers: {authorization: b}}}":                "Authorization is set by auth, and given once more",
		"executor: {http: {url: 'https://a.example', auth: {apiKey: {in: query, name: k, value: v}}, query: {k: 1}}}": "k is set by auth, and given once more",
	} {
		s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: x\n"+anyInput+file+"\n"))
		if !ds.HasErrors() {
			_, ds = StandardKinds().Compile(&Env{}, s)
		}
		if len(ds) != 1 || !strings.Contains(ds[0].Message, want) || ds[0].Pos.Line < 4 {
			t.Errorf("%s\nhave %v, want %s", file, ds, want)
		}
	}
}

func TestAuth(t *testing.T) {
	for _, c := range []struct{ auth, input, want string }{
		{"{bearer: '${secret.A}'}", `{}`, "Bearer secret:A"},
		{"{bearer: '${input.t}'}", `{"t": "x"}`, "Bearer x"},
		{"{bearer: '${input.t}'}", `{}`, ""},
		{"{bearer: '${input.t}'}", `{"t": "x\ny"}`, "auth: the value of a header holds no line breaks"},
		{"{basic: {username: me, password: '${secret.A}'}}", `{}`, "Basic " + base64.StdEncoding.EncodeToString([]byte("me:secret:A"))},
		{"{basic: {username: '${input.t}'}}", `{"t": "x"}`, "Basic " + base64.StdEncoding.EncodeToString([]byte("x:"))},
		{"{basic: {username: '${input.t}', password: p}}", `{}`, ""},
		{"{basic: {username: '${input.t}'}}", `{"t": "a:b"}`, "a user name holds no colon"},
		{"{apiKey: {name: x-key, value: 'v ${secret.A}'}}", `{}`, "v secret:A"},
		{"{apiKey: {in: header, name: X-Key, value: '${input.t}'}}", `{}`, ""},
		{"{apiKey: {in: query, name: 'api key', value: '${secret.A}&b'}}", `{}`, "api%20key=secret%3AA%26b"},
		{"{apiKey: {in: query, name: k, value: '${input.t}'}}", `{}`, ""},
	} {
		for _, query := range []string{"", "?q=1"} {
			tool := compile(t, anyInput+"executor: {http: {url: 'https://a.example/"+query+"', auth: "+c.auth+"}}\n", nil)
			call, have := use(c.input), ""
			call.Stub = &Stub{HTTP: &StubResponse{}}
			call.Planned = func(p Plan) {
				u, _ := url.Parse(p.Request.URL)
				have = p.Request.Header.Get("Authorization") + p.Request.Header.Get("X-Key") + strings.TrimPrefix(strings.TrimPrefix("?"+u.RawQuery, query), "&")
				have = strings.Trim(have, "?")
			}
			if r := tool.Call(t.Context(), call); r.Status == spec.StatusError {
				have = text(r)
			}
			if have != c.want && (len(c.want) < 20 || !strings.Contains(have, c.want)) {
				t.Errorf("%s with %s: have %q, want %q", c.auth, c.input, have, c.want)
			}
		}
	}
}

func TestRedirectsTakeNoSecretAlong(t *testing.T) {
	server := record(t, func(w http.ResponseWriter, r *http.Request) {
		if to := r.Header.Get("X-To"); to != "" && r.URL.Path == "/" {
			w.Header().Set("Location", strings.ReplaceAll(to, "QUERY", r.URL.RawQuery))
			w.WriteHeader(http.StatusFound)
		}
	})
	for to, want := range map[string]string{
		"https://b.example/x":             "https://a.example, https://b.example",
		"https://a.example/x?QUERY":       "https://a.example, https://a.example",
		"https://b.example/x?QUERY":       "denied https://a.example",
		"http://a.example/x?back=1&QUERY": "denied https://a.example",
	} {
		tool := compile(t, anyInput+"executor: {http: {url: 'https://a.example/', redirects: 3, headers: {X-To: '"+to+"'}, auth: {apiKey: {in: query, name: key, value: '${secret.ODD}'}}}}\n",
			nil, withKeys, func(e *Env) { e.Transport = elsewhere{server} })
		r := tool.Call(t.Context(), use(`{}`))
		var hosts []string
		for i, q := range server.seen() {
			hosts = append(hosts, q.header.Get("X-Asked"))
			if i > 0 && !strings.Contains(to, "a.example/x?QUERY") && shows(q.uri+fmt.Sprint(q.header), keys["ODD"]) != "" {
				t.Errorf("%s: a secret reached %s", to, q.header.Get("X-Asked"))
			}
		}
		if have := strings.TrimSpace(string(codeOf(r)) + " " + strings.Join(hosts, ", ")); have != want {
			t.Errorf("%s: have %s, want %s", to, have, want)
		}
	}
}

// A refusal's body is cut: wherever the cut falls, no piece of the secret is left that would be of use.
func TestSecretsAtACut(t *testing.T) {
	secret := keys["PLAIN"]
	var pad int
	server := record(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, strings.Repeat("-", pad)+r.Header.Get("Authorization")+strings.Repeat("-", 100))
	})
	tool := compile(t, "executor: {http: {url: '"+server.URL+"', auth: {bearer: '${secret.PLAIN}'}}}\n", nil, withKeys)
	for pad = shownBytes - 40; pad <= shownBytes; pad++ {
		if have := text(tool.Call(t.Context(), use(`{}`))); strings.Contains(have, secret[:leastPiece]) {
			t.Errorf("%d: have %s", pad, have[len(have)-60:])
		}
	}
}

// A caller who knows how a secret starts, as those of many services do, learns nothing by having the tool that reads it say a guess,
// be it at the end of a text or where it is cut.
func TestNoPieceTellsAGuess(t *testing.T) {
	secret := keys["PLAIN"]
	server := record(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, r.URL.Query().Get("q"))
	})
	asks := compile(t, "inputSchema: {properties: {q: {type: string}}}\nexecutor: {http: {url: '"+server.URL+"', query: {q: '${input.q}'}, auth: {bearer: '${secret.PLAIN}'}}}\n", nil, withKeys)
	prints := compile(t, "inputSchema: {properties: {q: {type: string}}}\nexecutor: {command: {shell: 'printf %s \"$INPUT_Q\" >&2; exit 1', env: {K: '${secret.PLAIN}'}}}\n", nil, withKeys)
	right, wrong := secret[:leastPiece+2], secret[:leastPiece+1]+"~"
	for _, pad := range []int{0, shownBytes - len(right), shownBytes} {
		for _, tool := range []*Tool{asks, prints} {
			for _, around := range [][2]string{{strings.Repeat("-", pad), ""}, {"", strings.Repeat("-", pad)}, {"… ", "…"}, {"-", "\n[… 5 of 9 bytes left out …]\n"}} {
				said := func(guess string) string {
					return strings.ReplaceAll(text(tool.Call(t.Context(), input(t, map[string]any{"q": around[0] + guess + around[1]}))), guess, "GUESS")
				}
				if is, not := said(right), said(wrong); is != not {
					t.Errorf("%d: a right guess is told from a wrong one: %q and %q", pad, is[max(0, len(is)-60):], not[max(0, len(not)-60):])
				}
			}
		}
	}
}

// TestMaskInWhatOtherLanguagesWrite: each has its own way to escape.
func TestMaskInWhatOtherLanguagesWrite(t *testing.T) {
	v := &vault{}
	v.keep("K", `a/b+c"d<e>f&g'h\iä😀=`)
	for from, text := range map[string]string{
		"Python's json":            `a/b+c\"d<e>f&g'h\\i\u00e4\ud83d\ude00=`,
		"PHP's json":               `a\/b+c\"d<e>f&g'h\\i\u00e4\ud83d\ude00=`,
		"PHP's, unescaped unicode": `a\/b+c\"d<e>f&g'h\\iä😀=`,
		"JavaScript's":             `a/b+c\"d<e>f&g'h\\iä😀=`,
		"Rails'":                   `a/b+c\"d\u003ce\u003ef\u0026g'h\\iä😀=`,
		"Gson's":                   `a/b+c\"d\u003ce\u003ef\u0026g\u0027h\\iä😀\u003d`,
		".NET's":                   `a/b\u002Bc\u0022d\u003Ce\u003Ef\u0026g\u0027h\\i\u00E4\uD83D\uDE00=`,
		"Python's quote":           `a/b%2Bc%22d%3Ce%3Ef%26g%27h%5Ci%C3%A4%F0%9F%98%80%3D`,
		"in lower case":            `a/b%2bc%22d%3ce%3ef%26g%27h%5ci%c3%a4%f0%9f%98%80%3d`,
		"encodeURIComponent":       `a%2Fb%2Bc%22d%3Ce%3Ef%26g'h%5Ci%C3%A4%F0%9F%98%80%3D`,
		"encodeURI":                `a/b+c%22d%3Ce%3Ef&g'h%5Ci%C3%A4%F0%9F%98%80=`,
		"a browser's query":        `a/b+c%22d%3Ce%3Ef&g%27h\i%C3%A4%F0%9F%98%80=`,
		"Python's html":            `a/b+c&quot;d&lt;e&gt;f&amp;g&#x27;h\iä😀=`,
		"PHP's html":               `a/b+c&quot;d&lt;e&gt;f&amp;g&#039;h\iä😀=`,
		"XML":                      `a/b+c&quot;d&lt;e&gt;f&amp;g&apos;h\iä😀=`,
		"HTML between tags":        `a/b+c"d&lt;e&gt;f&amp;g'h\iä😀=`,
		"Go's html":                `a/b+c&#34;d&lt;e&gt;f&amp;g&#39;h\iä😀=`,
	} {
		if have := v.mask("<" + text + ">"); have != "<secret:K>" {
			t.Errorf("%s: have %s", from, have)
		}
	}
	v.keep("T", "til~de* it")
	if have := v.mask("til%7Ede*+it til~de*%20it til%7Ede%2A+it"); have != "secret:T secret:T secret:T" {
		t.Errorf("Java, JavaScript, PHP: have %s", have)
	}
}

func TestMask(t *testing.T) {
	v := &vault{}
	v.keep("K", "abcdefghij-klm")
	v.keep("SHORT", "abc")
	for text, want := range map[string]string{
		"":                                 "",
		"nothing abc here":                 "nothing abc here",
		"<abcdefghij-klm>":                 "<secret:K>",
		"a piece abcdefghij in the middle": "a piece abcdefghij in the middle",
		// Who could have pieces masked would learn where a guess is right.
		"it says abcdefghij": "it says abcdefghij", "cut abcdefghij… and on": "cut abcdefghij… and on", "…ghij-klm and on": "…ghij-klm and on",
	} {
		if have := v.mask(text); have != want {
			t.Errorf("%q: have %q, want %q", text, have, want)
		}
	}
	for text, want := range map[string]string{"it says abcdefghij": "it says secret:K", "it says abcdefg": "it says abcdefg", "": ""} {
		if have := string(v.beforeCut([]byte(text))); have != want {
			t.Errorf("before a cut: %q: have %q, want %q", text, have, want)
		}
	}
	for text, want := range map[string]string{"defghij-klm it says": "secret:K it says", "ghij-klm": "secret:K", "hij-klm": "hij-klm"} {
		if have := string(v.afterCut([]byte(text))); have != want {
			t.Errorf("after a cut: %q: have %q, want %q", text, have, want)
		}
	}
	v.keep("PEM", "-----BEGIN KEY-----\nAAAABBBBCCCCDDDDEEEE\r\nFFFF\n-----END KEY-----\n")
	if have, want := v.mask("key: |\n  AAAABBBBCCCCDDDDEEEE\n  FFFF\n"), "key: |\n  secret:PEM\n  FFFF\n"; have != want {
		t.Errorf("of a secret of several lines each is masked: have %q, want %q", have, want)
	}
	for before := range 4 {
		encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("-", before) + "abcdefghij-klm" + "+++"))
		if have := v.mask(encoded); have == encoded || strings.Contains(have, "ZmdoaWot") {
			t.Errorf("after %d bytes: have %s", before, have)
		}
	}
}
