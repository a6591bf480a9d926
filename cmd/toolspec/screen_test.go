package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScreen(t *testing.T) {
	for written, want := range map[string]string{
		"two\nlines\tand a tab\r\n": "two\nlines\tand a tab\r\n",
		"\x1b]0;title\a\x1b[2J":     `\u001b]0;title\u0007\u001b[2J`,
		"\u009b31m \x7f \r \b":      `\u009b31m \u007f \u000d \u0008`,
		"a\u202egnp.exe":            `a\u202egnp.exe`,
		"\xff ö 🌍 \u200d":           "\\xff ö 🌍 \u200d",
		"":                          "",
	} {
		var whole, bytes strings.Builder
		s := &screen{to: &whole}
		if n, err := s.Write([]byte(written)); n != len(written) || err != nil || whole.String() != want {
			t.Errorf("%q: have %d, %v, %q", written, n, err, whole.String())
		}
		if strings.Contains(written, "\r") {
			continue
		}
		s = &screen{to: &bytes}
		for i := range len(written) {
			_, _ = s.Write([]byte(written[i : i+1]))
		}
		if bytes.String() != want {
			t.Errorf("%q, byte by byte: have %q", written, bytes.String())
		}
	}
}

// What is no terminal gets every byte as it is: another program reads it.
func TestScreenIsForTerminals(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if onScreen(file) != file {
		t.Error("a file is no screen")
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if _, ok := onScreen(null).(*screen); !ok {
		t.Skip("the null device is no character device here")
	}
	if !isTerminal(onScreen(null)) && os.Getenv("TERM") != "dumb" {
		t.Error("a screen is a terminal")
	}
}
