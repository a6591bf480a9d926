package exec

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolspec/toolspec/spec"
)

const city = "inputSchema: {type: object, properties: {city: {type: string}}}\n"

func TestResult(t *testing.T) {
	body := map[string]any{"temp": 12.5, "days": []any{1, 2}, "reason": nil, "big": json.Number("12345678901234567890"), "raw": "x", "empty": ""}
	for name, c := range map[string]struct{ result, want string }{
		"automatic":        {"{}", `{"json":{"big":12345678901234567890,"days":[1,2],"empty":"","raw":"x","reason":null,"temp":12.5}}`},
		"text":             {"{content: [{text: '${input.city}: ${output.temp} C'}]}", "Oslo: 12.5 C"},
		"whole text":       {"{content: [{text: '${output.days}'}]}", "[1,2]"},
		"null drops":       {"{content: [{text: '${output.reason}'}, {json: '${output.reason}'}, {text: done}]}", "done"},
		"null in text":     {"{content: [{text: 'because ${output.reason}.'}]}", "because ."},
		"json":             {"{content: [{json: {t: '${output.temp}', big: '${output.big}', gone: '${output.reason}', one: 1.0}}]}", `{"json":{"big":12345678901234567890,"one":1.0,"t":12.5}}`},
		"json text":        {"{content: [{json: '${output.raw}'}]}", `{"json":"x"}`},
		"several":          {"{content: [{text: a}, {json: [1]}]}", `a|{"json":[1]}`},
		"document":         {"{content: [{document: {format: txt, name: 'a_b ${input.city}', text: hi}}]}", `{"document":{"format":"txt","name":"a-b Oslo","source":{"bytes":"aGk="}}}`},
		"base64":           {"{content: [{image: {format: png, bytes: 'AAEC'}}]}", `{"image":{"format":"png","source":{"bytes":"AAEC"}}}`},
		"not base64":       {"{content: [{image: {format: png, bytes: '${output.temp}'}}]}", `Error: result.content[0]: a result's bytes are neither bytes nor base64: for text write text`},
		"format at last":   {"{content: [{image: {format: '${output.raw}', bytes: 'AAEC'}}]}", `Error: result.content[0]: a block of result.content is image of format "x": want png, jpeg, gif, webp`},
		"resource":         {"{content: [{resource: {uri: 'city:${input.city}', mimeType: text/plain, text: hi}}]}", `{"resource":{"uri":"city:Oslo","mimeType":"text/plain","text":"hi"}}`},
		"null resource":    {"{content: [{resource: {uri: 'x:${output.reason}', text: hi}}]}", ""},
		"message":          {"{message: 'For ${input.city}', instruction: Be brief.}", `{"json":{"data":{"big":12345678901234567890,"days":[1,2],"empty":"","raw":"x","reason":null,"temp":12.5},"instruction":"Be brief.","message":"For Oslo","status":"success"}}`},
		"data":             {"{instruction: Be brief., content: [{json: '${output.days}'}]}", `{"json":{"data":[1,2],"instruction":"Be brief.","status":"success"}}`},
		"error":            {"{error: 'No city named ${input.city}'}", "Error: No city named Oslo"},
		"no error":         {"{error: '${output.reason}', content: [{text: ok}]}", "ok"},
		"empty error":      {"{error: '${output.empty}', content: [{text: ok}]}", "ok"},
		"error map":        {"{error: {text: '${output.raw}', code: unavailable, retryable: true}}", "Error: x"},
		"error map, null":  {"{error: {text: '${output.reason}', code: unavailable}, content: [{text: ok}]}", "ok"},
		"error, odd":       {"{error: '${output.days}'}", "Error: result.error: want null, a text or {text, code, retryable}, have [1,2]"},
		"error, odd code":  {"{error: {text: x, code: '${output.raw}'}}", `Error: x (result.error gave the code "x", which is none of`},
		"suggestion":       {"{error: No., suggestion: 'Not ${input.city}.'}", "Error: No.\nNot Oslo."},
		"error, enveloped": {"{error: No., suggestion: Ask., message: Fine.}", `{"json":{"message":"No.","status":"error","suggestion":"Ask."}}`},
		"only if error":    {"{suggestion: Ask., content: [{text: ok}]}", "ok"},
		"expression fails": {"{content: [{text: '${fromJSON(output.raw)}'}]}", "Error: result.content[0]:"},
	} {
		t.Run(name, func(t *testing.T) {
			tool := compile(t, city+"executor: {func: f}\nresult: "+c.result+"\n", give(body))
			r := tool.Call(t.Context(), use(`{"city": "Oslo"}`))
			if have := text(r); have != c.want && (!strings.HasPrefix(c.want, "Error: ") || !strings.HasPrefix(have, c.want)) {
				t.Errorf("\nhave %s\nwant %s", have, c.want)
			}
			if strings.Contains(c.want, "rror") != (r.Status == spec.StatusError) {
				t.Errorf("have status %s", r.Status)
			}
			if name == "error map" && (r.Metadata.Error.Code != spec.CodeUnavailable || !r.Metadata.Error.Retryable) {
				t.Errorf("have %+v", r.Metadata.Error)
			}
		})
	}
}

