package spec

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzReadValue holds our reader and our writer to encoding/json: the same texts are JSON, with the same values, and a
// value is written the same. What we refuse besides is refused for its size, with a reason.
func FuzzReadValue(f *testing.F) {
	for _, text := range []string{
		``, ` `, `{}`, `[]`, ` [ ] `, `{"a": 1, "b": [true, false, null], "a": {"c": "x\n\u00e9é"}}`, `01`, `-`, `-0`, `1.`, `.5`, `1e`, `1E+5`, `1e-05`, `-0.0e1`,
		`12345678901234567890`, `1e401`, `"\ud800"`, "\"\xff\"", "\"\x01\"", `"\"`, `"\`, `"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{1:2}`, `[1`, `[1,`, `[1,]`,
		`nul`, `tru`, `nullx`, `1 2`, `{} {}`, "\x00", "[\x00]", "\"\u2028\"", "\u00a0 1", strings.Repeat("[", 600), strings.Repeat("[", 20_000), `{"":{"":""}}`, "\ufeff1", `"<&>"`, "\"\x7f\"",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		valid := json.Valid(text)
		if valid {
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
		}
		have, err := ReadValue(text)
		switch {
		case err != nil && valid && !strings.Contains(err.Error(), "is refused: "):
			t.Fatalf("%q: %v, but it is JSON", text, err)
		case err == nil && !valid:
			t.Fatalf("%q: read as %v, but it is not JSON", text, have)
		case err != nil:
			return
		case !reflect.DeepEqual(have, want):
			t.Fatalf("%q: have %#v, want %#v", text, have, want)
		}
		written, err := encode(have)
		other, err2 := encodeOther(want)
		if err != nil || err2 != nil || !bytes.Equal(written, other) {
			t.Fatalf("%q: written %q (%v), want %q (%v)", text, written, err, other, err2)
		}
		if _, _, err := decodeInput(string(text)); err == nil && !utf8.Valid(text) {
			t.Fatalf("%q: accepted, but not UTF-8", text)
		}
	})
}
