package spec

import (
	"fmt"
	"testing"
)

func TestReadMembers(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                            `[] <nil>`,
		` {"b": 1.0, "a": {"x":[2]} } `: `[b=1.0 a={"x":[2]}] <nil>`,
		`{"a": 1, "a": null}`:           `[a=1 a=null] <nil>`,
		`{"\u0061": "é"}`:               `[a="é"] <nil>`,
		`null`:                          `[] want a JSON object`,
		`[1]`:                           `[] want a JSON object`,
		``:                              `[] want a JSON object`,
		`{} {}`:                         `[] something follows the object`,
		`{"a": 1`:                       `[] it ends too early`,
		`{"a": 1,}`:                     `[] invalid character '}' looking for beginning of object key string`,
		`{"a": tru}`:                    `[] invalid character '}' in literal true (expecting 'e')`,
		`{1: 2}`:                        `[] invalid character '1' looking for beginning of object key string`,
	} {
		fields, err := ReadMembers([]byte(text))
		have := []string{}
		for _, f := range fields {
			have = append(have, f.Name+"="+string(f.Value))
		}
		if have := fmt.Sprint(have, " ", err); have != want {
			t.Errorf("%s:\nhave %s\nwant %s", text, have, want)
		}
	}
}