func TestResultIsCheckedWhenRead(t *testing.T) {
	for result, want := range map[string]string{
		"{state: {}}":                                           "unknown key result.state: not supported by this version",
		"{contents: []}":                                        "did you mean content?",
		"{content: {text: x}}":                                  "result.content: want a list",
		"{content: [{}]}":                                       "want exactly one of text, json",
		"{content: [{text: a, json: 1}]}":                       "have text and json",
		"{content: [{txet: a}]}":                                "did you mean text?",
		"{content: [{image: {format: bmp, bytes: x}}]}":         `result.content[0].image.format: want png, jpeg, gif, webp, have "bmp"`,
		"{content: [{image: {format: png}}]}":                   "want exactly one of file, bytes, text, have none",
		"{content: [{image: {format: png, file: a, text: b}}]}": "have file and text",
		"{content: [{image: {format: png, name: a, text: b}}]}": "only a document has a name",
		"{content: [{image: {text: b}}]}":                       "format is missing",
		"{content: [{resource: {text: b}}]}":                    "uri is missing",
		"{content: [{text: '${otput}'}]}":                       "output",
		"{content: [{text: '${response.status}'}]}":             "response",
		"{error: {txt: x}}":                                     "unknown key result.error.txt: did you mean text?",
		"{error: {text: x, code: bad}}":                         "result.error.code: want one of",
		"{error: [x]}":                                          "want a text, or {text, code, retryable}",
		"{message: x, content: [{text: a}]}":                    "content may hold one json entry",
		"{limit: {bytes: 2MiB}}":                                "result.limit.bytes: want at most 1048576 bytes",
		"{limit: {items: 0}}":                                   "result.limit.items: want a number from 1 on",
	} {
		s, ds := spec.Parse("t.yaml", []byte("name: t\ndescription: A tool.\nexecutor: {func: f}\nresult: "+result+"\n"))
		if ds.HasErrors() {
			t.Fatal(ds)
		}
		tool, ds := StandardKinds().Compile(&Env{Funcs: map[string]Executor{"f": give(1)}}, s)
		if tool != nil || !strings.Contains(ds.Error(), want) || !strings.HasPrefix(ds.Error(), "t.yaml:4:") {
			t.Errorf("%s:\nhave %v\nwant %s", result, ds, want)
		}
	}
}

// An executor's error stands unless result.error has better words; what it had got is output meanwhile.
func TestResultErrorExplainsAFailedExecutor(t *testing.T) {
	f := ExecutorFunc(func(context.Context, *Call) (any, error) {
		return map[string]any{"why": "full"}, spec.NewError(spec.CodeUnavailable, "status 503")
	})
	for result, want := range map[string]string{
		"{error: '${output.why}'}":                                     "failed Error: full",
		"{error: '${output.nothing}'}":                                 "unavailable Error: status 503",
		"{error: '${fromJSON(output.why)}'}":                           "unavailable Error: status 503",
		"{error: '${output.why}', suggestion: 'Later: ${output.why}'}": "failed Error: full\nLater: full",
		"{content: [{text: fine}]}":                                    "unavailable Error: status 503",
	} {
		r := compile(t, "executor: {func: f}\nresult: "+result+"\n", f).Call(t.Context(), use(`{}`))
		if have := string(r.Metadata.Error.Code) + " " + text(r); have != want {
			t.Errorf("%s: have %q, want %q", result, have, want)
		}
	}
}

// Where the executor got nothing at all, an expression that takes null for a no must not speak for it.
func TestResultErrorSaysNothingOfWhatNeverCame(t *testing.T) {
	f := ExecutorFunc(func(context.Context, *Call) (any, error) {
		return nil, spec.NewError(spec.CodeUnavailable, "connection refused")
	})
	r := compile(t, "executor: {func: f}\nresult: {error: '${output.found ? null : \"No such city\"}'}\n", f).Call(t.Context(), use(`{}`))
	if text(r) != "Error: connection refused" {
		t.Errorf("have %s", text(r))
	}
}

func TestSuggestionGoesWithARefusedInput(t *testing.T) {
	tool := compile(t, city+"executor: {func: f}\nresult: {suggestion: 'Call list_cities${input.city}.'}\n", give(1))
	r := tool.Call(t.Context(), use(`{"city": 5, "x": 1}`))
	if have := text(r); r.Metadata.Error.Code != spec.CodeInvalidInput || !strings.HasSuffix(have, "\nCall list_cities.") {
		t.Errorf("have %s", have)
	}
}

