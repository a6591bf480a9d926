package exec

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCleanText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"colour", "a\x1b[1;31mb\x1b[0mc", "abc"},
		{"private parameters", "\x1b[?25la\x1b[>0cb\x1b[1 qc", "abc"},
		{"C1 control sequence", "a\u009b31mb", "ab"},
		{"a control sequence that breaks off", "a\x1b[31\nb\x1b[3", "a\nb"},
		{"title, BEL", "\x1b]0;title\aa", "a"},
		{"title, ST", "\x1b]0;title\x1b\\a", "a"},
		{"title, C1 ST", "\x1b]0;title\u009ca", "a"},
		{"C1 title", "\u009d0;title\u009ca\u009d2;x\ab", "ab"},
		{"link", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"},
		{"a title that does not end loses its beginning alone", "\x1b]0;text\nmore", "0;text\nmore"},
		{"nor at the end", "a\x1b]0;text", "a0;text"},
		{"device control", "a\x1bPq#0;2;0\n~~\x1b\\b", "ab"},
		{"C1 device control", "a\u0090q~~\u009cb", "ab"},
		{"start of string, privacy message, application command", "a\x1bXx\x1b\\b\x1b^x\x1b\\c\x1b_x\x1b\\d\u0098x\u009ce\u009ex\u009cf\u009fx\u009cg", "abcdefg"},
		{"a string that another sequence breaks off", "a\x1bPtext\x1b[31mb", "atextb"},
		{"character set, reset, index", "\x1b(Ba\x1bcb\x1bMc\x1b#8d\x1b%Ge", "abcde"},
		{"a lone ESC", "a\x1b\x1b\nb\x1b", "a\nb"},
		{"ESC before what is no sequence", "a\x1bäb", "aäb"},
		{"a lone ST", "a\u009cb", "ab"},
		{"a progress bar stays as it was written", "10%\r20%\r\n\b\t", "10%\r20%\r\n\b\t"},
		{"next line is no control", "a\u0085b", "a\u0085b"},
		{"not UTF-8", "a\xff\xfeb\xc3", "a\uFFFDb\uFFFD"},
		{"raw C1 is not UTF-8", "a\x9b31mb", "a\uFFFD31mb"},
		{"no character arises of two pieces", "a\xc2\x1b[m\x9b31mb", "a\uFFFD\uFFFD31mb"},
		{"NUL", "\x00a\x00\x00", "\uFFFDa\uFFFD\uFFFD"},
		{"not UTF-8 within a string", "\x1b]0;\xff\aa", "a"},
	} {
		if have := cleanText([]byte(c.in)); have != c.want {
			t.Errorf("%s: %q, want %q", c.name, have, c.want)
		}
	}
	long := strings.Repeat("x", 2*mostControl)
	if have := cleanText([]byte("\x1bP" + long + "\x1b\\")); have != long {
		t.Errorf("%d of %d bytes are left", len(have), len(long))
	}
}

// However the bytes come in pieces, the text is the same, and has nothing in it that a terminal would obey.
func FuzzCleanText(f *testing.F) {
	for _, seed := range []string{"", "\x1b]0;a\ab", "\x1bPa\x1b[b", "a\xff\xc2\x9b1m", "\u0090x\u009c\x00", "\x1b\x1b]\n\x1b("} {
		f.Add([]byte(seed), 1)
	}
	f.Fuzz(func(t *testing.T, b []byte, step int) {
		whole := cleanText(b)
		if !utf8.ValidString(whole) || strings.ContainsAny(whole, "\x00\x1b") || strings.ContainsFunc(whole, isC1) {
			t.Errorf("%q became %q", b, whole)
		}
		step = max(1, step%64)
		var c cleaner
		var out []byte
		for rest := b; len(rest) > 0; {
			n := min(step, len(rest))
			out, rest = c.clean(out, rest[:n]), rest[n:]
		}
		if out = c.end(out); string(out) != whole {
			t.Errorf("%q in pieces of %d became %q, not %q", b, step, out, whole)
		}
	})
}
