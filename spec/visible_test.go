package spec

import "testing"

// TestVisible: a name that is shown to people stays on its line and says nothing to their terminal.
func TestVisible(t *testing.T) {
	for name, want := range map[string]string{
		"plain äöü 漢字 🙂 \u200d": "plain äöü 漢字 🙂 \u200d", "": "",
		"a\nb\tc":             `a\u000ab\u0009c`,
		"a\r\nb":              `a\u000d\u000ab`,
		"\x1b[2J\x1b]0;t\x07": `\u001b[2J\u001b]0;t\u0007`,
		"\u009b31m\x7f":       `\u009b31m\u007f`,
		"a\u202etxt.exe":      `a\u202etxt.exe`,
		"caf\xe9\x9b":         `caf\xe9\x9b`,
	} {
		if have := Visible(name); have != want {
			t.Errorf("%q: have %q, want %q", name, have, want)
		}
	}
	if have := (Pos{"a\x1b[2J\nb.yaml", 1, 2}).String(); have != `a\u001b[2J\u000ab.yaml:1:2` {
		t.Errorf("have %q", have)
	}
}
