package spec

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAcceptedTellsWhatIsDefaulted(t *testing.T) {
	s, ds := Parse("t.yaml", []byte(`name: t
description: x
executor: {expr: '1'}
inputSchema:
  type: object
  properties:
    a: {type: integer, default: 1}
    a/b~c: {type: string, default: x}
    o: {type: object, properties: {in: {type: integer, default: 2}, out: {type: integer}}}
    l: {type: array, items: {type: object, properties: {k: {type: string, default: v}}}}
    n: {type: [integer, 'null'], default: 3}
`))
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	for input, want := range map[string]string{
		``:   "/a /a~1b~0c /n /o",
		`{}`: "/a /a~1b~0c /n /o",
		`{"a": 1, "a/b~c": "y", "n": null, "o": {"in": 2}}`:                         "",
		`{"a": 1, "a/b~c": "y", "n": null, "o": {"out": 2}}`:                        "/o/in",
		`{"a": "1", "a/b~c": "y", "n": 3, "o": "{\"out\": 2}"}`:                     "/o/in",
		`{"a": 1, "a/b~c": "y", "n": 3, "o": {"in": 1}, "l": [{}, {"k": "v"}, {}]}`: "/l/0/k /l/2/k",
		`"{\"a\": 1, \"n\": 3}"`:                                                    "/a~1b~0c /o",
	} {
		in, err := s.Input.Accept(json.RawMessage(input))
		if err != nil {
			t.Fatal(input, err)
		}
		if have := strings.Join(in.Defaulted(json.RawMessage(input)), " "); have != want {
			t.Errorf("%s: have %q, want %q", input, have, want)
		}
	}
}
