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
		`{"a": 1,}`:                     `[] at character 9, a value or a key is missing before this }: JSON has no comma at the end`,
		`{"a": tru}`:                    `[] at character 10, want true, false, null or a number here; a text stands in double quotes`,
		`{1: 2}`:                        `[] at character 2, want a key in double quotes here, have '1'`,
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