func TestOutputSchemaHoldsTheToolToItsWord(t *testing.T) {
	file := "outputSchema: {type: object, required: [n], properties: {n: {type: integer}}}\nexecutor: {func: f}\n"
	if r := compile(t, file, give(map[string]any{"n": 1})).Call(t.Context(), use(`{}`)); r.Status != spec.StatusSuccess || r.Value == nil {
		t.Errorf("have %s", text(r))
	}
	for _, wrong := range []any{map[string]any{}, map[string]any{"n": "x"}, nil, "text", []byte("x")} {
		r := compile(t, file, give(wrong)).Call(t.Context(), use(`{}`))
		if r.Status != spec.StatusError || r.Metadata.Error.Code != spec.CodeFailed || !strings.Contains(text(r), "does not fit its own outputSchema") {
			t.Errorf("%v: have %s", wrong, text(r))
		}
	}
	shaped := file + "result: {content: [{json: {n: 5}}]}\n"
	if r := compile(t, shaped, give("text")).Call(t.Context(), use(`{}`)); r.Status != spec.StatusSuccess || r.Value.(map[string]any)["n"] != json.Number("5") {
		t.Errorf("have %s", text(r))
	}
}

func TestReadyResultsAreTakenAsTheyAre(t *testing.T) {
	ok := map[string]any{"toolUseId": "other", "status": "success", "content": []any{map[string]any{"text": "a"}, map[string]any{"json": 1}}}
	bad := map[string]any{"status": "error", "content": []any{map[string]any{"text": "no"}}}
	r := compile(t, "executor: {func: f}\n", give(ok)).Call(t.Context(), use(`{}`))
	if r.ID != "u1" || text(r) != `a|{"json":1}` {
		t.Errorf("have %s", text(r))
	}
	for _, result := range []string{"", "result: {content: [{text: all well}]}\n"} {
		r = compile(t, "executor: {func: f}\n"+result, give(bad)).Call(t.Context(), use(`{}`))
		if r.Status != spec.StatusError || text(r) != "no" || r.Metadata.Error.Code != spec.CodeFailed {
			t.Errorf("have %+v: %s", r, text(r))
		}
	}
}

// A server may answer with a ready result, but not send whoever reads it elsewhere.
func TestServersNameNoLocation(t *testing.T) {
	const at = `{"status": "success", "content": [{"document": {"format": "pdf", "name": "x", "source": {"location": {"type": "s3", "uri": "s3://others/secret.pdf"}}}}]}`
	server := record(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, at)
	})
	get := "http: {url: '" + server.URL + "'}"
	for file, code := range map[string]spec.Code{
		get:                                spec.CodeDenied,
		"pipeline: [{id: a, " + get + "}]": spec.CodeDenied,
		"command: {argv: [echo, '" + at + "'], output: json}": "",
	} {
		r := compile(t, "executor:\n  "+file+"\n", nil).Call(t.Context(), use(`{}`))
		if have := r.Metadata.Error; code == "" && have != nil || code != "" && (have == nil || have.Code != code) {
			t.Errorf("%s: have %s", file, text(r))
		}
	}
}

func TestFilesComeFromScratchAlone(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	var scratch string
	f := ExecutorFunc(func(_ context.Context, call *Call) (any, error) {
		dir, _ := call.Vars().Get("dir")
		scratch = dir.(map[string]any)["scratch"].(string)
		return nil, errors.Join(
			os.WriteFile(filepath.Join(scratch, "in.png"), []byte("png"), 0o600),
			os.Mkdir(filepath.Join(scratch, "sub"), 0o700),
			os.Symlink(secret, filepath.Join(scratch, "link")),
			os.Symlink("in.png", filepath.Join(scratch, "inner")),
		)
	})
	schema := "inputSchema: {type: object, required: [p], properties: {p: {type: string}}}\n"
	tool := compile(t, schema+"executor: {func: f}\nresult: {content: [{image: {format: png, file: '${input.p}'}}]}\n", f)
	for path, ok := range map[string]bool{
		"in.png": true, "sub/../in.png": true, "inner": true,
		"link": false, secret: false, "../" + filepath.Base(filepath.Dir(secret)) + "/secret": false, "sub": false, "absent": false, "": false,
	} {
		input, _ := json.Marshal(map[string]string{"p": path})
		r := tool.Call(t.Context(), use(string(input)))
		if (r.Status == spec.StatusSuccess) != ok {
			t.Errorf("%q: have %s", path, text(r))
		}
		if _, err := os.Stat(scratch); !errors.Is(err, os.ErrNotExist) {
			t.Error("the scratch directory is still there")
		}
	}
}

func TestBytesPassThroughExpressions(t *testing.T) {
	png := []byte("\x89PNG\r\n\x1a\n0000")
	tool := compile(t, "executor: {func: f}\nresult: {content: [{image: {format: png, bytes: '${output}'}}]}\n", give(png))
	r := tool.Call(t.Context(), use(`{}`))
	if r.Status != spec.StatusSuccess || r.Content[0].Image == nil || string(r.Content[0].Image.Source.Bytes) != string(png) {
		t.Errorf("have %s", text(r))
	}
}
