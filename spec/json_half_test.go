package spec

import "testing"

// TestHalvesOfSurrogatePairs: a text that holds one is refused where it would arrive as another.
func TestHalvesOfSurrogatePairs(t *testing.T) {
	for quoted, want := range map[string]string{
		`"\ud800"`: `\ud800`, `"a\udc00b"`: `\udc00`, `"\ud83dx"`: `\ud83d`, `"\ude00\ud83d"`: `\ude00`, `"\uD83D\u0020"`: `\uD83D`, `"\ud800\ud800\udc00"`: `\ud800`,
		`"\ud83d\ude00"`: "", `"\\ud800"`: "", `"\\\ud800"`: `\ud800`, `"\ud83d\ude00\ud83d\ude00"`: "", `"\ufffd"`: "", `"\u0041\n\""`: "", `""`: "", `"\ud83d\\ude00"`: `\ud83d`,
	} {
		if have := halfPair(quoted); have != want {
			t.Errorf("%s: have %q, want %q", quoted, have, want)
		}
		_, _, err := decodeInput(`{"x": ` + quoted + `}`)
		if (err != nil) != (want != "") {
			t.Errorf("%s: accepted with %v", quoted, err)
		}
	}
}
