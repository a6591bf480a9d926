package spec

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

type colour string

type point struct {
	X int64   `json:"x"`
	Y *int    `json:"y"`
	Z float64 `json:"z,omitempty"`
}

type shouting struct{}

func (shouting) String() string { return "never seen" }

// resultLine is a result as one line: its status, then its blocks.
func resultLine(t testing.TB, r ToolResult) string {
	t.Helper()
	content, err := encode(r.Content)
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Status) + " " + string(content)
}

func TestSuccess(t *testing.T) {
	var nilPoint *point
	var nilError *Error
	png := []byte("\x89PNG\r\n\x1a\n0000")
	at := time.Date(2026, 3, 4, 5, 6, 7, 80, time.FixedZone("", 3600))
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"text":           {"hi <b>", `success [{"text":"hi <b>"}]`},
		"empty text":     {"", `success [{"text":""}]`},
		"named text":     {colour("red"), `success [{"text":"red"}]`},
		"int":            {42, `success [{"text":"42"}]`},
		"int64":          {int64(math.MinInt64), `success [{"text":"-9223372036854775808"}]`},
		"uint64":         {uint64(math.MaxUint64), `success [{"text":"18446744073709551615"}]`},
		"float":          {0.1, `success [{"text":"0.1"}]`},
		"whole float":    {3.0, `success [{"text":"3"}]`},
		"digits":         {json.Number("12345678901234567890.10"), `success [{"text":"12345678901234567890.10"}]`},
		"bool":           {true, `success [{"text":"true"}]`},
		"null":           {nil, `success [{"text":"null"}]`},
		"typed nil":      {nilPoint, `success [{"text":"null"}]`},
		"nil map":        {map[string]any(nil), `success [{"text":"null"}]`},
		"object":         {map[string]any{"b": 1, "a": []any{json.Number("1.0"), nil}}, `success [{"json":{"a":[1.0,null],"b":1}}]`},
		"array":          {[]any{}, `success [{"json":[]}]`},
		"struct":         {point{X: 1 << 60}, `success [{"json":{"x":1152921504606846976,"y":null}}]`},
		"slice":          {[]point{{X: 1}}, `success [{"json":[{"x":1,"y":null}]}]`},
		"map of ints":    {map[int]string{1: "a"}, `success [{"json":{"1":"a"}}]`},
		"bytes within":   {map[string]any{"b": []byte("hi")}, `success [{"json":{"b":"aGk="}}]`},
		"time":           {at, `success [{"text":"2026-03-04T05:06:07.00000008+01:00"}]`},
		"time pointer":   {&at, `success [{"text":"2026-03-04T05:06:07.00000008+01:00"}]`},
		"time within":    {[]any{at}, `success [{"json":["2026-03-04T05:06:07.00000008+01:00"]}]`},
		"raw":            {json.RawMessage(`{"n": 1.50}`), `success [{"json":{"n":1.50}}]`},
		"stringer":       {shouting{}, `success [{"json":{}}]`},
		"image":          {png, `success [{"image":{"format":"png","source":{"bytes":"iVBORw0KGgowMDAw"}}}]`},
		"pdf":            {[]byte("%PDF-1.4"), `success [{"document":{"format":"pdf","name":"document","source":{"bytes":"JVBERi0xLjQ="}}}]`},
		"bytes":          {[]byte{0, 1, 2}, `success [{"resource":{"uri":"toolspec:result/u%2F1","mimeType":"application/octet-stream","bytes":"AAEC"}}]`},
		"no bytes":       {[]byte{}, `success [{"resource":{"uri":"toolspec:result/u%2F1","mimeType":"text/plain; charset=utf-8","bytes":""}}]`},
		"error":          {errors.New("gone"), `error [{"text":"Error: gone"}]`},
		"typed nil err":  {nilError, `success [{"text":"null"}]`},
		"nan":            {math.NaN(), `error [{"text":"Error: the result holds NaN, a number that JSON does not have"}]`},
		"inf within":     {map[string]any{"x": []any{math.Inf(1)}}, `error [{"text":"Error: the result holds +Inf, a number that JSON does not have"}]`},
		"nan in struct":  {point{Z: math.NaN()}, `error [{"text":"Error: the result has no form in JSON: unsupported value: NaN"}]`},
		"channel":        {make(chan int), `error [{"text":"Error: the result has no form in JSON: unsupported type: chan int"}]`},
		"not a number":   {json.Number("1x"), `error [{"text":"Error: \"1x\" is not a number that JSON has"}]`},
		"broken raw":     {json.RawMessage(`{`), `error [{"text":"Error: the result has no form in JSON: error calling MarshalJSON for type json.RawMessage: unexpected end of JSON input"}]`},
		"ready":          {ready("success", map[string]any{"text": "done"}), `success [{"text":"done"}]`},
		"ready error":    {ready("error", map[string]any{"text": "no"}), `error [{"text":"no"}]`},
		"ready, broken":  {ready("success", map[string]any{"txet": "done"}), `error [{"text":"Error: the tool answered {status, content}, but a content block is not one: unknown field \"txet\""}]`},
		"ready, both":    {ready("success", map[string]any{"text": "a", "json": 1}), `error [{"text":"Error: the tool answered {status, content}, but a content block has text and json: want exactly one"}]`},
		"only alike":     {map[string]any{"status": "success", "content": "all well"}, `success [{"json":{"content":"all well","status":"success"}}]`},
		"another's":      {map[string]any{"status": "success", "content": []any{map[string]any{"id": 1}}}, `success [{"json":{"content":[{"id":1}],"status":"success"}}]`},
		"alike and more": {map[string]any{"status": "success", "content": []any{}, "page": 1}, `success [{"json":{"content":[],"page":1,"status":"success"}}]`},
		"a result":       {ToolResult{Status: StatusSuccess, Content: []Content{TextBlock("x")}}, `success [{"text":"x"}]`},
		"no status":      {ToolResult{Content: []Content{TextBlock("x")}}, `error [{"text":"Error: the tool answered with status \"\"; want success or error"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			r := Success("u/1", c.value)
			if have := resultLine(t, r); have != c.want {
				t.Errorf("\nhave %s\nwant %s", have, c.want)
			}
			if r.ID != "u/1" {
				t.Errorf("have id %q", r.ID)
			}
			if (r.Status == StatusError) != (r.Metadata.Error != nil) {
				t.Errorf("status %s and error %v do not agree", r.Status, r.Metadata.Error)
			}
		})
	}
}

func ready(status string, block map[string]any) map[string]any {
	return map[string]any{"toolUseId": "another", "status": status, "content": []any{block}}
}

func TestSuccessTellsOfficeDocumentsApart(t *testing.T) {
	for part, want := range map[string]string{"word/document.xml": `"docx"`, "xl/workbook.xml": `"xlsx"`, "a.txt": `"application/zip"`} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		if _, err := z.Create(part); err != nil {
			t.Fatal(err)
		}
		z.Close()
		if have := resultLine(t, Success("1", b.Bytes())); !strings.Contains(have, want) {
			t.Errorf("%s: have %s", part, have)
		}
	}
}

func TestFailure(t *testing.T) {
	wrapped := fmt.Errorf("while looking: %w", NewError(CodeNotFound, "no such city"))
	for name, c := range map[string]struct {
		err  error
		want string
		code Code
	}{
		"plain":    {errors.New("x"), "Error: x", CodeFailed},
		"coded":    {NewError(CodeDenied, "not %s", "you"), "Error: not you", CodeDenied},
		"wrapped":  {wrapped, "Error: no such city", CodeNotFound},
		"deadline": {context.DeadlineExceeded, "Error: the time for this call is over", CodeTimeout},
		"canceled": {fmt.Errorf("x: %w", context.Canceled), "Error: the call was canceled", CodeCanceled},
		"nil":      {nil, "Error: the tool failed without saying why", CodeInternal},
		"nil ptr":  {(*Error)(nil), "Error: the tool failed without saying why", CodeInternal},
	} {
		t.Run(name, func(t *testing.T) {
			r := Failure("u", c.err)
			if *r.Content[0].Text != c.want || r.Metadata.Error.Code != c.code || r.Status != StatusError || r.Value != nil {
				t.Errorf("have %s: %+v", *r.Content[0].Text, r)
			}
		})
	}
}

func TestContentReadsWhatItWrites(t *testing.T) {
	for _, block := range []string{
		`{"text":""}`, `{"json":null}`, `{"json":{"a":1.50}}`,
		`{"image":{"format":"png","source":{"bytes":"AAEC"}}}`,
		`{"document":{"format":"pdf","name":"my report (2)","source":{"location":{"type":"s3","uri":"s3://b/k"}}}}`,
		`{"resource":{"uri":"u:1","mimeType":"text/plain","text":""}}`,
	} {
		var c Content
		if err := json.Unmarshal([]byte(block), &c); err != nil {
			t.Errorf("%s: %v", block, err)
			continue
		}
		if back, err := encode(c); err != nil || string(back) != block {
			t.Errorf("have %s, want %s (%v)", back, block, err)
		}
	}
}

func TestContentIsReadStrictly(t *testing.T) {
	for block, want := range map[string]string{
		`{}`:                    "is empty",
		`{"text":"a","json":1}`: "exactly one",
		`{"txt":"a"}`:           "unknown field",
		`{"text":1}`:            "cannot unmarshal",
		`{"image":{"format":"bmp","source":{"bytes":""}}}`:                                            `format "bmp"`,
		`{"image":{"format":"png","source":{}}}`:                                                      "not exactly one",
		`{"document":{"format":"pdf","name":"a/b","source":{"bytes":""}}}`:                            "a document named",
		`{"document":{"format":"pdf","name":"a","source":{"location":{"type":"file","uri":"/etc"}}}}`: "location",
		`{"resource":{"text":"x"}}`:                                                                   "without a uri",
		`{"resource":{"uri":"u","text":"x","bytes":"AA=="}}`:                                          "both",
	} {
		var c Content
		if err := json.Unmarshal([]byte(block), &c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v, want %s", block, err, want)
		}
	}
}

func TestDocumentName(t *testing.T) {
	for name, want := range map[string]string{
		"": "document", "Report (1) [x]": "Report (1) [x]", "a  b\t c": "a b c", "report_2026.pdf": "report-2026-pdf",
		"../etc/passwd": "-etc-passwd", "報告": "document", " - ": "document", strings.Repeat("a", 300): strings.Repeat("a", 200),
	} {
		if have := DocumentName(name); have != want || DocumentName(have) != have {
			t.Errorf("%q: have %q, want %q", name, have, want)
		}
	}
}

// What JSON holds comes out of Success as it went in, whatever it is.
func FuzzSuccessLosesNothing(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.50,"x",null,true,{"b":1e400}]}`, `"text"`, `12345678901234567890`, `[[]]`, `{"status":"success","content":[]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := decodePlain(text)
		if err != nil {
			return
		}
		r := Success("1", v)
		if m, ok := v.(map[string]any); ok && looksLikeResult(m) {
			return
		}
		if r.Status != StatusSuccess || len(r.Content) != 1 || !reflect.DeepEqual(r.Value, v) {
			t.Fatalf("have %+v of %s", r, text)
		}
		block := r.Content[0]
		if s, ok := v.(string); ok {
			if *block.Text != s {
				t.Fatalf("have %q, want %q", *block.Text, s)
			}
			return
		}
		said := []byte(block.JSON)
		if block.Text != nil {
			said = []byte(*block.Text)
		}
		if back, err := decodePlain(said); err != nil || !reflect.DeepEqual(back, v) {
			t.Fatalf("have %s of %s", said, text)
		}
	})
}
