package exec

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/toolspec/toolspec/spec"
)

func TestOutputFormats(t *testing.T) {
	type object = map[string]any
	for _, c := range []struct {
		format outputFormat
		in     string
		want   any
	}{
		{outputText, "", ""},
		{outputText, "a\n\n", "a\n"},
		{outputText, "a\r\n", "a"},
		{outputText, "caf\xe9 \x00 \x1b[1mbold\x1b[0m \xf0\x9f\x92", "caf\uFFFD \uFFFD bold \uFFFD"},
		{outputText, "\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b(Bb\x1bM\x1b", "alink b"},
		{outputJSON, "", nil},
		{outputJSON, " \n", nil},
		{outputJSON, "\xEF\xBB\xBF{\"a\": [1.50, 12345678901234567890]}\n", object{"a": []any{json.Number("1.50"), json.Number("12345678901234567890")}}},
		{outputJSONL, "", []any{}},
		{outputJSONL, "1\n\n{\"a\": null}\r\n\"x\"", []any{json.Number("1"), object{"a": nil}, "x"}},
		{outputCSV, "", []any{}},
		{outputCSV, "a,b\n", []any{}},
		{outputCSV, "\xEF\xBB\xBFid,name\r\n01,\"x, \"\"y\"\"\nz\"\r\n", []any{object{"id": "01", "name": "x, \"y\"\nz"}}},
		{outputLines, "", []any{}},
		{outputLines, "\n", []any{}},
		{outputLines, "a\r\n\nb\n", []any{"a", "", "b"}},
		{outputBytes, "\x00\xff\n", []byte("\x00\xff\n")},
	} {
		have, err := c.format.value([]byte(c.in), 1<<20, nil)
		if err != nil || !reflect.DeepEqual(have, c.want) {
			t.Errorf("%s of %q: have %#v, %v; want %#v", c.format, c.in, have, err, c.want)
		}
	}
}

func TestBadOutputIsAFailure(t *testing.T) {
	for _, c := range []struct {
		format   outputFormat
		in, want string
	}{
		{outputJSON, "hello", `the output is not JSON: at character 1, want a value here, have 'h'; a text stands in double quotes; it starts with "hello"`},
		{outputJSON, "{} {}", "something follows the first value"},
		{outputJSON, "[1", "it ends too early"},
		{outputJSONL, "1\n2\nx", "line 3 of the output is not JSON"},
		{outputCSV, "a,b\n1,2\n3\n", "the output is not CSV: record on line 3: wrong number of fields"},
		{outputCSV, "a,\"b\n", "the output is not CSV: "},
		{outputCSV, "a,b,a\n1,2,3\n", `names the column "a" twice`},
		{outputCSV, "a" + strings.Repeat(",", 20_000), "the output makes more values than there is room for in memory when it is read as csv"},
		{outputCSV, "a\n\"" + strings.Repeat("\n\",\"", 20_000), "more values than there is room for"},
		{outputCSV, "a\n" + strings.Repeat("b\n", 4_000), "more values than there is room for"},
		{outputLines, strings.Repeat("\n", 40_000), "more values than there is room for"},
		{outputJSON, "[1" + strings.Repeat(",1", 40_000) + "]", "more values than there is room for"},
		{outputJSON, "[{}" + strings.Repeat(",{}", 12_000) + "]", "more values than there is room for"},
		{outputJSONL, strings.Repeat("{\"a\":1}\n", 4_000), "more values than there is room for"},
	} {
		have, err := c.format.value([]byte(c.in), 1<<20, nil)
		if have != nil || err == nil || !strings.Contains(err.Error(), c.want) || spec.AsError(err).Code != spec.CodeFailed {
			t.Errorf("%s of %q: have %#v, %v; want %s", c.format, c.in, have, err, c.want)
		}
	}
}

func FuzzOutput(f *testing.F) {
	for _, seed := range []string{"", "a,b\n1,2", "{\"a\":1e999}", "\x1b[1m\xff\x00", "1\n2", "\"\xff\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, format := range outputFormats() {
			value, err := format.value(b, 1<<20, nil)
			if text, ok := value.(string); ok && format != outputJSON && (!utf8.ValidString(text) || strings.ContainsRune(text, 0)) {
				t.Errorf("%s: %q", format, text)
			}
			if err == nil && format != outputBytes {
				if _, err := json.Marshal(value); err != nil {
					t.Errorf("%s: %v", format, err)
				}
			}
		}
	})
}

func TestCaptureKeepsBothEnds(t *testing.T) {
	written := []byte(strings.Repeat("0123456789é", 20_000))
	for _, step := range []int{1, 7, 4096, tailBytes + 1, len(written)} {
		c := newCapture(64<<10, nil)
		for rest := written; len(rest) > 0; {
			n := min(step, len(rest))
			_, _ = c.Write(rest[:n])
			rest = rest[n:]
		}
		head, tail, cut := strings.Cut(c.text(), "\n[… ")
		_, tail, _ = strings.Cut(tail, "…]\n")
		if !cut || !strings.HasPrefix(string(written), head) || !strings.HasSuffix(string(written), tail) || len(tail) < tailBytes-3 || strings.Contains(c.text(), "\uFFFD") {
			t.Errorf("by %d: %d bytes of head, %d of tail", step, len(head), len(tail))
		}
		lost := c.lost()
		if kept := int64(len(c.head) + len(c.tail)); kept+lost != int64(len(written)) || kept > 64<<10 {
			t.Errorf("by %d: kept %d, lost %d", step, kept, c.lost())
		}
	}
	small := newCapture(64<<10, nil)
	_, _ = small.Write(written[:60<<10])
	if small.lost() != 0 || string(small.bytes()) != string(written[:60<<10]) {
		t.Error("cut without need")
	}
}

func TestProgressLines(t *testing.T) {
	var have []string
	now := time.Unix(0, 0)
	p := &progressLines{next: newCapture(1, nil), report: func(line string) { have = append(have, line) }, now: func() time.Time { return now }}
	write := func(text string) {
		if _, err := p.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		now = now.Add(progressPause)
	}
	write("one")
	write(" line\nat once\n")
	write("10 %\r")
	write("\n\n\x1b[32m20 %\x1b[0m\r")
	write(strings.Repeat("é", 1000) + "\n")
	want := []string{"one line", "10 %", "20 %", strings.Repeat("é", progressBytes/2) + "…"}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}
